//go:build unix

// Package pgtest starts PostgreSQL servers for tests.
package pgtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// Server is a private PostgreSQL server of one test, on a socket in a directory of
// its own, which is removed when the test ends.
type Server struct {
	Socket string // the directory it is in
	psql   string
}

// DSN returns how to connect to the server.
func (p *Server) DSN() string { return "host=" + p.Socket + " user=limitgauge dbname=postgres" }

// Start starts a server with further settings, such as "fsync=off", or skips the
// test if PostgreSQL is not installed. The server does not run as root, so root runs
// it as another user.
func Start(t *testing.T, settings ...string) *Server { return StartIn(t, "", settings...) }

// StartIn is Start with the data in a new directory below dir, or below the default
// directory for temporary files if dir is empty.
func StartIn(t *testing.T, below string, settings ...string) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a PostgreSQL server")
	}
	initdb, server, psql := need(t, "initdb"), need(t, "postgres"), need(t, "psql")
	dir, err := os.MkdirTemp(below, "pg") // short: a socket's path has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		as.Credential = unprivileged(t)
		if err := os.Chown(dir, int(as.Credential.Uid), int(as.Credential.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	create := exec.Command(initdb, "-D", data, "-U", "limitgauge", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	create.Dir, create.SysProcAttr = dir, as
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	run := exec.Command(server, "-D", data, "-k", dir, "-c", "listen_addresses=")
	for _, setting := range settings {
		run.Args = append(run.Args, "-c", setting)
	}
	var log bytes.Buffer
	run.Dir, run.SysProcAttr, run.Stdout, run.Stderr = dir, as, &log, &log
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	t.Cleanup(func() {
		run.Process.Signal(syscall.SIGINT) // a fast shutdown
		select {
		case <-ended:
		case <-wait.End(t):
			run.Process.Kill()
			<-ended
		}
	})
	p := &Server{Socket: dir, psql: psql}
	for end := wait.End(t); ; {
		_, err := p.Try("select 1")
		if err == nil {
			return p
		}
		select {
		case problem := <-ended:
			ended <- problem
			t.Fatalf("the server ended: %v\n%s", problem, log.Bytes())
		case <-end:
			t.Fatalf("the server does not answer: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// need returns the path of one of PostgreSQL's programs, which Debian keeps off PATH.
func need(t *testing.T, name string) string {
	t.Helper()
	return foreground.Need(t, name, "/usr/lib/postgresql/*/bin")
}

// unprivileged returns a user that may run the server.
func unprivileged(t *testing.T) *syscall.Credential {
	t.Helper()
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
			gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
			if err1 == nil && err2 == nil {
				return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
			}
		}
	}
	foreground.Missing(t, "a user postgres or nobody, as which root runs a PostgreSQL server,")
	return nil
}

// Command returns a command of psql.
func (p *Server) Command(args ...string) *exec.Cmd {
	return exec.Command(p.psql, append([]string{"-X", "-q", "-A", "-t", "-h", p.Socket, "-U", "limitgauge", "-d", "postgres"}, args...)...)
}

// Try runs a script and returns its rows.
func (p *Server) Try(script string) ([]string, error) {
	c := p.Command("-v", "ON_ERROR_STOP=1", "-f", "-")
	c.Stdin = strings.NewReader(script)
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("psql: %w: %s", err, problems.Bytes())
	}
	return strings.Fields(out.String()), nil
}

// Do is Try for scripts that must not fail.
func (p *Server) Do(t *testing.T, script string) []string {
	t.Helper()
	rows, err := p.Try(script)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
