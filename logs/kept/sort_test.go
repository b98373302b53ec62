package kept

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/tempfile"
)

// Rows in order give one run, for any room.
func TestRowsInOrderAreOneRun(t *testing.T) {
	noFile := func() (*tempfile.File, error) { t.Fatal("a temporary file"); return nil, nil }
	s := NewSorter(Shape{Wide: 1, Codes: 1}, Room{Rows: 300, Memory: 64 << 10, Runs: 2, Create: noFile})
	defer s.Close()
	before := s.out.to
	for i := range int64(10_000) {
		if err := s.Ready(); err != nil {
			t.Fatal(err)
		}
		s.Rows.Wide[0] = append(s.Rows.Wide[0], i/7)
		s.Rows.Codes[0] = append(s.Rows.Codes[0], 0)
	}
	r, in, err := s.Finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.runs) != 1 || in != before || r.from != 0 {
		t.Errorf("%d runs, merged: %+v", len(s.runs), r)
	}
}
