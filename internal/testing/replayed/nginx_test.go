//go:build linux

package replayed

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

const nginxConfig = `
daemon off; master_process off; pid %[1]s/nginx.pid; error_log %[1]s/error.log;
events { worker_connections 512; }
http {
  log_format timed escape=json '{"msec":$msec,"remote_addr":"$remote_addr","request":"$request","status":$status,"request_time":$request_time}';
  limit_req_zone $binary_remote_addr zone=at_once:1m rate=50r/s;
  limit_req_zone $binary_remote_addr zone=delayed:1m rate=50r/s;
  limit_req_status 429;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  root %[1]s;
  server {
    listen %[2]s;
    access_log %[1]s/nodelay.json timed; access_log %[1]s/nodelay.log combined;
    location / { limit_req zone=at_once burst=20 nodelay; }
  }
  server {
    listen %[3]s;
    access_log %[1]s/delay.json timed; access_log %[1]s/delay.log combined;
    location / { limit_req zone=delayed burst=20; }
  }
}
`

// TestServerNginx judges nginx's limit_req, with nodelay and with delay. Its
// logs in JSON resolve to 1 ms, in which the limit refills 0.05 requests, so the
// simulated leaky bucket differs from it by the last request of a burst at most.
// Combined logs resolve to 1 s, which is enough for the recorded row alone.
func TestServerNginx(t *testing.T) {
	t.Parallel()
	attempted(t, func() (string, bool) { return measureNginx(t) })
}

func measureNginx(t *testing.T) (wrong string, late bool) {
	dir := t.TempDir()
	foreground.Write(t, dir, "page", "a page\n")
	nodelay, delay := foreground.FreePort(t), foreground.FreePort(t)
	stop := serveNginx(t, dir, fmt.Sprintf(nginxConfig, dir, nodelay, delay), nodelay, delay)
	var atOnce, waited map[string]counts
	var byOnce, byWaited time.Duration
	var both sync.WaitGroup
	both.Go(func() { atOnce, byOnce = drive(t, nodelay, callers) })
	both.Go(func() { waited, byWaited = drive(t, delay, callers) })
	both.Wait()
	stop()

	for _, c := range []struct {
		log, traffic, simulated string
		saw                     map[string]counts
		within                  int64
	}{
		{"nodelay.json", "", "preset: leaky-bucket, nodelay: true", atOnce, 2},
		{"nodelay.json", "", "preset: nginx-limit-req, nodelay: true", atOnce, 2},
		{"nodelay.log", "", "preset: leaky-bucket, nodelay: true", atOnce, -1},
		{"delay.json", ", end_field: msec, duration_field: request_time", "preset: leaky-bucket", waited, 2},
		{"delay.json", ", end_field: msec, duration_field: request_time", "preset: nginx-limit-req", waited, 2},
		{"delay.log", "", "preset: leaky-bucket", waited, -1},
	} {
		rows := judge(t, filepath.Join(dir, c.log), judged{traffic: c.traffic, policy: "limit: 50/s, burst: 20", simulated: c.simulated})
		if differs := agree(t, rows, c.saw, c.within); differs != "" {
			wrong += fmt.Sprintf("%s, %s:\n%s", c.log, c.simulated, differs)
		}
	}
	return wrong, max(byOnce, byWaited) > tooLate
}

// serveNginx runs nginx with a configuration.
func serveNginx(t *testing.T, dir, config string, listens ...string) (stop func()) {
	t.Helper()
	if os.Getuid() == 0 {
		config = "user root;" + config
	}
	return serve(t, syscall.SIGQUIT, listens, filepath.Join(dir, "output"), "nginx", "-c", foreground.Write(t, dir, "nginx.conf", config), "-p", dir)
}

const nginxSlowly = `
daemon off; master_process off; pid %[1]s/nginx.pid; error_log %[1]s/error.log;
events { worker_connections 512; }
http {
  log_format timed escape=json '{"msec":$msec,"remote_addr":"$remote_addr","request":"$request","status":$status}';
  limit_req_zone $binary_remote_addr zone=slow:1m rate=4r/m;
  limit_req_status 429;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  root %[1]s;
  server {
    listen %[2]s;
    access_log %[1]s/slow.json timed;
    location / { limit_req zone=slow; }
  }
}
`

// TestServerNginxRoundsRates checks that nginx keeps 4r/m as 66 thousandths a second:
// one request in 15.152 s. Requests after 15.04 to 15.06 s are rejected, those after
// 15.2 s are not. An exact leaky bucket admits the former.
func TestServerNginxRoundsRates(t *testing.T) {
	t.Parallel()
	attempted(t, func() (string, bool) { return measureNginxSlowly(t) })
}

func measureNginxSlowly(t *testing.T) (wrong string, late bool) {
	dir := t.TempDir()
	foreground.Write(t, dir, "page", "a page\n")
	listen := foreground.FreePort(t)
	stop := serveNginx(t, dir, fmt.Sprintf(nginxSlowly, dir, listen), listen)
	const s, ms = time.Second, time.Millisecond
	saw, by := drive(t, listen, []caller{
		{"127.0.0.14", []time.Duration{0, 15*s + 40*ms, 15*s + 50*ms, 15*s + 60*ms}},
		{"127.0.0.15", []time.Duration{0, 15*s + 200*ms}},
	})
	stop()
	if early, late := saw["127.0.0.14"], saw["127.0.0.15"]; early != (counts{1, 3}) || late != (counts{2, 0}) {
		wrong = fmt.Sprintf("nginx admits and rejects %+v after 15.05 s and %+v after 15.2 s\n", early, late)
	}
	replay := func(simulated string) map[string]map[string]counts {
		return judge(t, filepath.Join(dir, "slow.json"), judged{policy: "limit: 4/min, burst: 0", simulated: simulated})
	}
	wrong += agree(t, replay("preset: nginx-limit-req"), saw, 0)
	if exact := replay("preset: leaky-bucket")["simulated"]; exact["127.0.0.14"].rejected != 2 {
		wrong += fmt.Sprintf("the exact leaky bucket rejects %+v", exact)
	}
	return wrong, by > tooLate
}
