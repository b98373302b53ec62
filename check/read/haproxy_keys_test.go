package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/check"
)

// TestHAProxyLookups checks that a rule that looks a key up judges requests that no rule
// tracks, and does not count them.
func TestHAProxyLookups(t *testing.T) {
	config := fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + "  http-request track-sc0 src table st unless METH_GET\n  http-request deny if METH_GET { src_http_req_rate(st) gt 2 }\n"
	var log strings.Builder
	for i, method := range strings.Fields("GET POST POST GET GET POST GET GET") { // the last two are above
		fmt.Fprintf(&log, "{\"ts\":\"2026-03-02T09:00:00.%03dZ\",\"remote_addr\":\"192.0.2.1\",\"path\":\"/\",\"method\":%q}\n", i*10, method)
	}
	for _, first := range []struct {
		text    string
		refused int64
	}{{"", 2}, {"  monitor-uri /\n", 0}, {"  monitor-uri /a\n", 2}, {"  http-request allow\n", 0}, {"  tcp-request connection accept\n", 2}} {
		if l := onLog(t, strings.Replace(config, "  http-request", first.text+"  http-request", 1), log.String()); l.Refused != first.refused {
			t.Errorf("%s: %+v", first.text, l)
		}
	}
}

// TestHAProxyLooksFirst checks a rule that looks a key up before it is tracked, as HAProxy 2.6
// decided when it was asked: it sees one request less, and what it refuses does not count.
func TestHAProxyLooksFirst(t *testing.T) {
	for _, c := range []struct {
		test    string
		refused int64
		want    string
	}{
		{"gt 2", 7, "each client address: 3 in 1s, in which refused requests do not count; 3 at once, "},
		{"gt 0", 10, "each client address: 1 in 1s, in which refused requests do not count; one at once, "},
		{"ge 0", 11, "each client address: 0 in 1s, in which refused requests do not count; 0 at once, "},
	} {
		config := fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + "  http-request deny if { src_http_req_rate(st) " + c.test + " }\n  http-request track-sc0 src table st\n"
		var log strings.Builder
		for _, ms := range []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 1100} {
			fmt.Fprintf(&log, "{\"ts\":\"2026-03-02T09:00:%02d.%03dZ\",\"remote_addr\":\"192.0.2.1\"}\n", ms/1000, ms%1000)
		}
		if l := onLog(t, config, log.String()); l.Refused != c.refused {
			t.Errorf("%s: %d refused, want %d", c.test, l.Refused, c.refused)
		}
		read, err := Files([]File{{Name: "h.cfg", Text: []byte(config)}})
		if err != nil {
			t.Fatal(err)
		}
		if read.Describe(1, false); !strings.HasPrefix(read.Rules[0].Sentence, c.want) {
			t.Errorf("%s: %s", c.test, read.Rules[0].Sentence)
		}
	}
}

// TestHAProxyFirst checks rules that refuse the first request of a key, and those behind them.
func TestHAProxyFirst(t *testing.T) {
	for _, c := range []struct {
		lines   string
		refused string // by rule
	}{
		{"track-sc0 src table st;deny if METH_POST { sc0_http_req_rate gt 0 };deny if { sc0_http_req_rate gt 3 }", "3 1"},
		{"track-sc0 src table st if METH_POST;deny if { sc0_http_req_rate ge 0 };deny if { sc0_http_req_rate gt 0 }", "3 0"},
		{"track-sc0 src table st;deny if { src_http_req_rate(st) ge 0 } METH_GET;deny if { sc0_http_req_rate gt 3 }", "3 2"},
	} {
		config := fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + "  http-request " + strings.ReplaceAll(c.lines, ";", "\n  http-request ") + "\n"
		var log strings.Builder
		for i, method := range strings.Fields("GET POST GET POST POST GET") {
			fmt.Fprintf(&log, "{\"ts\":\"2026-03-02T09:00:00.%03dZ\",\"remote_addr\":\"192.0.2.1\",\"path\":\"/\",\"method\":%q}\n", i*10, method)
		}
		l := onLog(t, config, log.String())
		if got := fmt.Sprint(l.Rules[0].Refused, l.Rules[1].Refused); got != c.refused || l.Rules[0].NotJudged != "" {
			t.Errorf("%s: %s, want %s: %+v", c.lines, got, c.refused, l)
		}
	}
}

