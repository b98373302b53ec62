package foreground

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Need returns the path of a program: on PATH, in /usr/sbin, or in further folders. These
// may be patterns; of several versions that match, it is the newest. If the program is
// missing, Need ends the test as Missing does.
func Need(t testing.TB, program string, folders ...string) string {
	t.Helper()
	if path, err := exec.LookPath(program); err == nil {
		return path
	}
	for _, folder := range append([]string{"/usr/sbin"}, folders...) {
		if found, _ := filepath.Glob(filepath.Join(folder, program)); len(found) > 0 {
			return slices.MaxFunc(found, byLength)
		}
	}
	Missing(t, program)
	return ""
}

// Missing skips a test for which something is missing on this machine, or fails it if the
// environment has REQUIRE_TOOLS, so that no check is left out unnoticed.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("REQUIRE_TOOLS") != "" {
		t.Fatalf("%s is missing, and REQUIRE_TOOLS is set", what)
	}
	t.Skipf("%s is missing", what)
}

// byLength compares paths so that version 15 comes after version 9.
func byLength(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return cmp.Compare(a, b)
}
