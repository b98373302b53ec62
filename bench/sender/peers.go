package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// peer is a load generator that `go install` installs.
type peer struct {
	program string
	module  string // with its version
	warmUp  int    // requests that it sends before its schedule begins
	stdin   func(url string, l load) string
	args    func(url string, l load) []string
}

// connections is fortio's number of connections, its default. It sends on each of them
// one request after the other.
const connections = 4

var peers = []peer{
	{
		program: "vegeta", module: "github.com/tsenart/vegeta/v12@v12.13.0",
		stdin: func(url string, _ load) string { return "GET " + url + "\n" },
		args: func(_ string, l load) []string {
			return []string{"attack", fmt.Sprintf("-rate=%d/1s", l.perS), "-duration=" + l.duration.String(), "-output=" + os.DevNull}
		},
	},
	{
		program: "fortio", module: "fortio.org/fortio@v1.68.1", warmUp: connections,
		args: func(url string, l load) []string {
			return []string{"load", "-quiet", "-uniform", "-c", fmt.Sprint(connections), "-qps", fmt.Sprint(l.perS), "-t", l.duration.String(), url}
		},
	},
	{
		program: "k6", module: "go.k6.io/k6@v1.8.1",
		stdin: func(url string, l load) string {
			return fmt.Sprintf(`
import http from 'k6/http'
export const options = {discardResponseBodies: true, scenarios: {constant: {
  executor: 'constant-arrival-rate', rate: %d, duration: '%v', preAllocatedVUs: 200}}}
export default () => { http.get('%s') }
`, l.perS, l.duration, url)
		},
		args: func(string, load) []string {
			return []string{"run", "--quiet", "--no-usage-report", "--no-summary", "-"}
		},
	},
}

// contestant installs the peer into a folder.
func (p *peer) contestant(ctx context.Context, dir string) contestant {
	_, version, _ := strings.Cut(p.module, "@")
	c := contestant{name: p.program + " " + version, warmUp: p.warmUp}
	install := exec.CommandContext(ctx, "go", "install", p.module) // outside of any module: it becomes no requirement
	install.Dir, install.Env = dir, append(os.Environ(), "GOBIN="+dir)
	if out, err := install.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		c.skip = fmt.Sprintf("not installed: %v: %s", err, lines[len(lines)-1])
	}
	c.send = func(ctx context.Context, url string, l load) (*figures, error) {
		program := exec.CommandContext(ctx, filepath.Join(dir, p.program), p.args(url, l)...)
		if p.stdin != nil {
			program.Stdin = strings.NewReader(p.stdin(url, l))
		}
		if out, err := program.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		return nil, nil
	}
	return c
}