// TestHAProxyRewrites checks that a line that may change the key or the condition of a rule is
// named, and that the rule is not judged. HAProxy 2.6 decided the requests otherwise than by the
// values in their log when it was asked. 0 stands for a rule that is judged.
func TestHAProxyRewrites(t *testing.T) {
	const slot, looked = "deny if { sc0_http_req_rate gt 1 }", "deny if { %s,table_http_req_rate(st) gt 1 }"
	for _, c := range []struct {
		lines string // the first is number 10
		named int    // the one that changes it
	}{
		{"track-sc0 src table st;set-src hdr_ip(x-ip) if METH_GET;deny if { src_http_req_rate(st) gt 1 }", 11},
		{"set-src hdr_ip(x-ip) if METH_GET;track-sc0 src table st;" + slot, 0},
		{"set-src hdr_ip(x-ip);track-sc0 src table st;" + slot, 0},
		{"set-src src,ipmask(24);track-sc0 src table st;" + slot, 0},
		{"set-src hdr_ip(x-ip) if METH_GET;allow if { src 192.0.2.9 };track-sc0 src table st;" + slot, 0},
		{"track-sc0 src table st;set-src hdr_ip(x-ip);" + slot, 11},
		{"track-sc0 src table st;" + slot + ";set-src hdr_ip(x-ip) if METH_GET", 12},
		{"track-sc0 hdr(x-key) table st;deny if { src 192.0.2.1 } { sc0_http_req_rate gt 1 };set-src hdr_ip(x-ip)", 12},
		{"allow if { src 192.0.2.9 };set-src hdr_ip(x-ip);track-sc0 src table st;" + slot, 11},
		{"deny if { src_http_req_rate(st) gt 1 };set-src hdr_ip(x-ip);track-sc0 src table st", 11},
		{"track-sc0 src,ipmask(24) table st;set-src hdr(x-ip);" + fmt.Sprintf(looked, "src,ipmask(24)"), 11},
		{"track-sc0 hdr(x,2) table st;set-header X b;" + fmt.Sprintf(looked, "hdr(x,2)"), 11},
		{"track-sc0 base table st;set-path /x;" + fmt.Sprintf(looked, "base"), 11},
		{"set-path /x;track-sc0 src table st;" + fmt.Sprintf(looked, "src"), 0},
		{"del-header cookie;track-sc0 cook(sid) table st;" + slot, 10},
		{"track-sc0 cook(sid) table st;set-header Cookie sid=a;" + fmt.Sprintf(looked, "cook(sid)"), 11},
		{"replace-header cookie sid=.* sid=q;track-sc0 src table st;deny if { cook(sid) -m found } { sc0_http_req_rate gt 1 }", 10},
		{"set-uri http://other%[path];track-sc0 hdr(host) table st;" + slot, 10},
		{"set-uri /q;track-sc0 hdr(host) table st;" + slot, 0},
		{`replace-uri ^/a(.*) /b\1;allow if { hdr(host) b };track-sc0 hdr(host) table st;` + slot, 0},
		{"replace-uri ^/a(.*) http://b/;allow if { hdr(host) b };track-sc0 src table st;" + slot, 10},
		{"set-path /a;return if { path /a };track-sc0 src table st;" + slot, 10},
		{"track-sc1 cook(sid) table st;set-path /b;" + fmt.Sprintf(looked, "path"), 11},
		{"del-header x- -m beg;track-sc0 hdr(x-key) table st;" + slot, 10},
		{"del-header key -m str;track-sc0 hdr(x-key) table st;" + slot, 0},
		{"del-header ^y-|^c -m reg;track-sc0 hdr(x-key) table st;" + slot, 0},
		{"del-header ^X-|^C -m reg;track-sc0 hdr(x-key) table st;" + slot, 10},
		{"del-header x(?=-) -m reg;track-sc0 hdr(x-key) table st;" + slot, 10},
		{"del-header OOK -m sub;track-sc0 cook(sid) table st;" + slot, 10},
		{"del-header st -m end;track-sc0 hdr(host) table st;" + slot, 10},
		{"del-header st -m end;track-sc0 src table st;" + slot, 0},
		{"del-header x-;track-sc0 hdr(x-key) table st;" + slot, 0},
	} {
		config := fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + "  http-request " + strings.ReplaceAll(c.lines, ";", "\n  http-request ") + "\n"
		l := onLog(t, config, `{"ts":"2026-03-02T09:00:00Z","remote_addr":"192.0.2.1","path":"/","host":"a","x_key":"a","method":"GET"}`+"\n")
		if why := l.Rules[0].NotJudged; c.named == 0 && why != "" || c.named > 0 && (why == "" || strings.Contains(why, "the log has no")) {
			t.Errorf("%s: judged, or not for want of a field: %q", c.lines, why)
		}
		read, err := Files([]File{{Name: "h.cfg", Text: []byte(config)}})
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for _, part := range read.NotJudged {
			if strings.HasPrefix(part.Why, "it changes what another line reads") {
				named = part.Lines[0].Line
			}
		}
		if refusesAll := read.Has(check.RefusesAll); named != c.named || refusesAll {
			t.Errorf("%s: names line %d, want %d; refuses all: %v", c.lines, named, c.named, refusesAll)
		}
	}
}

