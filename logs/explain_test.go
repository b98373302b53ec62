package logs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestExplainDecidesLikeRead compares the decisions of Explain with those of Read for each
// case: the same choice of format, time, key and cost, or the same error.
func TestExplainDecidesLikeRead(t *testing.T) {
	for _, c := range sampleCases {
		path := filepath.Join("testdata", "cases", c.file)
		list, err := Explain(t.Context(), Options{Files: []string{path}, Asked: c.o})
		if err != nil || len(list) != 1 || list[0].Err != nil {
			t.Errorf("%s: %v, %+v", c.file, err, list)
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := readText(string(raw), Options{Asked: c.o})
		if err != nil {
			t.Fatal(err)
		}
		e, read := list[0], r.Facts.Choices[0]
		if got := e.Choice; got.Format != read.Format || got.Time != read.Time || got.Notation != read.Notation || got.Key != read.Key || got.Cost != read.Cost || candidates(got) != candidates(read) {
			t.Errorf("%s: explained %+v, read %+v", c.file, got, read)
		}
		if len(e.Scores) == 0 || e.Sampled == 0 || e.File != path {
			t.Errorf("%s: %+v", c.file, e)
		}
	}
}
