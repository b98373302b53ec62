package foreground

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// ends is a test that records how it ends.
type ends struct {
	testing.TB
	how string
}

func (e *ends) Helper() {}

func (e *ends) Skipf(format string, args ...any) { e.end("skipped: "+format, args...) }

func (e *ends) Fatalf(format string, args ...any) { e.end("failed: "+format, args...) }

func (e *ends) end(format string, args ...any) {
	e.how = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// need calls Need and returns the path, or how the test ended.
func need(t *testing.T, program string, folders ...string) string {
	e, path := &ends{TB: t}, ""
	done := make(chan bool)
	go func() {
		defer close(done)
		path = Need(e, program, folders...)
	}()
	<-done
	return path + e.how
}

func TestNeed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, path := range []string{"here", "9/initdb", "15/initdb", "14/initdb"} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	versions := filepath.Join(dir, "*")
	for _, c := range []struct{ require, program, want string }{
		{"", "initdb", filepath.Join(dir, "15", "initdb")},
		{"", "nothing", "skipped: nothing is missing"},
		{"1", "nothing", "failed: nothing is missing, and REQUIRE_TOOLS is set"},
	} {
		t.Setenv("REQUIRE_TOOLS", c.require)
		if got := need(t, c.program, versions); got != c.want {
			t.Errorf("%s with REQUIRE_TOOLS=%s: %s, want %s", c.program, c.require, got, c.want)
		}
	}
	if runtime.GOOS != "windows" { // where programs have an ending
		if got, want := need(t, "here"), filepath.Join(dir, "here"); got != want {
			t.Errorf("a program on PATH: %s, want %s", got, want)
		}
	}
	if got := need(t, "nothing"); !strings.HasPrefix(got, "failed") {
		t.Error(got)
	}
}
