//go:build linux

package servers

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
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
	dir := t.TempDir()
	write(t, dir, "page", "a page\n")
	nodelay, delay := freePort(t), freePort(t)
	config := write(t, dir, "nginx.conf", fmt.Sprintf(nginxConfig, dir, nodelay, delay))
	if os.Getuid() == 0 {
		config = write(t, dir, "nginx.conf", "user root;"+fmt.Sprintf(nginxConfig, dir, nodelay, delay))
	}
	stop := serve(t, syscall.SIGQUIT, []string{nodelay, delay}, filepath.Join(dir, "output"), "nginx", "-c", config, "-p", dir)
	var atOnce, waited map[string]counts
	var both sync.WaitGroup
	both.Go(func() { atOnce = drive(t, nodelay) })
	both.Go(func() { waited = drive(t, delay) })
	both.Wait()
	stop()

	for _, c := range []struct {
		log, traffic, simulated string
		saw                     map[string]counts
		within                  int64
	}{
		{"nodelay.json", "", "preset: leaky-bucket, nodelay: true", atOnce, 2},
		{"nodelay.log", "", "preset: leaky-bucket, nodelay: true", atOnce, -1},
		{"delay.json", ", end_field: msec, duration_field: request_time", "preset: leaky-bucket", waited, 2},
		{"delay.log", "", "preset: leaky-bucket", waited, -1},
	} {
		t.Run(c.log, func(t *testing.T) {
			agree(t, judge(t, filepath.Join(dir, c.log), judged{traffic: c.traffic, policy: "limit: 50/s, burst: 20", simulated: c.simulated}), c.saw, c.within)
		})
	}
}
