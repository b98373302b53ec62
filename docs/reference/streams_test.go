package reference

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// requested finds the random streams that limiters and the network request from a trial.
var requested = regexp.MustCompile(`\b(?:t\.Stream\((?:fmt\.Sprintf\()?|NewLink\(t, [\w.]+, |NewHop\(t, [\w.]+, [\w.()]+, )"([^"]+)"`)

// TestStreamsAreNamed checks that the architecture page names every random
// stream that a limiter draws from, and no other.
func TestStreamsAreNamed(t *testing.T) {
	page := texts(t)["docs/architecture.md"]
	drawn := map[string]bool{}
	err := filepath.WalkDir("sim", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range requested.FindAllSubmatch(source, -1) {
			name := "`algorithm/NAME/" + strings.ReplaceAll(string(found[1]), "%d", "I") + "`"
			drawn[name] = true
			if !strings.Contains(page, name) {
				t.Errorf("%s draws from %s, which docs/architecture.md does not name", path, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile("`algorithm/NAME/[^`]+`").FindAllString(page, -1) {
		if !drawn[name] {
			t.Errorf("docs/architecture.md names %s, which nothing draws from", name)
		}
	}
}
