package figure

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

// The overspend adds up, what is stranded is averaged, and equal courses share a line.
func TestSettlement(t *testing.T) {
	doc := document()
	for i := range doc.Series {
		doc.Series[i].Overspend = []int64{0, 30, 0, int64(10 * i)}
	}
	doc.Series[0].Stranded, doc.Series[1].Stranded, doc.Series[2].Stranded = []int64{10, 20, 30, 40}, []int64{10, 20, 30, 40}, nil
	f := settlement(doc, Page)
	if len(f.Panels) != 2 || len(f.Legend) != 3 {
		t.Fatalf("%d panels, %d names", len(f.Panels), len(f.Legend))
	}
	over, stranded := f.Panels[0], f.Panels[1]
	if want := [][]float64{{0, 30, 30, 50}, {0, 30, 30, 30}, {0, 30, 30, 40}}; !cmp.Equal(over.Readout.Values, want) {
		t.Errorf("overspend %v, want %v", over.Readout.Values, want)
	}
	lines := shapesOf[Line](over)
	if len(lines) != 3 || lines[0].Paint != ReferenceLine || lines[1].Paint != Series(0) {
		t.Fatalf("lines %+v", lines)
	}
	if want := []Point{{0, 0}, {0.5, 0}, {1, 30}, {1.5, 30}, {2, 30}}; !cmp.Equal(lines[1].Points, want) {
		t.Errorf("line %v, want %v", lines[1].Points, want)
	}
	if lines := shapesOf[Line](stranded); len(lines) != 1 || len(stranded.Readout.Values) != 2 {
		t.Errorf("equal courses have %d lines and %d values", len(lines), len(stranded.Readout.Values))
	}
	if got := f.Legend[1].Label; got != "batch: 30 overspent, 25 stranded on average" {
		t.Errorf("legend %q", got)
	}
	if !strings.Contains(over.Alt, "exact: 50 in the end") || !strings.Contains(stranded.Alt, "debt: 25 on average") {
		t.Errorf("described as %q and %q", over.Alt, stranded.Alt)
	}
}

// Bins merge to windows, while 20 bins remain.
func TestSettlementBinsAreWindows(t *testing.T) {
	for bins, want := range map[int]int64{4: 5e8, 39: 5e8, 40: 1e9, 600: 1e9} {
		doc := document()
		doc.Series = doc.Series[:1]
		s := &doc.Series[0]
		s.Offered, s.Admitted, s.Overspend = make([]int64, bins), make([]int64, bins), make([]int64, bins)
		s.Inflight, s.Calls = nil, nil
		s.Overspend[bins-1] = 7
		f := settlement(doc, Picture)
		p := f.Panels[0]
		if got := p.Readout.StepNs; got != want || slices.Max(p.Readout.Values[0]) != 7 {
			t.Errorf("%d bins: merged to %d ns with values %v, want %d ns", bins, got, p.Readout.Values, want)
		}
	}
}

// The lines of a reference, of a reference shaper and of what is ideal differ.
func TestReferencesDiffer(t *testing.T) {
	doc := document()
	doc.Results[0].Reference, doc.Results[0].Waiting = true, "a queue of 5 requests"
	for i := range doc.Series {
		doc.Series[i].Finished[3] = int64(i)
	}
	ideal := 1.0
	doc.Results[0].Metrics["ideal_finish_s"] = results.Summary{Mean: &ideal}
	for name, f := range map[string]*Figure{"jobs": jobs(doc, Page), "guard": guard(doc, Page), "settlement": settlement(doc, Page)} {
		paints := map[string]Paint{"batch": ShaperLine, "exact": ReferenceLine, "debt": Series(0), "ideal": IdealLine}
		for _, e := range f.Legend {
			if row, _, _ := strings.Cut(e.Label, ":"); e.Paint != paints[row] {
				t.Errorf("%s: %s has paint %d, want %d", name, e.Label, e.Paint, paints[row])
			}
		}
	}
}
