package read

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/search/size"
)

const aroundFrontend = `defaults
  mode http
  timeout client 5s
  timeout queue 5s
  timeout server 5s
backend st
  stick-table type ip size 1k expire 10s store http_req_rate(1s)
frontend f
  bind %s
`

const tracks = "  stick-table type ip size 1k expire 10s store http_req_rate(10s)\n  http-request track-sc0 src\n"

// haproxyStatements holds bodies of a frontend, what is said of them, and whether HAProxy
// 2.6 starts with them. Their first line is number 10.
var haproxyStatements = []struct {
	text, said string
	starts     bool
}{
	{tracks + "  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }", "12 f deny 20+0/0", true},
	{tracks + "  http-request deny if { sc0_http_req_rate ge 20 }", "12 f deny 19+0/0", true},
	{tracks + "  http-request tarpit if { src_http_req_rate gt 20 }\n  http-request silent-drop if { src,table_http_req_rate(f) gt 40 }", "12 f tarpit 20+0/0; 13 f silent-drop 40+0/0; 13 never-binds", true},
	{"  acl abuse sc_http_req_rate(0) gt 5\n  acl api path_beg -i /api\n" + tracks + "  http-request deny if abuse api or abuse METH_POST", "14 f deny 5+0/0; 14 f deny 5+0/0", true},
	{"  acl api path /api\n" + tracks + "  http-request deny if api { sc0_http_req_rate gt 5 } OR METH_POST { sc0_http_req_rate gt 3 }", "13 f deny 5+0/0; 13 f deny 3+0/0", true},
	{"  acl abuse sc0_http_req_rate gt 5\n" + tracks + "  http-request deny if abuse\n  acl abuse sc0_http_req_rate gt 3", "13 f deny 5+0/0; 13 f deny 3+0/0", true},
	{"  acl abuse sc0_http_req_rate gt 5\n  acl abuse sc0_http_req_rate gt 9\n" + tracks + "  http-request deny if abuse { nbsrv(st) gt 1 }", "14 f deny 5+0/0; 14 f deny 9+0/0; 14? a condition of http-request deny", true},
	{"  http-request track-sc1 src table st\n  http-request deny if { sc_http_req_rate(0) gt 5 }", "11 f deny 5+0/0; 11 never-binds", true},
	{"  http-request track-sc0 src table st\n  http-request deny if { sc_http_req_rate(0) gt 0 }", "11 f deny 0+0/0; 11 refuses-all", true},
	{"  stick-table type ip size 1k store conn_cur\n  http-request track-sc0 src\n  http-request deny if { sc_http_req_rate(0) gt 3 }", "12 f deny 3+0/0; 12 never-binds", true},
	{"  stick-table type ip size 1k store http_req_rate(10)\n  http-request track-sc0 src\n  http-request deny if { sc_http_req_rate(0) gt 3 }", "12 f deny 3+0/0; 12 never-binds", true},
	{"  stick-table type string size 1k expire 1s store http_req_rate(10s)\n  http-request track-sc0 hdr(x-key)\n  http-request deny if { sc_http_req_rate(0) gt 3 }", "12 f deny 3+0/0; 10 forgotten; 11 loose-key; 11 unkeyed", true},
	{"  stick-table type ip size 1k expire 5s store http_req_rate(1s),http_req_rate(1m)\n  http-request track-sc0 src\n  http-request deny if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0", true},
	{"  http-request return status 200\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 13 unreached", true},
	{tracks + "  http-request tarpit if { sc0_http_req_rate gt 5 }\n  http-request deny if { sc0_http_req_rate ge 9 } { path /a }\n  http-request deny if { src_http_req_rate gt 9 }", "12 f tarpit 5+0/0; 13 f deny 8+0/0; 14 f deny 9+0/0; 13 never-binds", true},
	{tracks + "  http-request tarpit if { sc0_http_req_rate gt 5 } METH_POST\n  http-request deny if { sc0_http_req_rate gt 9 }", "12 f tarpit 5+0/0; 13 f deny 9+0/0", true},
	{tracks + "  http-request tarpit if { sc0_http_req_rate gt 5 }\n  http-request deny if { sc0_http_req_rate gt 3 }", "12 f tarpit 5+0/0; 13 f deny 3+0/0", true},
	{tracks + "  http-request deny if METH_PATCH { sc0_http_req_rate gt 3 }", "10 unused; 12 invalid", false},
	{tracks + "  http-request if { src 10.0.0.1 }", "10 unused; 12 invalid", false},
	{tracks + "  http-request deny if { sc0_http_req_rate gt 20 } { nbsrv(st) gt 1 }", "12 f deny 20+0/0; 12? a condition of http-request deny", true},
	{tracks + "  http-request allow if { nbsrv(st) gt 1 }\n  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 12? http-request allow", true},
	{tracks + "  http-request deny if { sc0_http_req_rate 20 }\n  http-request sc-inc-gpc0(0)\n  maxconn 10", "12? http-request deny; 13? marks of a stick table; 14? maxconn", true},
	{tracks + "  http-request set-var(txn.r) sc_http_req_rate(0)", "12? http-request set-var(txn.r)", true},
	{tracks + "  http-request set-header x-rate %[sc_http_req_rate(0)]\n  http-request deny if { hdr(x-rate) -m int gt 3 }", "12? http-request set-header", true},
	{tracks + "  http-request set-header x-over 1 if { sc_http_req_rate(0) gt 3 }\n  http-request deny if { hdr(x-over) 1 } { sc0_http_req_rate gt 2 }", "13 f deny 2+0/0; 12? http-request set-header; 12? http-request set-header", true},
	{tracks + "  http-request deny if { var(txn.r) -m int gt 3 }\n  http-request set-var(txn.r) var(txn.s)\n  http-request set-var(txn.s) sc_http_req_rate(0)", "12? http-request deny; 13? http-request set-var(txn.r); 14? http-request set-var(txn.s)", true},
	{tracks + "  acl over sc_http_req_rate(0) gt 3\n  http-request set-var(txn.o) bool(true) if over\n  http-request deny unless !{ var(txn.o) -m bool }\n  http-request deny if { var(txn.p) -m bool }", "13? http-request set-var(txn.o); 14? http-request deny", true},
	{tracks + "  acl over sc_http_req_rate(0) gt 3\n  use_backend st if METH_GET !over", "13? use_backend on a stick table", true},
	{tracks + "  http-request deny if { sc0_http_req_rate -m int gt 20 }", "12 f deny 20+0/0", true},
	{"  http-request set-src hdr(x-forwarded-for)\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 11 unkeyed; 12 loose-key", true},
	{"  http-request set-src hdr(x-forwarded-for) if { src 10.0.0.1 }\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 11 unkeyed", true},
	{"  http-request set-src hdr(x-forwarded-for)\n" + tracks + "  http-request track-sc0 path table g\n  http-request deny if { sc0_http_req_rate gt 1 }\nbackend g\n  stick-table type string size 1k store http_req_rate(1s)", "14 f deny 1+0/0; 13? several track-sc0", true},
	{"  bind 127.0.0.1:2 accept-proxy\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 11 unkeyed", true},
	{"  tcp-request connection expect-proxy layer4\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 11 unkeyed", true},
	{tracks[:strings.Index(tracks, "src")] + "path\n  http-request deny if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0; 12 never-binds", true},
	{"  http-request track-sc0 method table st", "10 invalid", false},
	{"  stick-table type ip size 1k store http_req_rate(1s)\n  http-request track-sc0 bool(1)\n  http-request deny if { sc0_http_req_rate gt 0 }", "12 f deny 0+0/0; 11 invalid", false},
	{"  http-request track-sc0 src table nosuch\n  http-request deny if { sc0_http_req_rate gt 3 }", "11 f deny 3+0/0; 10 invalid", false},
	{"  bind 127.0.0.1:2 accept-proxy\n  stick-table type integer size 1k store http_req_rate(1s)\n  http-request track-sc0 src\n  http-request deny if { sc0_http_req_rate gt 1 }", "13 f deny 1+0/0; 11 unkeyed", true},
	{"  http-request track-sc0 str(all) table st\n  http-request deny if { sc0_http_req_rate gt 3 }", "11 f deny 3+0/0; 11 never-binds", true},
	{"  http-request track-sc0 base32+src table st", "10 invalid", false},
	{"  stick-table type integer size 1k store http_req_rate(1s)\n  http-request track-sc0 url32+src", "10 unused; 11 invalid", false},
	{"  stick-table type string size 1k store http_req_rate(1s)\n  http-request track-sc0 url32+src", "10 unused", true},
	{"  stick-table type integer size 1k store http_req_rate(1s)\n  http-request track-sc0 method", "10 unused; 11 invalid", false},
	{"  stick-table type ipv6 size 1k store http_req_rate(1s)\n  http-request track-sc0 bool(1)", "10 unused; 11 invalid", false},
	{"  stick-table type integer size 1k store http_req_rate(1s)\n  http-request track-sc0 bool(1)\n  http-request deny if { sc0_http_req_rate gt 1 }", "12 f deny 1+0/0", true},
	{"  stick-table type binary size 1k store http_req_rate(1s)\n  http-request track-sc0 method\n  http-request deny if { sc0_http_req_rate gt 1 }", "12 f deny 1+0/0", true},
	{"  http-request track-sc0 src table st\n  http-request deny if { method,table_http_req_rate(st) ge 0 }", "11 f deny 0+0/0; 11 never-binds", true},
	{"  http-request track-sc0 method,lower table st\n  http-request deny if { sc0_http_req_rate gt 1 }", "11 f deny 1+0/0", true},
	{"  bind 127.0.0.1:2,:::80 v4v6\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 11 unkeyed", true},
	{".if defined(NONE)\n  http-request deny if { src_http_req_rate(st) gt 1 }\n.elif defined(OTHER)\n  http-request deny if none\n.else\n.endif\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }\n  http-request deny if { sc1_http_req_rate gt 1 }", "18 f deny 20+0/0; 19 f deny 1+0/0; 10? lines from .if to .endif", true},
	{".if defined(NONE)\n  maxconn 10\n.endif\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20", "15 invalid; 10? lines from .if to .endif", false},
	{".if 1\n" + tracks + ".endif\n  http-request deny if { sc0_http_req_rate gt 20 }\n  http-request deny if { src_http_req_rate gt 20 }\n  http-request track-sc1 src", "14 f deny 20+0/0; 15 f deny 20+0/0; 10? lines from .if to .endif; 15? what is filled in elsewhere", true},
	{".endif\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 10 invalid; 10? lines from .if to .endif", false},
	{"  disabled\n" + tracks + "  acl no src_http_req_rate(none) gt 2\n  http-request deny if { sc0_http_req_rate gt 20 }\nfrontend g\n  bind 127.0.0.1:2\n  http-request track-sc0 src table st\n  http-request deny if { sc0_http_req_rate gt 2 }", "18 g deny 2+0/0; 8? disabled sections", true},
	{"  bind tcp6@:2\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 11 unkeyed", true},
	{"  acl wl src 192.0.2.0/28\n  http-request allow if wl\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "14 f deny 20+0/0; 11 unkeyed", true},
	{"  tcp-request connection accept\n  http-request allow\n  default_backend b\nbackend b\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "16 f deny 20+0/0", true},
	{"  http-request allow\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 13 unreached", true},
	{"  tcp-request connection track-sc0 src table st\n  tcp-request connection reject if { sc0_http_req_rate gt 20 }", "11 f reject 21+0/0", true},
	{"  tcp-request content reject if { sc0_http_req_rate ge 3 }\n  tcp-request connection track-sc0 src table st", "10 f reject 3+0/0", true},
	{"  tcp-request content reject if { sc0_http_req_rate ge 1 }\n  tcp-request session track-sc0 src table st", "10 f reject 1+0/0", true},
	{"  http-request track-sc0 src table st\n  default_backend b\nbackend b\n  tcp-request content reject if { sc0_http_req_rate gt 3 }", "13 f reject 3+0/0", true},
	{"  default_backend b\n  http-request return if METH_POST\nbackend b\n  http-request deny if { sc0_http_req_rate gt 3 }\n  tcp-request content track-sc0 src table st\n  tcp-request content reject if { sc0_http_req_rate gt 3 }", "15 f reject 4+0/0; 13 f deny 3+0/0", true},
	{"  http-request deny if { sc0_http_req_rate gt 3 }\n  default_backend b\nbackend b\n  tcp-request content track-sc0 src table st", "10 f deny 3+0/0; 10 never-binds", true},
	{"  mode tcp\n  tcp-request connection track-sc0 src table st\n  tcp-request connection reject if { sc0_http_req_rate gt 2 }\n  default_backend b\nbackend b\n  http-request return", "12 f reject 3+0/0", true},
	{"  mode tcp\n  http-request track-sc0 src table st\n  default_backend b\nbackend b", "11? http-request track-sc0", true},
	{"  tcp-request connection track-sc0 src table st\n  http-request deny if { sc0_http_req_rate gt 2 }\n  bind 127.0.0.1:2 accept-proxy", "11 f deny 2+0/0; 12? the header of a proxy", true},
	{"  bind 127.0.0.1:2 accept-proxy\n  tcp-request session track-sc0 src table st\n  http-request deny if { sc0_http_req_rate gt 2 }", "12 f deny 2+0/0; 7 unkeyed", true},
	{tracks + "  http-request deny if { sc0_http_req_rate gt 0 } { path_reg ^/a }\n  http-request deny if { sc1_http_req_rate gt 0 }", "12 f deny 0+0/0; 13 f deny 0+0/0; 13 never-binds", true},
	{tracks + "  http-request track-sc0 hdr(x-key)\n  http-request deny if { sc0_http_req_rate gt 3 }\n  http-request deny if { hdr(x-key),table_http_req_rate(f) gt 3 }", "13 f deny 3+0/0; 14 f deny 3+0/0; 12? several track-sc0; 14? http-request deny by a rate", true},
	{strings.TrimSuffix(tracks, "\n") + " if METH_POST\n  http-request track-sc0 hdr(x-key)\n  http-request deny if { sc0_http_req_rate gt 3 }", "13 f deny 3+0/0; 12 loose-key; 12? several track-sc0", true},
	{"  http-request track-sc0 src table st if { path /a }\n  http-request track-sc0 path table st\n  http-request deny if { sc0_http_req_rate gt 2 }", "12 f deny 2+0/0; 11? several track-sc0", true},
	{"  http-request track-sc0 src table st if METH_POST\n  http-request track-sc0 path table st\n  http-request deny if { sc0_http_req_rate gt 2 }\n  http-request deny if { sc0_http_req_rate gt 5 }\n  http-request deny if { sc0_http_req_rate gt 1 }", "12 f deny 2+0/0; 13 f deny 5+0/0; 14 f deny 1+0/0; 13 never-binds; 11? several track-sc0", true},
	{"  stick-table type ip size 1k store conn_cur\n  http-request track-sc0 src\n  http-request deny if { sc0_http_req_rate gt 0 }\n  http-request deny if { sc0_http_req_rate gt 0 }", "12 f deny 0+0/0; 13 f deny 0+0/0; 12 never-binds; 13 never-binds", true},
	{"  http-request track-sc0 hdr(x-key) table st\n" + tracks + "  http-request deny if { sc0_http_req_rate(f) ge 3 }\n  http-request deny if { sc0_http_req_rate ge 4 }", "13 f deny 2+0/0; 14 f deny 3+0/0; 12? several track-sc0", true},
	{strings.TrimSuffix(tracks, "\n") + " if METH_POST\n  http-request track-sc0 path table st", "10 unused; 12? several track-sc0", true},
	{tracks + "  http-request track-sc1 src table st\n  http-request deny if { sc1_http_req_rate(f) gt 2 }\n  http-request deny if { sc2_http_req_rate(f) gt 2 }", "13 f deny 2+0/0; 14 f deny 2+0/0; 14 never-binds; 13? http-request deny by a rate", true},
	{"  http-request track-sc1 path table st\n  http-request track-sc1 hdr(x-key)\n" + tracks + "  http-request deny if { sc_http_req_rate(1,f) gt 0 }", "14 f deny 0+0/0; 11 loose-key; 11? several track-sc1", true},
	{"  bind 127.0.0.1:2,:::80 v4v6\n" + tracks + "  http-request track-sc0 method table g\n  http-request deny if { sc0_http_req_rate(f) gt 1 }\n  http-request deny if { sc0_http_req_rate gt 2 }\nbackend g\n  stick-table type string size 1k store http_req_rate(1s)", "14 f deny 1+0/0; 15 f deny 2+0/0; 11 unkeyed; 13? several track-sc0", true},
	{"  http-request set-header x-key 1\n  http-request set-path /a\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 3 } { path /a }\n  http-request deny if { sc0_http_req_rate gt 6 }", "14 f deny 3+0/0; 15 f deny 6+0/0; 11? http-request set-path", true},
	{"  stick-table type string size 1k expire 10s store http_req_rate(10s)\n  http-request track-sc0 hdr(x-key)\n  http-request set-header x-key a\n  http-request deny if { hdr(x-key),table_http_req_rate(f) gt 1 }", "13 f deny 1+0/0; 12? http-request set-header; 13? http-request deny by a rate", true},
	{"  http-request track-sc0 hdr_ip(x-ip) table st\n  http-request deny if { hdr_ip(x-ip),table_http_req_rate(st) gt 1 }", "11 f deny 1+0/0; 10 loose-key; 10 unkeyed", true},
	{"  http-request track-sc0 hdr_ip(x-ip) table st\n  http-request deny if { hdr_ip(x-ip),table_http_req_rate(st) gt 1 }\n  http-request deny if { sc0_http_req_rate gt 1 }\n  http-request deny if { sc0_http_req_rate gt 2 }", "11 f deny 1+0/0; 12 f deny 1+0/0; 13 f deny 2+0/0; 10 loose-key; 10 unkeyed; 13 never-binds", true},
	{"  http-request track-sc0 hdr_ip(x-ip,1) table st\n  http-request deny if { hdr_ip(x-ip,1),table_http_req_rate(st) gt 1 }", "11 f deny 1+0/0; 10 loose-key; 10 unkeyed", true},
	{tracks + "  http-request set-src hdr(x-ip)\n  http-request deny if { src_http_req_rate gt 1 }\n  http-request deny if { sc0_http_req_rate gt 2 }", "13 f deny 1+0/0; 14 f deny 2+0/0; 12? http-request set-src; 13? http-request deny by a rate", true},
	{"  http-request set-path /a\n" + tracks + "  http-request deny if { path /a }\n  http-request deny if { sc0_http_req_rate gt 6 }", "14 f deny 6+0/0; 10? http-request set-path; 13? http-request deny", true},
	{"  http-request replace-value x-key a b\n" + tracks + "  http-request track-sc1 hdr(x-key) table st\n  http-request deny if { sc1_http_req_rate gt 3 }", "14 f deny 3+0/0; 11 unused; 13 loose-key; 13 unkeyed; 10? http-request replace-value", true},
	{tracks + "  http-request track-sc1 hdr(x-key) table st\n  http-request deny if { sc1_http_req_rate gt 0 }", "13 f deny 0+0/0; 10 unused; 12 loose-key; 12 unkeyed; 13 refuses-all", true},
	{tracks + "  http-request allow if { path /a }\n  http-request deny if { sc0_http_req_rate gt 0 }", "13 f deny 0+0/0; 12 unkeyed", true},
	{"  http-request allow if { nbsrv(st) gt 1 }\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 0 }", "13 f deny 0+0/0; 10? http-request allow", true},
	{tracks + "  http-request allow if { src_http_req_rate gt 9 }\n  http-request deny if { sc0_http_req_rate gt 0 }", "13 f deny 0+0/0; 12? http-request allow by a rate", true},
	{tracks + "  http-request deny if { path /a }\n  http-request deny if { sc0_http_req_rate gt 0 }", "13 f deny 0+0/0; 13 refuses-all", true},
	{"  http-request allow if { path /a }\n" + tracks + "  default_backend b\nbackend b\n  http-request deny if { sc0_http_req_rate gt 0 }", "15 f deny 0+0/0", true},
	{"  http-request deny if { src_http_req_rate(st) ge 0 }\n  http-request deny if METH_GET { src_http_req_rate(st) ge 0 }\n  http-request deny if { sc1_http_req_rate ge 0 }", "10 f deny 0+0/0; 11 f deny 0+0/0; 12 f deny 0+0/0; 10 refuses-all; 12 never-binds", true},
	{tracks + "  http-request deny if { sc0_http_req_rate(st) ge 0 }\n  http-request deny if { sc0_http_req_rate(st) gt 0 }", "12 f deny 0+0/0; 13 f deny 0+0/0; 10 unused; 12 refuses-all; 13 never-binds", true},
	{"  stick-table type ip size 1k store conn_cur\n  http-request track-sc0 src\n  http-request deny if { sc0_http_req_rate gt 0 }\n  http-request deny if { src_http_req_rate(nope) ge 0 }", "12 f deny 0+0/0; 13 f deny 0+0/0; 12 never-binds; 13 invalid", false},
	{"  stick-table type ip size 1k store http_req_rate(10)\n  http-request track-sc0 src\n  http-request deny if { sc0_http_req_rate gt 0 }\n  http-request deny if { sc0_http_req_rate gt 0 }", "12 f deny 0+0/0; 13 f deny 0+0/0; 12 refuses-all; 13 never-binds", true},
	{"  http-request track-sc0 src table st if METH_POST\n  http-request deny if { sc0_http_req_rate gt 0 }", "11 f deny 0+0/0; 10 unkeyed", true},
	{"  tcp-request content track-sc0 src table st\n  tcp-request content reject if { sc0_http_req_rate gt 20 } { nbsrv(st) gt 1 }", "11 f reject 21+0/0; 11? a condition of tcp-request content reject", true},
	{"  http-request deny if { src_http_req_rate(st) gt 20 }\n  http-request track-sc0 src table st", "10 f deny 21+0/0", true},
	{"  stick-table type ip size 1k store conn_cur\n  http-request deny if { src_http_req_rate gt 20 }\n  http-request track-sc0 src", "11 f deny 21+0/0; 11 never-binds", true},
	{"  stick-table type ip size 1k store http_req_rate(10)\n  http-request deny if { src_http_req_rate gt 20 }\n  http-request track-sc0 src", "11 f deny 21+0/0; 11 never-binds", true},
	{"  mode tcp\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 20 }", "13 f deny 20+0/0; 13 never-binds", true},
	{"  http-request track-sc0 src table p/t\n  http-request deny if { sc0_http_req_rate(p/t) gt 3 }\npeers p\n  bind 127.0.0.1:2\n  server me\n  table t type ip size 1m expire 60s store http_req_rate(60s)", "11 f deny 3+0/0", true},
	{"defaults c\n  mode http\n  timeout client 5s\ndefaults l from c\n  http-request track-sc0 src table st\n  http-request deny if { sc0_http_req_rate(st) gt 3 }\nfrontend g from l\n  bind 127.0.0.1:2", "15 g deny 3+0/0", true},
	{"defaults c\n  mode http\n  http-request deny if { src_http_req_rate(st) gt 3 }", "10 unused", true},
	{"frontend g from nosuch\n  mode http\n  bind 127.0.0.1:2", "10 invalid", false},
	{"  http-request track-sc0 src", "10 invalid", false},
	{"  http-request track-sc0 src table nosuch", "10 invalid", false},
	{"  http-request track-sc3 src table st", "10 invalid", false},
	{tracks + "  http-request deny if { sc0_http_req_rate gt ten }", "12 invalid; 12? http-request deny", false},
	{tracks + "  http-request deny if { sc_http_req_rate gt 3 }", "12 invalid; 12? http-request deny", false},
	{tracks + "  http-request deny if abuse\n  acl abuse sc0_http_req_rate gt 3", "10 unused; 12 invalid", false},
	{tracks + "  http-request deny status 418 content-type text/plain string x if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0", true},
	{tracks + "  http-request deny status 418 if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0", true},
	{tracks + "  http-request deny status 418 default-errorfiles if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0; 12 invalid", false},
	{tracks + "  http-request deny deny_status 418 content-type text/plain if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0", true},
	{tracks + "  http-request deny status 199 hdr X y if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0; 12 invalid", false},
	{tracks + "  http-request deny deny_status 999 if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0; 12 invalid", false},
	{tracks + "  acl over sc0_http_req_rate(0) gt 3\n  http-request deny if { sc0_http_req_rate gt 3 }", "13 f deny 3+0/0; 12 invalid; 12 unused", false},
	{"  http-request deny if { src_http_req_rate(nope) gt 20 }", "10 f deny 20+0/0; 10 invalid; 10 never-binds", false},
	{"  stick-table type ip expire 10s store http_req_rate(1s)", "10 invalid; 10 unused", false},
	{"  stick-table type ip size 1k store http_req_rate", "10 invalid", false},
	{"  stick-table type ip size 1k store http_req_rate(30d)", "10 invalid; 10 unused", false},
	{"  stick-table type ip size 1k store http_req_rate(1x)", "10 invalid; 10 unused", false},
	{"  http-request track-sc0 src table st if { src 10.0.0.1", "10 invalid", false},
	{"  http-request deny if" + strings.Repeat(" TRUE", 62), "10 invalid", false},
	{"  http-request deny if" + strings.Repeat(" TRUE", 61), "7 unused", true},
	{tracks + tracks, "10 unused; 12 invalid; 13? several track-sc0", false},
	{"  stick-table type ip size 1k expire 10s store \\\n    http_req_rate(10s)", "10 invalid; 11 invalid", false},
	{tracks + "  http-request deny \\\n    if { sc0_http_req_rate gt 3 }", "10 unused; 12 invalid; 13 invalid", false},
	{tracks + "  http-request deny if { sc0_http_req_rate gt 3 }\n    { path /a }", "12 f deny 3+0/0; 13 invalid", false},
	{"  stick-table type ip size 1k expire 10s\n    store http_req_rate(10s)", "11 invalid", false},
	{tracks + "  http-request set-var(req.r) src,table_http_req_rate()\n  acl over int(20),sub(req.r) lt 0\n  http-request deny if over", "12? http-request set-var(req.r); 14? http-request deny", true},
	{tracks + "  acl over path_beg /api method POST sc_http_req_rate(0) gt 10\n  http-request deny if over", "10 unused; 12? acl", true},
	{tracks + "  acl over src_http_req_rate gt 5\n  http-request deny if { sc_conn_cur(0) gt 3 }", "10 unused; 12 unused; 13? another count of a stick table", true},
	{"  stick-table type ip size 1k nopurge expire 10s store http_req_rate(1s) table st", "10 invalid; 10 unused", false},
	{"  stick-table type ip size 1k expire 20s store http_req_rate(10s)\n  http-request track-sc0 req.hdr_ip(x-forwarded-for,-1)\n  http-request deny if { sc0_http_req_rate gt 20 }", "12 f deny 20+0/0; 11 loose-key; 11 unkeyed", true},
	{"  http-request deny if { path \"/a }", "f:10:31: the quote does not end", false},
}

// TestHAProxy reads small configurations.
func TestHAProxy(t *testing.T) {
	for _, s := range haproxyStatements {
		// The table of line 7 is not used by most.
		got := strings.TrimPrefix(strings.Replace(said(t, fmt.Sprintf(aroundFrontend, "127.0.0.1:1")+s.text), "; 7 unused", "", 1), "7 unused; ")
		if got != s.said {
			t.Errorf("%s\nsaid %s\nwant %s", s.text, got, s.said)
		}
	}
}

// TestHAProxyNeverBinds checks that no rule that limits nothing is said to refuse the first request.
func TestHAProxyNeverBinds(t *testing.T) {
	for _, s := range haproxyStatements {
		c, err := Files([]File{{Name: "h.cfg", Text: []byte(fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + s.text)}})
		if err != nil {
			continue // as TestHAProxy says
		}
		for _, r := range c.Rules {
			if never := slices.ContainsFunc(c.Findings, func(f check.Finding) bool { return f.Kind == check.NeverBinds && f.Position == r.Position }); never && strings.HasPrefix(r.Of.Why, "the first request") {
				t.Errorf("%s\nline %d: %s", s.text, r.Line, r.Of.Why)
			}
		}
	}
}

// TestHAProxyFilledIn checks that lines with values from elsewhere are named, and not
// called invalid or dead.
func TestHAProxyFilledIn(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Replace(tracks, "10s", `"${EXP}"`, 1) + "  http-request deny if { sc0_http_req_rate gt 3 }", "12 f deny 3+0/0; 10? what is filled in elsewhere"},
		{strings.ReplaceAll(tracks, "10s", "{{ .expire }}") + "  http-request deny if { sc0_http_req_rate gt {{ .n }} }", "10? what is filled in elsewhere"},
		{"<% if\n x %>\n" + tracks + "  http-request deny deny_status <%= s %> if { sc0_http_req_rate gt 3 } nosuch\n<% end %>", "10? lines that begin with a template; 14? what is filled in elsewhere"},
		{tracks + "  http-request deny deny_status $STATUS if { sc0_http_req_rate gt 3 }", "12 f deny 3+0/0; 12? what is filled in elsewhere"},
		{"  http-request track-sc0 src table ${T}\n  http-request deny if { sc0_http_req_rate gt 3 }", "11 f deny 3+0/0; 10? what is filled in elsewhere"},
		{"{{/*\n  a comment\n*/}}\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 3 }", "15 f deny 3+0/0; 10? lines that begin with a template"},
		{"  http-request set-header a \"{{ x }}\n{{ y }}\"\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 3 }", "14 f deny 3+0/0; 10? what is filled in elsewhere"},
		{"  http-request set-header a {{ x }}\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 3 }", "13 f deny 3+0/0"},
	} {
		got := strings.TrimPrefix(strings.Replace(said(t, fmt.Sprintf(aroundFrontend, "{{ bind }}")+c.text), "; 7 unused", "", 1), "7 unused; ")
		if got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestHAProxyStarts checks that what is found invalid, or cannot be read, is what HAProxy
// refuses.
func TestHAProxyStarts(t *testing.T) {
	program := foreground.Need(t, "haproxy")
	for _, s := range haproxyStatements {
		text := fmt.Sprintf(aroundFrontend, foreground.FreePort(t)) + s.text + "\n"
		out, err := exec.CommandContext(t.Context(), program, "-c", "-q", "-f", foreground.Write(t, t.TempDir(), "h.cfg", text)).CombinedOutput()
		c, unread := Files([]File{{Name: "h.cfg", Text: []byte(text)}})
		if starts := unread == nil && !c.Has(check.Invalid); (err == nil) != s.starts || starts != s.starts {
			t.Errorf("%s: HAProxy says %v: %s; check starts %v", s.text, err, out, starts)
		}
	}
}

// onLog returns what a configuration decides about a log.
func onLog(t *testing.T, config, log string) *check.Log {
	t.Helper()
	c, err := Files([]File{{Name: "h.cfg", Text: []byte(config)}})
	if err != nil {
		t.Fatal(err)
	}
	o := logs.Options{Files: []string{foreground.Write(t, t.TempDir(), "kept.json", log)}}
	fields := check.Ask(&o, nil, c)
	r, err := logs.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l, err := c.OnLog(t.Context(), r, fields, check.Judging{Replicas: 1, Spread: "even"})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestHAProxyConditions checks for which requests conditions hold, as HAProxy 2.6 decided when
// it was asked: the first request is counted, the second one refused.
func TestHAProxyConditions(t *testing.T) {
	for _, c := range []struct {
		condition, request string
		refused            int64
	}{
		{"METH_GET", `"method":"HEAD"`, 1},
		{"METH_HEAD", `"method":"GET"`, 0},
		{`{ path_reg -i ^/API/\\S ^/b }`, `"path":"/api/x"`, 1},
		{"{ hdr(x-key) text/b }", `"x_key":"text/a, text/b"`, 1},
		{"{ hdr_beg(x-key) text/b }", `"x_key":"text/a,text/b2"`, 1},
		{"{ req.fhdr(x-key) text/b }", `"x_key":"text/a, text/b"`, 0},
		{"{ url_param(t) -m found }", `"path":"/?t="`, 1},
		{"{ url_param(t) -m found }", `"path":"/?t"`, 0},
		{"{ url_param(t) 1 }", `"path":"/?t=&t=1"`, 1},
		{"{ url_param(t) 2 }", `"path":"/?t=1&j=2&t=2"`, 1},
		{"{ hdr_reg(x-key) ^$ }", `"path":"/"`, 0},
		{"{ path_beg /api }", `"path":"https://192.0.2.1:80/api/x?y"`, 1}, // HTTP/2
		{"{ path -m found }", `"path":"https://192.0.2.1?y=/api"`, 0},
		{"{ path /a://b/c }", `"path":"/a://b/c"`, 1},
		{"{ url_beg https:// }", `"path":"https://192.0.2.1/api"`, 1},
		{`{ path_reg ^/API/ }`, `"path":"/api/x"`, 0},
		{"bad\n  acl bad path /b", `"path":"/b"`, 1}, // a line behind the rule
		{"{ path * }", `"path":"*"`, 0},
	} {
		config := "frontend f\n  mode http\n  acl bad path /a\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 1 } " + c.condition + "\n"
		line := `{"ts":"2026-03-02T09:00:00Z","remote_addr":"192.0.2.1",` + c.request + "}\n"
		if l := onLog(t, config, line+line); l.Refused != c.refused {
			t.Errorf("%s of %s: %+v", c.condition, c.request, l)
		}
	}
}

// TestHAProxyUntracked checks what is said of rules that read what is not tracked before them:
// they state their table and their key.
func TestHAProxyUntracked(t *testing.T) {
	for _, c := range []struct{ rule, want string }{
		{"src,ipmask(24),table_http_req_rate(f) gt 5", "each value of src,ipmask(24): 5 in 10s; 5 at once, "},
		{"path,table_http_req_rate(f) gt 5", "each path: 5 in 10s; 5 at once, "},
		{"hdr(x-key),lower,table_http_req_rate(f) gt 5", "each value of hdr(x-key),lower: 5 in 10s; 5 at once, "},
		{"sc1_http_req_rate(f) gt 5", "a key that is not given: 5 in 10s; 5 at once, "},
		{"sc1_http_req_rate gt 5", "a key that is not given: a rate that is not given; 5 at once, "},
	} {
		config := "frontend f\n  mode http\n  http-request deny if { " + c.rule + " }\n" + tracks
		read, err := Files([]File{{Name: "h.cfg", Text: []byte(config)}})
		if err != nil {
			t.Fatal(err)
		}
		if read.Describe(1, false); !strings.HasPrefix(read.Rules[0].Sentence, c.want) || read.Rules[0].Limit.Window != 0 {
			t.Errorf("%s: %+v", c.rule, read.Rules[0])
		}
	}
}

// TestHAProxyNested checks that an ACL that another one names, as newer versions can, is used.
func TestHAProxyNested(t *testing.T) {
	text := "frontend f\n  mode http\n" + tracks + "  acl over src_http_req_rate gt 5\n  acl both acl(api,!over)\n  http-request deny if { sc0_http_req_rate gt 5 }\n"
	if got := said(t, text); got != "7 f deny 5+0/0" {
		t.Error(got)
	}
}

// TestHAProxyTexts checks what findings say.
func TestHAProxyTexts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"  stick-table type ipv6 size 1k expire 10s store http_req_rate(10s)\n  http-request track-sc0 hdr_ip(x-ip)\n  http-request deny if { sc0_http_req_rate gt 3 }", "requests without an address in the header x-ip"},
		{"  stick-table type string size 1k expire 10s store http_req_rate(10s)\n  http-request track-sc0 hdr_ip(x-ip)\n  http-request deny if { sc0_http_req_rate gt 3 }", "requests without an address in the header x-ip"},
		{"  http-request allow if { url_sub k=SECRET } { path /a }\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 3 }", "requests with url_sub … and path /a"},
	} {
		read, err := Files([]File{{Name: "h.cfg", Text: []byte(fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + c.text)}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(read.Findings, func(f check.Finding) bool { return strings.HasSuffix(f.Text, c.want) }) {
			t.Errorf("%s\nsaid %+v\nwant %s", c.text, read.Findings, c.want)
		}
	}
}

// TestHAProxyRefusesAll checks whether requests without a key are said to pass a rule that
// refuses all others, as HAProxy 2.6 did when it was asked.
func TestHAProxyRefusesAll(t *testing.T) {
	for _, c := range []struct{ tracks, test, who string }{
		{"src", "sc0_http_req_rate gt 0", "no request"},
		{"method", "sc0_http_req_rate gt 0", "no request"},
		{"path", "sc0_http_req_rate gt 0", "no request with a key"}, // but OPTIONS *
		{"query", "sc0_http_req_rate gt 0", "no request with a key"},
		{"hdr(x)", "sc0_http_req_rate gt 0", "no request with a key"},
		{"hdr(x)", "sc0_http_req_rate(st) ge 0", "no request with a key"},
		{"hdr(x),lower", "sc0_http_req_rate gt 0", "no request with a key"},
		{"src,map(/dev/null)", "sc0_http_req_rate gt 0", "no request with a key"},
		{"path", "src_http_req_rate(st) ge 0", "no request"},
		{"path", "hdr(x),table_http_req_rate ge 0", "no request with a key"},
		{"src\n  http-request return if { path /a }", "sc0_http_req_rate gt 0", "no request that reaches it"},
		{"src table st", "sc0_http_req_rate gt 0", "no request with a key"}, // from IPv6 addresses
		{"src table st\n  http-request set-src hdr(x)\n  http-request track-sc1 src table st", "sc1_http_req_rate gt 0", "no request with a key"},
	} {
		text := fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + "  stick-table type string size 1k expire 10s store http_req_rate(10s)\n  http-request track-sc0 " + c.tracks + "\n  http-request deny if { " + c.test + " }\n"
		if c.tracks == "src table st" {
			text += "  bind :::80 v4v6\n"
		}
		read, err := Files([]File{{Name: "h.cfg", Text: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(read.Findings, func(f check.Finding) bool { return strings.HasPrefix(f.Text, c.who+" passes") }) {
			t.Errorf("%s, %s: %+v, want %s", c.tracks, c.test, read.Findings, c.who)
		}
	}
}

// TestHAProxyOfSize reads what size writes for HAProxy.
func TestHAProxyOfSize(t *testing.T) {
	for _, per := range []string{"", "remote_addr", "user"} {
		list := size.Policies(size.Ask{Text: "300/min", Limit: counting.Limit{Count: 300, Window: 60e9, Burst: 9}, Window: 60e9, Per: per, Bucket: true,
			Least: func(string, int64) int64 { return 70 }, Change: func(string, counting.Limit) string { return "" }})
		text := list[slices.IndexFunc(list, func(p size.Policy) bool { return strings.HasPrefix(p.System, "HAProxy") })].Text
		c, err := Files([]File{{Name: "f", Text: []byte(text)}})
		if err != nil || len(c.Rules) != 1 || c.Rules[0].Limit != (counting.Limit{Count: 70, Window: 60e9}) || c.Rules[0].Status != 429 || c.Rules[0].Of.Value == nil || c.Has(check.Forgotten) || c.Has(check.NeverBinds) {
			t.Errorf("%s\n%+v, %v", text, c, err)
		}
	}
}
