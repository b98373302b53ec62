package logs

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/tempfile"
)

// Rows in order give one run, for any room.
func TestRowsInOrderAreOneRun(t *testing.T) {
	noFile := func() (*tempfile.File, error) { t.Fatal("a temporary file"); return nil, nil }
	s := newSorter(shape{wide: 1, codes: 1}, room{rows: 300, memory: 64 << 10, runs: 2, create: noFile})
	defer s.close()
	before := s.out.to
	for i := range int64(10_000) {
		if err := s.ready(); err != nil {
			t.Fatal(err)
		}
		s.rows.wide[0] = append(s.rows.wide[0], i/7)
		s.rows.codes[0] = append(s.rows.codes[0], 0)
	}
	r, in, err := s.finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.runs) != 1 || in != before || r.from != 0 {
		t.Errorf("%d runs, merged: %+v", len(s.runs), r)
	}
}