// TestHAProxyUnknownAllow checks that rules behind an allow are not judged where it is not known
// which requests it ends: those of its own section.
func TestHAProxyUnknownAllow(t *testing.T) {
	const track, deny = "  http-request track-sc0 src table st\n", "  http-request deny if { sc0_http_req_rate gt 1 }\n"
	for _, c := range []struct{ lines, why string }{
		{"  http-request allow if { nbsrv(st) gt 1 }\n" + track + deny, "it is not known which requests line 10 ends"},
		{track + "  http-request allow if { nbsrv(st) gt 1 } or { path /a }\n" + deny, "it is not known which requests line 11 ends"},
		{track + "  http-request allow if { src_http_req_rate(st) gt 1 } or { path /a }\n" + deny, "it is not known which requests line 11 ends"},
		{track + "  http-request set-path /b\n  http-request allow if { path /a }\n" + deny, "it is not known which requests line 12 ends"},
		{"  http-request allow if { nbsrv(st) gt 1 }\n  default_backend b\nbackend b\n" + track + deny, ""},
		{track + "  http-request redirect location /a if { nbsrv(st) gt 1 }\n" + deny, ""},
	} {
		l := onLog(t, fmt.Sprintf(aroundFrontend, "127.0.0.1:1")+c.lines, `{"ts":"2026-03-02T09:00:00Z","remote_addr":"192.0.2.1","path":"/"}`+"\n")
		if l.Rules[0].NotJudged != c.why {
			t.Errorf("%s\n%q, want %q", c.lines, l.Rules[0].NotJudged, c.why)
		}
	}
}

// TestHAProxySecondTrack checks that a rule is judged by the first track-sc of its number if
// that counts all requests, also by their paths.
func TestHAProxySecondTrack(t *testing.T) {
	for _, key := range []string{"src", "path", "method"} {
		config := fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + "  http-request track-sc0 " + key + " table g\n  http-request track-sc0 hdr(x-key) table st\n" +
			"  http-request deny if { sc0_http_req_rate gt 1 }\nbackend g\n  stick-table type string size 1k expire 10s store http_req_rate(10s)\n"
		line := `{"ts":"2026-03-02T09:00:00Z","remote_addr":"192.0.2.1","path":"/","method":"GET"}` + "\n"
		if l := onLog(t, config, line+line+line); l.Refused != 2 {
			t.Errorf("%s: %+v", key, l)
		}
	}
}

// TestHAProxySeveralValues checks that a track-sc counts the last value of a header, and that a
// lookup of the same header reads the first, as HAProxy 2.6 did when it was asked.
func TestHAProxySeveralValues(t *testing.T) {
	config := fmt.Sprintf(aroundFrontend, "127.0.0.1:1") + "  http-request track-sc0 hdr_ip(x-ip) table st\n  http-request deny if { hdr_ip(x-ip),table_http_req_rate(st) gt 2 }\n  http-request deny if { sc0_http_req_rate gt 2 }\n"
	log := ""
	for _, ip := range strings.Split("192.0.2.1, 192.0.2.2;192.0.2.1, 192.0.2.2;192.0.2.1, 192.0.2.2;192.0.2.1;192.0.2.2, 192.0.2.1", ";") {
		log += fmt.Sprintf("{\"ts\":\"2026-03-02T09:00:00Z\",\"remote_addr\":\"192.0.2.9\",\"x_ip\":%q}\n", ip)
	}
	if l := onLog(t, config, log); l.Rules[0].Refused != 1 || l.Rules[1].Refused != 1 {
		t.Errorf("%+v", l)
	}
}

