package libraries

import (
	"flag"
	"os"
	"strings"
	"testing"
)

const page = "../../docs/libraries.md"

var (
	update = flag.Bool("update", false, "write docs/libraries.md")
	full   = flag.Bool("full", false, "check the stress scenarios too")
)

// pace is how long a part of the page takes.
type pace int

const (
	seconds pace = iota // always checked
	aMinute             // checked with -full
	minutes             // only written: it takes long, or is not exact
)

// TestPage checks that docs/libraries.md has the figures of this code, or with -update
// writes them. Each part of the page is a subtest and stands between a line that names
// it and an end.
func TestPage(t *testing.T) {
	for _, part := range []struct {
		name string
		pace pace
		make func(*testing.T) string
	}{
		{"contents", seconds, contents},
		{"refused", seconds, refused},
		{"sequences", seconds, sequences},
		{"stress scenarios", aMinute, stressed},
		{"default suite", minutes, suited},
		{"time per call", minutes, speed},
	} {
		t.Run(part.name, func(t *testing.T) {
			if !*update && (part.pace == minutes || part.pace == aMinute && !*full) {
				t.Skip("takes long")
			}
			comparePart(t, part.name, part.make(t))
		})
	}
}

// comparePart compares a part of the page with its text now, or writes it.
func comparePart(t *testing.T, name, now string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- libraries: "+name+" -->\n", "\n<!-- end -->"
	before, rest, found := strings.Cut(string(text), begin)
	was, after, ended := strings.Cut(rest, end)
	switch {
	case !found || !ended:
		t.Fatalf("%s has no part %q", page, name)
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+now+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case now != was:
		t.Errorf("%s, part %q: in bench, run go test ./libraries -run TestPage -update -timeout 30m and read the difference; the part is now\n%s", page, name, now)
	}
}
