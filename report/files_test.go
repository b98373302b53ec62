package report

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "out.txt")
	write := func(text string) error {
		return WriteFile(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	for _, text := range []string{"first", "second"} {
		if err := write(text); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("the file holds %q, want %q", got, text)
		}
	}

	// A failed write leaves the existing file and no other.
	broken := errors.New("disk on fire")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("half", 100000))
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want the cause and the path", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "second" {
		t.Errorf("after a failed write the file holds %q", got)
	}
	fresh := filepath.Join(dir, "new", "fresh.txt")
	if err := WriteFile(fresh, func(io.Writer) error { return broken }); err == nil {
		t.Error("a failed write reports no error")
	}
	if names, _ := os.ReadDir(filepath.Join(dir, "new")); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}

	if err := WriteFile(dir, func(io.Writer) error { return nil }); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("writing to a directory: %v", err)
	}
}

func TestWriteFileKeepsLinksAndPermissions(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(target) // Windows has fewer permissions
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		foreground.Missing(t, "the permission to make symbolic links")
	}
	if err := WriteFile(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(target)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "new" || info.Mode() != before.Mode() {
		t.Errorf("the link's target holds %q with mode %v", got, info.Mode())
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
}

func TestFailedPlotLeavesNoFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(dir, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if paths, err := Plots(context.Background(), plotted(plotShapes()[0]), dir); err == nil || len(paths) != 0 {
		t.Errorf("plots into a file: %v, error %v", paths, err)
	}
}

// An error keeps the name of another file.
func TestWriteFileNamesOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	err := WriteFile(path, func(io.Writer) error {
		_, err := os.Open("no-such-input.csv")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "open no-such-input.csv") {
		t.Errorf("error %v does not name the other file", err)
	}
}
