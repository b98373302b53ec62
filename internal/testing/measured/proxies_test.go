//go:build network && unix

package measured

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/live/bounds"
)

// behind returns a measurement of a proxy at a port.
func behind(scenario, hostPort, path, figure string, flags ...string) measurement {
	return measurement{scenario: scenario, target: "http", address: []string{"http://" + hostPort + path + "?key={run}-{key}"}, flags: flags, figure: figure}
}

// measuredProxy is a measurement of the server that a configuration has at an address.
type measuredProxy struct {
	measurement
	listens string
}

var nginx = []measuredProxy{
	{atResolution(behind("nginx with burst", "127.0.0.1:8081", "/page", "over_limit_pct", "--resolution", "1ms")), "127.0.0.1:8081"},
	{atResolution(behind("nginx without burst", "127.0.0.1:8082", "/page", "over_limit_pct", "--resolution", "1ms")), "127.0.0.1:8082"},
}

// atResolution returns a measurement of a limiter that keeps its limit by its own clock.
func atResolution(m measurement) measurement {
	m = m.keeps()
	m.want = append(m.want, bounds.WithinStep)
	return m
}

var haproxy = []measuredProxy{
	{behind("haproxy counts all", "127.0.0.1:8083", "/", "under_admission_pct").keepsTooWell(), "127.0.0.1:8083"},
	{behind("haproxy counts the admitted", "127.0.0.1:8084", "/", "worst_sliding_pct").over(), "127.0.0.1:8084"},
}

func TestNginx(t *testing.T) {
	t.Parallel()
	starting(t)
	program := foreground.Need(t, "nginx")
	dir := t.TempDir()
	foreground.Write(t, dir, "page", "a page\n")
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n"
	}
	proxies(t, nginx, "nginx.conf", user, dir, func(config string) *exec.Cmd {
		return exec.Command(program, "-p", dir, "-e", "error.log", "-c", config)
	}, syscall.SIGQUIT)
}

func TestHAProxy(t *testing.T) {
	t.Parallel()
	starting(t)
	program := foreground.Need(t, "haproxy")
	proxies(t, haproxy, "haproxy.cfg", "", t.TempDir(), func(config string) *exec.Cmd { return exec.Command(program, "-db", "-f", config) }, syscall.SIGUSR1)
}

// proxies measures the servers of one configuration, at free ports.
func proxies(t *testing.T, all []measuredProxy, config, prefix, dir string, command func(config string) *exec.Cmd, softly os.Signal) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("internal/testing/measured/testdata", config))
	if err != nil {
		t.Fatal(err)
	}
	configured := prefix + string(text)
	var listens []string
	for _, m := range all {
		free := foreground.FreePort(t)
		configured = strings.Replace(configured, m.listens, free, 1)
		listens = append(listens, free)
	}
	foreground.Serve(t, command(foreground.Write(t, dir, config, configured)), softly, listens...)
	for i, m := range all {
		t.Run(m.scenario, func(t *testing.T) {
			t.Parallel()
			m.run(t, nil, strings.Replace(m.address[0], m.listens, listens[i], 1))
		})
	}
}
