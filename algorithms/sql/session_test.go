//go:build unix

package sql

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// session is one open connection, for concurrent transactions.
type session struct {
	t     *testing.T
	psql  *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func (p *postgres) session(t *testing.T) *session {
	t.Helper()
	s := &session{t: t, psql: p.Command("-v", "VERBOSITY=sqlstate", "-f", "-"), lines: make(chan string, 100)}
	in, err := s.psql.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.psql.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.psql.Stderr = in, s.psql.Stdout // errors and rows in the order in which they come
	if err := s.psql.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.lines)
		for read := bufio.NewScanner(out); read.Scan(); {
			s.lines <- read.Text()
		}
	}()
	t.Cleanup(func() {
		in.Close()
		for range s.lines {
		}
		s.psql.Wait()
	})
	return s
}

// send starts a statement.
func (s *session) send(statement string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, statement+";\n\\echo end\n"); err != nil {
		s.t.Fatal(err)
	}
}

// answer waits for the output of the latest statement: rows, or the error's
// SQLSTATE.
func (s *session) answer() string {
	s.t.Helper()
	var rows []string
	for line := range s.lines {
		if line == "end" {
			return strings.Join(rows, " ")
		}
		if _, state, failed := strings.Cut(line, "ERROR:  "); failed {
			line = state
		}
		rows = append(rows, line)
	}
	s.t.Fatal("the session ended")
	return ""
}

// do sends a statement and waits for its answer.
func (s *session) do(statement string) string {
	s.t.Helper()
	s.send(statement)
	return s.answer()
}
