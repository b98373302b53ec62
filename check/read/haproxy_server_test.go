//go:build unix

package read

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

const haproxyDecides = `  stick-table type string size 1k expire 300ms store http_req_rate(400ms)
  acl slow path_beg /slow
  log-format '{"ts":%[var(txn.at)],"remote_addr":"%ci","x_key":"%[capture.req.hdr(0)]","method":"%HM","path":"%HP","status":%ST}'
  http-request set-var(txn.at) date(0,ms)
  http-request capture req.hdr(x-key) len 20
  http-request return status 204 if { path /free }
  http-request track-sc0 hdr(x-key)
  http-request deny deny_status 403 if { path /x } { hdr(x-key),table_http_req_rate(early) gt 1 }
  http-request track-sc2 hdr(x-key) table early if { path /x }
  http-request track-sc1 src table st if METH_POST
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 6 }
  http-request deny deny_status 425 if { sc_http_req_rate(0) gt 3 } slow
  http-request deny deny_status 429 if { sc1_http_req_rate ge 20 } !slow
  http-request deny deny_status 425 if METH_GET { src_http_req_rate(st) gt 12 } { path /x }
  http-request return status 200
backend early
  stick-table type string size 1k expire 2s store http_req_rate(400ms)
`

// TestHAProxyDecides compares the statuses that HAProxy logs with decisions about its log. A
// line has the time by which HAProxy counts the request, in whole ms, so that the machine may
// be as slow as it likes: then requests lie further apart, and few or none are refused. But
// after a fifth of a second in which HAProxy does not run it takes the clock to have jumped, and
// counts by another time than it logs.
func TestHAProxyDecides(t *testing.T) {
	program := foreground.Need(t, "haproxy")
	listen, dir := foreground.FreePort(t), t.TempDir()
	config := "global\n  nbthread 1\n  log stdout format raw local0\n" + strings.Replace(fmt.Sprintf(aroundFrontend, listen), "mode http", "mode http\n  log global", 1) + haproxyDecides
	path := filepath.Join(dir, "requests.json")
	written, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer written.Close()
	server := exec.CommandContext(t.Context(), program, "-db", "-f", foreground.Write(t, dir, "h.cfg", config))
	server.Stdout = written
	stop := foreground.Serve(t, server, syscall.SIGUSR1, listen)
	draw := rand.New(rand.NewPCG(3, 3))
	for range 400 {
		method, path := []string{"GET", "POST"}[draw.IntN(2)], []string{"/slow", "/free", "/x"}[draw.IntN(3)]
		request, _ := http.NewRequestWithContext(t.Context(), method, "http://"+listen+path, nil)
		if key := draw.IntN(3); key > 0 {
			request.Header.Set("X-Key", fmt.Sprint(key))
		}
		send(t, request)
		time.Sleep(time.Duration(draw.IntN(4)*draw.IntN(20)) * time.Millisecond)
	}
	stop()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^.*"path":"/.*\}$`).FindAllString(string(text), -1)
	last := int64(0)
	for _, at := range regexp.MustCompile(`"ts":(\d+)`).FindAllSubmatch(text, -1) {
		now, _ := strconv.ParseInt(string(at[1]), 10, 64)
		if last > 0 && now-last > 150 {
			t.Logf("nothing is known: %d ms without a request", now-last)
			return
		}
		last = now
	}
	l := onLog(t, config, strings.Join(lines, "\n"))
	first := l.Rules[0].Refused // by the rule that looks its key up before it is tracked
	for _, c := range []struct {
		status string
		said   int64
	}{{"403", first}, {"42[59]", l.Refused - first}} {
		refused := int64(len(regexp.MustCompile(`"status":`+c.status).FindAll(text, -1)))
		t.Logf("HAProxy answers %d with %s, check %d", refused, c.status, c.said)
		if max(c.said-refused, refused-c.said) > 4 {
			t.Errorf("HAProxy answers %d with %s, check %+v", refused, c.status, l)
		}
	}
	if l.Requests != 400 {
		t.Errorf("%d requests", l.Requests)
	}
}
