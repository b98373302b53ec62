package tempfile

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// TestMain runs the test binary, on request, as a process that creates a file in a
// folder, prints its name and waits.
func TestMain(m *testing.M) {
	if dir := os.Getenv("CREATE_IN"); dir != "" {
		f, err := Create(dir, 0o666)
		if err != nil {
			panic(err)
		}
		f.Write([]byte("half"))
		f.Close() // renaming comes next: the file is protected until then
		fmt.Println(f.Name())
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

// creator starts such a process and returns the file that it created.
func creator(t *testing.T, dir string) (process *os.Process, name string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "CREATE_IN="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return c.Process, line[:len(line)-1]
}

func in(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRemovesWhatKilledProcessesLeft(t *testing.T) {
	dir := t.TempDir()
	process, killed := creator(t, dir)
	_, alive := creator(t, dir)
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	process.Wait()

	now := time.Now()
	old, recent := now.Add(-24*time.Hour-time.Minute), now.Add(-12*time.Hour)
	gone := []string{filepath.Base(killed), ".limitgauge-00000000-1-0.tmp"}
	kept := []string{
		filepath.Base(alive),
		".limitgauge-00000001-1-0.tmp", // of another machine, changed within a day
		"limitgauge-00000000-1-0.tmp", ".limitgauge-00000000-1-0.tmp.csv", ".limitgauge-00000000-1.tmp",
		".limitgauge-0000000g-1-0.tmp", ".limitgauge-00000000-1-x.tmp", "results.json.123.0.tmp", "limitgauge.tmp",
		".limitgauge-00000000-2-0.tmp", // a folder
	}
	for _, name := range slices.Concat(gone, kept) {
		path := filepath.Join(dir, name)
		if name == ".limitgauge-00000000-2-0.tmp" {
			os.Mkdir(path, 0o777)
		} else if f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
			f.Close()
		}
		switch name {
		case kept[0]:
		case kept[1]:
			os.Chtimes(path, recent, recent)
		default:
			os.Chtimes(path, old, old)
		}
	}

	f, err := Create(dir, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := f.Remove(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(kept)
	if got := in(t, dir); !slices.Equal(got, kept) {
		t.Errorf("the folder holds %q, want %q", got, kept)
	}
}

// TestFailed tells errors of temporary files from those of others.
func TestFailed(t *testing.T) {
	_, missing := Create(filepath.Join(t.TempDir(), "missing"), 0o600)
	_, other := os.Open(filepath.Join(t.TempDir(), "missing"))
	for err, want := range map[error]bool{missing: true, fmt.Errorf("copy: %w", missing): true, other: false, ErrEnding: false} {
		if got := Failed(err); err == nil || got != want {
			t.Errorf("%v: %t", err, got)
		}
	}
}

func TestRenameAndRemove(t *testing.T) {
	dir := t.TempDir()
	var files [2]*File
	for i := range files {
		f, err := Create(dir, 0o640)
		if err != nil {
			t.Fatal(err)
		}
		if !IsName(filepath.Base(f.Name())) {
			t.Errorf("%s is not recognised", f.Name())
		}
		files[i] = f
		f.Close()
	}
	if err := files[0].Rename(filepath.Join(dir, "whole")); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	}
	if got := in(t, dir); !slices.Equal(got, []string{"whole"}) {
		t.Errorf("the folder holds %q", got)
	}
}

// At the end of a process, files are removed at any point of their life.
func TestRemoveAll(t *testing.T) {
	dir := t.TempDir()
	ended := make(chan error)
	for range 4 {
		go func() {
			for {
				f, err := Create(dir, 0o666)
				if err != nil {
					ended <- err
					return
				}
				f.Write([]byte("text"))
				f.Close()
				f.Rename(filepath.Join(dir, "whole"))
			}
		}()
	}
	wait.Until(t, "a file is whole", func() bool { return slices.Contains(in(t, dir), "whole") })
	RemoveAll()
	t.Cleanup(func() { live.ending, live.files = false, nil }) // for other tests
	if got := in(t, dir); !slices.Equal(got, []string{"whole"}) {
		t.Errorf("the folder holds %q", got)
	}
	for range 4 {
		if err := <-ended; !errors.Is(err, ErrEnding) {
			t.Error(err)
		}
	}
}
