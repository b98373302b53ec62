// Package foreground runs servers for tests: programs that stay in the foreground and
// listen on loopback.
package foreground

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// FreePort returns a loopback address that nothing listens on.
func FreePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Serve runs a server until stop is called or the test ends, and waits until it
// listens on these addresses. stop sends it a signal on which it first completes what
// it has begun.
func Serve(t *testing.T, server *exec.Cmd, softly os.Signal, listens ...string) (stop func()) {
	t.Helper()
	var said strings.Builder
	server.Stderr = &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Wait()
	}()
	t.Cleanup(func() {
		server.Process.Kill()
		<-done
	})
	end := func(problem string) {
		server.Process.Kill()
		<-done
		t.Fatalf("%s %s: %s", filepath.Base(server.Path), problem, &said)
	}
	for _, address := range listens {
		if !listening(t, address, done) {
			end("does not listen on " + address)
		}
	}
	return func() {
		t.Helper()
		server.Process.Signal(softly)
		select {
		case <-done:
		case <-wait.End(t):
			end("does not end")
		}
	}
}

// listening waits until a server accepts connections. It returns false if the server ends
// before.
func listening(t *testing.T, address string, done <-chan struct{}) bool {
	for end := wait.End(t); ; {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return true
		}
		select {
		case <-done:
			return false
		case <-end:
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Write writes a file for a server, such as its configuration, and returns its path.
func Write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
