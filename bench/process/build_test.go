package process

import (
	"os"
	"path/filepath"
	"testing"
)

// A program is in the folder that Build is asked for, also if that is not there yet.
func TestBuildMakesFolder(t *testing.T) {
	source, into := t.TempDir(), filepath.Join(t.TempDir(), "new")
	for name, text := range map[string]string{"go.mod": "module example.com/idle\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Build(t.Context(), into, source); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), filepath.Join(into, "idle")); err != nil {
		t.Error(err)
	}
}
