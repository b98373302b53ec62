//go:build network && unix

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

// TestMain lets tests run this test binary as the program.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_AS_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// fleet is a folder in which processes of a distributed command run.
type fleet struct {
	*testing.T
	dir     string
	program string
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	if testing.Short() {
		t.Skip("runs programs for a long time")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &fleet{t, t.TempDir(), self}
}

// write writes a file of the fleet.
func (f *fleet) write(name, text string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o666); err != nil {
		f.Fatal(err)
	}
}

func (f *fleet) read(name string) []byte {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		f.Fatal(err)
	}
	return text
}

// process is a process of a fleet.
type process struct {
	*exec.Cmd
	errs  *output
	ended chan struct{}
}

// output is what a process has written so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start starts the program.
func (f *fleet) start(args ...string) *process { return f.startProgram(f.program, args...) }

func (f *fleet) startProgram(program string, args ...string) *process {
	f.Helper()
	p := &process{exec.Command(program, args...), &output{}, make(chan struct{})}
	p.Dir, p.Stderr = f.dir, p.errs
	p.Env = append(os.Environ(), "RUN_AS_PROGRAM=1", "XDG_CACHE_HOME="+filepath.Join(f.dir, "user"), "TMPDIR="+f.dir)
	if err := p.Start(); err != nil {
		f.Fatal(err)
	}
	go func() {
		p.Wait()
		close(p.ended)
	}()
	f.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	p.Process.Kill()
	<-p.ended
}

func (p *process) over() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// busy is by how much longer tests wait than an idle machine needs.
const busy = 4

// within waits for the end of a process and returns its exit code.
func (f *fleet) within(p *process, d time.Duration) int {
	f.Helper()
	select {
	case <-p.ended:
	case <-time.After(busy * d):
		p.kill()
		f.Fatalf("%v has not ended after %s:\n%s", p.Args[1:], busy*d, p.errs)
	}
	return p.ProcessState.ExitCode()
}

// says waits until a process has written a text on stderr.
func (f *fleet) says(p *process, text string, d time.Duration) {
	f.Helper()
	for end := time.Now().Add(busy * d); !strings.Contains(p.errs.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			f.Fatalf("%v does not say %q within %s:\n%s", p.Args[1:], text, busy*d, p.errs)
		}
	}
}

// server is a nats-server with a folder for its files, which may be killed and started
// again.
type server struct {
	fleet   *fleet
	path    string
	port    string
	args    []string
	process *process
}

// server starts a server. It skips the test if none is installed.
func (f *fleet) server(args ...string) *server {
	f.Helper()
	_, port, _ := net.SplitHostPort(foreground.FreePort(f.T))
	s := &server{fleet: f, path: foreground.Program(f.T, "nats-server"), port: port, args: args}
	s.start()
	return s
}

func (s *server) start() {
	s.process = s.fleet.startProgram(s.path, append([]string{"-a", "127.0.0.1", "-p", s.port, "-js", "-sd", filepath.Join(s.fleet.dir, "server")}, s.args...)...)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", "127.0.0.1:"+s.port)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(end) {
			s.fleet.Fatalf("the server does not start:\n%s", s.process.errs)
		}
	}
}

func (s *server) url() string { return "nats://127.0.0.1:" + s.port }

// stopped stops a process for a time, so that it hangs.
func (p *process) stopped(d time.Duration) {
	p.Process.Signal(syscall.SIGSTOP)
	time.AfterFunc(d, func() { p.Process.Signal(syscall.SIGCONT) })
}

// grid is a sweep. Its cells take from some hundredths of a second to about most times
// 0.1 s.
func grid(seed int, cells int, most float64) string {
	return fmt.Sprintf(`version: 1
seed: %d
replications: 1
scenarios:
  - name: one
    duration: 200s
    policy: {limit: 500/s}
    topology: {clients: 4, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 900/s}]
    algorithms: [batch-reported]
    vary:
      demand: {of: "traffic[0].rate", from: 1000/s, to: %.0f/s, steps: %d, scale: log}
`, seed, 1000+most*2000, cells)
}

// port returns a port that nothing listens on.
func (f *fleet) port() string {
	f.Helper()
	_, port, _ := net.SplitHostPort(foreground.FreePort(f.T))
	return port
}
