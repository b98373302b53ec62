package inputs

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/report"
)

// TestEveryNameOfAFile checks each pair of names, one of them of an input: an output is
// refused exactly if writing it would replace the input.
func TestEveryNameOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, err := range []error{os.Mkdir("folder", 0o700), os.Symlink("a", "link"), os.Symlink("new", "dangling"), os.Symlink("folder", "way")} {
		if err != nil {
			foreground.Missing(t, "the permission to make symbolic links")
		}
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a", "b", "new", "link", "dangling", "folder/a", "way/a", "way/new", "./a", "folder/../b", filepath.Join(here, "b"), "a/", "link/", "b/", "new/"}
	const text = "as it was"
	for _, in := range names {
		for _, out := range names {
			for _, name := range []string{"a", "b", "folder/a"} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			os.Remove("new")
			os.Remove("folder/new")
			s := &FileSet{}
			s.Reads("the file", filepath.Clean(in))
			s.Writes("-o", out)
			refused := s.Check() != nil
			before, _ := os.ReadFile(filepath.Clean(in))
			report.WriteFile(out, func(w io.Writer) error { _, err := w.Write([]byte("new")); return err })
			after, _ := os.ReadFile(filepath.Clean(in))
			if replaced := string(before) != string(after); refused != replaced {
				t.Errorf("input %s, output %s: refused %t, replaced %t", in, out, refused, replaced)
			}
		}
	}
}