// TestHAProxyAddresses checks which keys a table of addresses counts.
func TestHAProxyAddresses(t *testing.T) {
	for _, c := range []struct {
		table, key string
		refused    int64
	}{{"ip", "src", 3}, {"ipv6", "src", 4}, {"ip", "hdr(x-key)", 1}, {"ipv6", "hdr(x-key)", 2}, {"ip", "hdr_ip(x-key)", 3}, {"ipv6", "req.hdr_ip(x-key,1)", 4}, {"string", "hdr(x-key)", 4},
		{"binary len 4", "src", 5}, {"binary", "hdr(x-key)", 4}, {"binary", "hdr_ip(x-key)", 3}, {"ip", "str(all)", 0}, {"ip", "str(192.0.2.1)", 7}, {"ipv6", "str(192.0.2.1)", 0}, {"string", "str(all)", 7}} {
		config := fmt.Sprintf("frontend f\n  mode http\n  stick-table type %s size 1k expire 10s store http_req_rate(10s)\n  http-request track-sc0 %s\n  http-request deny if { sc0_http_req_rate gt 1 }\n", c.table, c.key)
		var log strings.Builder
		for i, key := range []string{"192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "abc"} {
			for range 2 {
				fmt.Fprintf(&log, "{\"ts\":\"2026-03-02T09:00:00.%03dZ\",\"remote_addr\":%q,\"x_key\":%q}\n", i, key, key)
			}
		}
		if l := onLog(t, config, log.String()); l.Refused != c.refused {
			t.Errorf("type %s, %s: %+v", c.table, c.key, l)
		}
	}
}

// TestHAProxyCuts checks that no table is judged that cuts the IPv4 clients of an IPv6 socket,
// whose addresses begin with ::ffff:, which a log leaves out.
func TestHAProxyCuts(t *testing.T) {
	for table, judged := range map[string]bool{"binary len 15": false, "binary len 16": true, "string len 21": false, "string len 22": true, "ipv6": true} {
		config := "frontend f\n  mode http\n  bind :::1\n  stick-table type " + table + " size 1k store http_req_rate(1s)\n  http-request track-sc0 src\n  http-request deny if { sc0_http_req_rate gt 1 }\n"
		if l := onLog(t, config, "{\"ts\":\"2026-03-02T09:00:00Z\",\"remote_addr\":\"192.0.2.1\"}\n"); (l.Rules[0].NotJudged == "") != judged {
			t.Errorf("type %s: %+v", table, l.Rules[0])
		}
	}
}

// TestHAProxySize checks that a log with more keys than a table holds is warned about.
func TestHAProxySize(t *testing.T) {
	log := ""
	for i := range 1025 {
		log += fmt.Sprintf("{\"ts\":\"2026-03-02T09:00:00Z\",\"remote_addr\":\"2001:db8::%x\"}\n", i)
	}
	for size, warned := range map[string]bool{"1024": true, "1k": true, "1K": true, "1025": false, "1m": false} {
		config := "frontend f\n  mode http\n  stick-table type ipv6 size " + size + " expire 10s store http_req_rate(10s)\n  http-request track-sc0 src\n  http-request deny if { sc0_http_req_rate gt 1 }\n"
		l := onLog(t, config, log)
		if got := slices.ContainsFunc(l.Warnings, func(w string) bool {
			return strings.HasPrefix(w, "h.cfg:5 f deny: its table f holds 1024 keys at a time, and the log has 1025: ")
		}); got != warned {
			t.Errorf("size %s: %q", size, l.Warnings)
		}
	}
}

