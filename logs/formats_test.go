package logs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// formatCase is a file of formats/testdata. Its members are
//
//	sample     documented lines, read with no options
//	want       their rows in the order of the recording: time key [cost]
//	malformed  lines that the format refuses; each is followed by a line
//	           "  why: " with the beginning of the reason
//	alike      a look-alike; the member's name goes on with the format that it
//	           is taken as ("alike csv"), or with "refused" and the reason
//	           ("alike refused: looks like")
//
// There may be several samples ("sample 2") with their wants ("want 2").
type formatCase struct {
	name  string
	parts []txtar.File
}

func formatCases(t testing.TB) (cases []formatCase) {
	t.Helper()
	names, err := filepath.Glob("formats/testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases: ", err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, formatCase{strings.TrimSuffix(filepath.Base(name), ".txtar"), a.Files})
	}
	return cases
}

func (c formatCase) part(name string) string {
	for _, p := range c.parts {
		if p.Name == name {
			return string(p.Data)
		}
	}
	return ""
}

// samples returns the samples with their wants.
func (c formatCase) samples() (list [][2]string) {
	for _, p := range c.parts {
		if strings.HasPrefix(p.Name, "sample") {
			list = append(list, [2]string{string(p.Data), c.part("want" + strings.TrimPrefix(p.Name, "sample"))})
		}
	}
	return list
}

// readText reads a text as replay LOG does.
func readText(text string, o Options) (*recorded, error) {
	o.Files, o.Stdin = []string{"-"}, strings.NewReader(text)
	r, err := Read(context.Background(), o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.all()
}

// stamped renders rows as "time key [cost]".
func stamped(r *recorded) string {
	var b strings.Builder
	for i, at := range r.Time {
		fmt.Fprintf(&b, "%s %s", time.Unix(0, at).UTC().Format(time.RFC3339Nano), r.KeyNames[r.Key[i]])
		if r.Cost != nil {
			fmt.Fprintf(&b, " %d", r.Cost[i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Every format reads its documented sample with no options, refuses malformed
// lines with the reason, and is not mistaken for its look-alikes.
func TestFormats(t *testing.T) {
	for _, c := range formatCases(t) {
		t.Run(c.name, func(t *testing.T) {
			samples := c.samples()
			if len(samples) == 0 {
				t.Fatal("no sample")
			}
			for _, s := range samples {
				r, err := readText(s[0], Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got := stamped(r); got != s[1] || r.Facts.Format != c.name || r.Facts.Malformed != 0 {
					t.Errorf("as %s, %v malformed:\n%swant as %s:\n%s", r.Facts.Format, r.Facts.Problems, got, c.name, s[1])
				}
			}
			c.malformed(t, samples[0][0])
			c.alike(t)
		})
	}
}

// malformed reads each malformed line after the sample, in one file.
func (c formatCase) malformed(t *testing.T, sample string) {
	text := strings.TrimSuffix(sample, "\n") + "\n"
	good := strings.Count(text, "\n")
	lines := strings.Split(strings.TrimSuffix(c.part("malformed"), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		why, ok := strings.CutPrefix(lines[i+1], "  why: ")
		if !ok {
			t.Fatalf("malformed line without its reason: %q", lines[i])
		}
		r, err := readText(text+lines[i]+"\n", Options{Format: c.name})
		if err != nil {
			t.Errorf("%q: %v", lines[i], err)
			continue
		}
		p := r.Facts.Problems
		if len(p) != 1 || p[0].Line != int64(good+1) || !strings.HasPrefix(p[0].Message, why) {
			t.Errorf("%q: problems %v, want one: %s", lines[i], p, why)
		}
	}
	if len(lines) < 2 {
		t.Error("no malformed line")
	}
}

func (c formatCase) alike(t *testing.T) {
	found := false
	for _, p := range c.parts {
		as, ok := strings.CutPrefix(p.Name, "alike ")
		if !ok {
			continue
		}
		found = true
		r, err := readText(string(p.Data), Options{})
		if why, refused := strings.CutPrefix(as, "refused: "); refused {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("look-alike read, error %v, want refused: %s", err, why)
			}
			continue
		}
		if err != nil {
			t.Errorf("look-alike: %v", err)
		} else if r.Facts.Format != as {
			t.Errorf("look-alike read as %s, want %s", r.Facts.Format, as)
		}
	}
	if !found {
		t.Error("no look-alike")
	}
}

// Every format that is recognised has its case and its texts.
func TestEveryFormatHasACase(t *testing.T) {
	for _, f := range formats.All {
		if _, err := os.Stat(filepath.Join("formats/testdata", f.Name+".txtar")); err != nil && f.Name != "regex" {
			t.Errorf("%s: no case", f.Name)
		}
		if slices.Contains([]string{f.By, f.Shows, f.Time, f.Key}, "") {
			t.Errorf("%s lacks a text: %+v", f.Name, f)
		}
	}
}
