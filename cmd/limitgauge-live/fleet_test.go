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
	"github.com/limitgauge/limitgauge/internal/testing/wait"
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

// end waits for the end of a process and returns its exit code.
func (f *fleet) end(p *process) int {
	f.Helper()
	if !wait.For(f.T, p.ended) {
		p.kill()
		f.Fatalf("%v does not end:\n%s", p.Args[1:], p.errs)
	}
	return p.ProcessState.ExitCode()
}

// says waits until a process has written a text on stderr.
func (f *fleet) says(p *process, text string) {
	f.Helper()
	for end := wait.End(f.T); !strings.Contains(p.errs.String(), text); {
		select {
		case <-end:
			f.Fatalf("%v does not say %q:\n%s", p.Args[1:], text, p.errs)
		case <-time.After(10 * time.Millisecond):
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
	s := &server{fleet: f, path: foreground.Need(f.T, "nats-server"), port: port, args: args}
	s.start()
	return s
}

func (s *server) start() {
	s.process = s.fleet.startProgram(s.path, append([]string{"-a", "127.0.0.1", "-p", s.port, "-js", "-sd", filepath.Join(s.fleet.dir, "server")}, s.args...)...)
	wait.Until(s.fleet.T, "the server listens", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+s.port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
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