// TestHAProxyKept checks that a binary table keeps the first bytes of an address, and which texts
// others keep, as HAProxy 2.6 did when it was asked.
func TestHAProxyKept(t *testing.T) {
	four, six := &stickTable{keys: "binary", length: 4}, &stickTable{keys: "binary", length: 32}
	for _, c := range []struct {
		table      *stickTable
		text, want string
	}{
		{four, "192.0.2.1", "192.0.2.1"}, {four, "2001:db8:a::1", "2001:db8::/32"}, {six, "2001:db8:a::1", "2001:db8:a::1"},
		{&stickTable{keys: "binary", length: 2}, "192.0.2.1", "192.0.0.0/16"},
	} {
		if got := c.table.kept(c.text, true); got != c.want {
			t.Errorf("%s of %d bytes: %s, want %s", c.text, c.table.length, got, c.want)
		}
	}
	for text, want := range map[string]string{"192.0.2.1:80": "192.0.2.1", "192.0.2.1x": "192.0.2.1", "192.0.2": "", "192.0.2.1.5": "", "[192.0.2.1]": "", "2001:db8::1": ""} {
		if got := (&stickTable{keys: "ip"}).kept(text, false); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestHAProxyLength checks that keys that differ behind what their table keeps share a count.
func TestHAProxyLength(t *testing.T) {
	for _, c := range []struct {
		table   string
		same    int // bytes at the beginning of both keys
		refused int64
	}{{"string", 30, 0}, {"string", 31, 1}, {"string len 40", 39, 0}, {"string len 40", 40, 1}, {"binary", 31, 0}, {"binary", 32, 1}} {
		config := fmt.Sprintf("frontend f\n  mode http\n  stick-table type %s size 1k expire 10s store http_req_rate(10s)\n  http-request track-sc0 hdr(x-key)\n  http-request deny if { sc0_http_req_rate gt 1 }\n", c.table)
		var log strings.Builder
		for _, last := range []string{"a", "b"} {
			fmt.Fprintf(&log, "{\"ts\":\"2026-03-02T09:00:00Z\",\"remote_addr\":\"192.0.2.1\",\"x_key\":%q}\n", strings.Repeat("k", c.same)+last)
		}
		if l := onLog(t, config, log.String()); l.Refused != c.refused {
			t.Errorf("type %s, %d bytes: %+v", c.table, c.same, l)
		}
	}
}

// TestHeaderKey takes the value of a header, and of a parameter, that HAProxy 2.6 counted when
// it was asked.
func TestHeaderKey(t *testing.T) {
	for _, c := range []struct{ fetch, text, want string }{
		{"hdr(x)", "a, b", "b"},
		{"req.hdr(x,-1)", "c,  b ", "b"},
		{"req.hdr(x)", `q, "x, b"`, `"x, b"`},
		{"hdr(x,1)", "p, q", "p"},
		{"req.fhdr(x)", "a, b", "a, b"},
		{"hdr_ip(x)", "1.1.1.1, 2.2.2.2", "2.2.2.2"},
		{"req.hdr_ip(x,1)", "1.1.1.1, 2.2.2.2", "1.1.1.1"},
		{"hdr_ip(x)", "2.2.2.2:80", "2.2.2.2"},
		{"hdr_ip(x)", "foo", ""},
		{"hdr_ip(x)", "2001:DB8:0:0::1", "2001:db8::1"},
		{"hdr_ip(x)", "fe80::1%eth0", ""},
		{"hdr(x)", "a,", `""`},
		{"hdr(x)", "", ""},
	} {
		key, loose := haproxyKey(c.fetch)
		if got := key.Value(func(string) string { return c.text }); got != c.want || loose != "the header x" {
			t.Errorf("%s of %s: %q of %s, want %q", c.fetch, c.text, got, loose, c.want)
		}
	}
	for query, want := range map[string]string{"t=1;b=2": "1", "x=1;t=4": "4", "t=%zz": "%zz", "?t=1": "1", "t=a%26b": "a%26b", "t=": `""`, "x=2&t=&y=1": `""`, "a&t==": "=", "tt=1": "", "t": "", "%74=1": ""} {
		key, _ := haproxyKey("url_param(t)")
		if got := key.Value(func(string) string { return "/?" + query }); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if key, _ := haproxyKey("hdr(x,2)"); key.Value != nil {
		t.Error("the second value is read")
	}
}
