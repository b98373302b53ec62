//go:build unix

// Package redistest starts Redis servers for tests.
package redistest

import (
	"net"
	"os/exec"
	"syscall"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

// Server is a private Redis server of one test, without a file.
type Server struct {
	Address string
	process *exec.Cmd
}

// Start starts a server with further settings, such as "--requirepass", "secret", or
// skips the test if Redis is not installed.
func Start(t *testing.T, settings ...string) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Redis server")
	}
	program := foreground.Need(t, "redis-server")
	address := foreground.FreePort(t)
	_, port, _ := net.SplitHostPort(address)
	c := exec.Command(program, append([]string{"--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", t.TempDir()}, settings...)...)
	foreground.Serve(t, c, syscall.SIGTERM, address)
	return &Server{address, c}
}

// Pause stops the server's process until the returned function is called: it accepts
// connections and answers nothing.
func (s *Server) Pause(t *testing.T) (resume func()) {
	t.Helper()
	s.process.Process.Signal(syscall.SIGSTOP)
	resume = func() { s.process.Process.Signal(syscall.SIGCONT) }
	t.Cleanup(resume)
	return resume
}
