//go:build unix

package sibling

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program writes an executable script.
func program(t *testing.T, dir, text string) string {
	t.Helper()
	path := filepath.Join(dir, Name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	beside, onPath, empty := t.TempDir(), t.TempDir(), t.TempDir()
	link := filepath.Join(empty, "limitgauge")
	if err := os.Symlink(filepath.Join(beside, "limitgauge"), link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(beside, "limitgauge"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	first, second := program(t, beside, ""), program(t, onPath, "")
	for _, c := range []struct{ self, path, want string }{
		{filepath.Join(beside, "limitgauge"), onPath, first},
		{link, onPath, first},
		{filepath.Join(empty, "other"), onPath, second},
		{filepath.Join(empty, "other"), empty, ""},
	} {
		t.Setenv("PATH", c.path)
		got, err := find(c.self)
		if got != c.want || (err == nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), Install) {
			t.Errorf("beside %s with PATH %s: %q, %v, want %q", c.self, c.path, got, err, c.want)
		}
	}
	t.Chdir(onPath)
	t.Setenv("PATH", ".")
	if got, err := find(link + " that is missing"); !errors.Is(err, exec.ErrDot) {
		t.Errorf("in the current folder, by PATH: %q, %v, want %v", got, err, exec.ErrDot)
	}
}

// Start passes arguments, environment, streams and the exit code on.
func TestStart(t *testing.T) {
	if path := os.Getenv("START_SECOND"); path != "" {
		code, err := Start(path, []string{"live", "a b"})
		os.Stderr.WriteString(err.Error())
		os.Exit(code)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "-test.run=^TestStart$")
	c.Env = append(os.Environ(), "START_SECOND="+program(t, t.TempDir(), `read -r line; echo "$1,$2,$line,$PASSED"; exit 7`), "PASSED=on")
	c.Stdin = strings.NewReader("input\n")
	out, err := c.Output()
	ended := (*exec.ExitError)(nil)
	if !errors.As(err, &ended) || ended.ExitCode() != 7 || string(out) != "live,a b,input,on\n" {
		t.Errorf("%q, %v", out, err)
	}
}
