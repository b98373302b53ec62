package reference

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamplesOfCI runs the commands of docs/ci.md, in their order, on the page's scenario
// file, and the value of --allow-unevaluated that its text names: every name in them is one
// that the program knows.
func TestExamplesOfCI(t *testing.T) {
	page, err := os.ReadFile("docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("docs/examples/gate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("scenarios", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("scenarios", "limits.yaml"), file, 0o644); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.Lines(string(page)) {
		command, _, _ := strings.Cut(strings.TrimSpace(line), " #")
		if !strings.HasPrefix(command, "limitgauge gate ") && !strings.HasPrefix(command, "limitgauge run ") {
			continue
		}
		if _, err := transcript(strings.TrimSpace(command)); err != nil {
			t.Error(err)
		}
		ran++
	}
	_, allowed, _ := strings.Cut(string(page), "stands for any characters, also for slashes: `")
	allowed, _, _ = strings.Cut(allowed, "`")
	if _, err := transcript("limitgauge gate scenarios/limits.yaml --baseline base.json '--allow-unevaluated=" + allowed + "'"); err != nil || allowed == "" {
		t.Errorf("--allow-unevaluated=%s: %v", allowed, err)
	}
	if ran < 8 {
		t.Errorf("%d commands, want all of the page", ran)
	}
}
