//go:build linux

package replayed

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

const haproxyConfig = `
global
  nbthread 1
  log stdout format raw local0
defaults
  mode http
  log global
  option httplog
  option dontlognull
  timeout client 5s
  timeout connect 5s
  timeout server 5s
frontend web
  bind %s
  stick-table type ip size 1k expire 10s store http_req_rate(1s)
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 50 }
  http-request return status 200
`

// TestServerHAProxy judges HAProxy's rate of a stick table: the weighted counts of
// two periods, with rejected requests in them, which begin with requests of the key. One
// thread writes the log: of two that meet at its descriptor, HAProxy drops the line of one
// rather than wait (fd_write_frag_line in its src/fd.c).
func TestServerHAProxy(t *testing.T) {
	t.Parallel()
	attempted(t, func() (string, bool) { return measureHAProxy(t) })
}

func measureHAProxy(t *testing.T) (wrong string, late bool) {
	dir := t.TempDir()
	listen := foreground.FreePort(t)
	config := foreground.Write(t, dir, "haproxy.cfg", fmt.Sprintf(haproxyConfig, listen))
	log := filepath.Join(dir, "haproxy.log")
	stop := serve(t, syscall.SIGUSR1, []string{listen}, log, "haproxy", "-db", "-f", config)
	saw, by := drive(t, listen, callers)
	stop()
	rows := judge(t, log, judged{traffic: ", rebase: true", policy: "limit: 50/s", simulated: "preset: haproxy-rate", scenario: "duration: 4s"})
	return agree(t, rows, saw, 3), by > tooLate
}
