package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/results"
)

// The windows of a series have the cost of their bins, and what is above the limit of
// each window, also where several share a bin of the picture or the limit changes.
func TestByWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		each, limit, start := n("bins of a window", 1, 4), n("limit", 1, 9), n("start", 0, 9)
		s := results.Series{StartNs: int64(start) * 10, BinNs: 10, LimitPerBin: float64(limit)}
		for range n("bins", 5, 90) {
			s.Offered, s.Admitted = append(s.Offered, int64(n("offered", 0, 30))), append(s.Admitted, int64(n("admitted", 0, 20)))
		}
		limits := make([]float64, len(s.Offered))
		change := n("change", 0, len(s.Offered)-1)
		s.LimitChanges = []results.LimitChange{{AtNs: s.StartNs + int64(change)*10, LimitPerBin: float64(3 * limit)}}
		for i := range limits {
			limits[i] = float64(limit)
			if i >= change {
				limits[i] *= 3
			}
		}
		var total, above, count, over int64
		for from := (each - start%each) % each; from+each <= len(s.Offered); from += each {
			admitted, allowed := int64(0), 0.0
			for i := from; i < from+each; i++ {
				admitted, allowed = admitted+s.Admitted[i], allowed+limits[i]
			}
			count++
			total += admitted
			if x := admitted - int64(math.Round(allowed)); x > 0 {
				over++
				above += x
			}
		}
		w, ok := byWindow(s, int64(each)*10, n("most", 1, 40))
		if ok != (count >= fewWindows) {
			t.Fatalf("%d windows drawn: %v", count, ok)
		}
		if !ok {
			return
		}
		gotTotal, gotAbove := int64(0), int64(0)
		for i := range w.Admitted {
			gotTotal, gotAbove = gotTotal+w.Admitted[i], gotAbove+w.excess[i]
		}
		if gotTotal != total || gotAbove != above || int64(w.over) != over || int64(w.count) != count || w.StartNs%(int64(each)*10) != 0 {
			t.Fatalf("%d of %d windows, cost %d, above %d; want %d of %d, %d, %d", w.over, w.count, gotTotal, gotAbove, over, count, total, above)
		}
	})
}

// A row that is 30 % over its limit does not look like one that is not, whatever the
// rhythm inside its windows.
func TestWindowsOverTheLimit(t *testing.T) {
	doc := document()
	for i := range doc.Series {
		s := &doc.Series[i]
		s.StartNs, s.LimitChanges, s.Offered, s.Admitted, s.Inflight, s.Calls = 0, nil, nil, nil, nil, nil
		for range 10 {
			s.Offered = append(s.Offered, 150, 150)
			if i == 0 {
				s.Admitted = append(s.Admitted, 130, 0)
			} else {
				s.Admitted = append(s.Admitted, 100, 0)
			}
		}
	}
	f := timeline(doc, Page)
	excess := map[string]float64{}
	for _, p := range f.Panels {
		steps := shapesOf[Steps](p)
		if len(steps) != 3 || steps[1].Paint != Excess || steps[2].Paint != Admitted {
			t.Fatalf("%s: areas %+v", p.Title, steps)
		}
		name, _, _ := strings.Cut(p.Title, ":")
		excess[name] = steps[1].Heights[3] - steps[2].Heights[3]
	}
	if excess["batch"] != 30 || excess["debt"] != 0 || excess["exact"] != 0 {
		t.Errorf("above the limit: %v", excess)
	}
	if got := f.Panels[1].Title; got != "batch: 10 of 10 over, up to +30 %" {
		t.Errorf("title %q", got)
	}
	if got := f.Legend[2].Label; got != "admitted above it" {
		t.Errorf("legend %q", got)
	}

	// Where a bar has several windows, what one of them is above the limit can be drawn below
	// the line, and the legend says so.
	for i := range doc.Series {
		s := &doc.Series[i]
		s.Offered, s.Admitted = slices.Repeat(s.Offered, 32), slices.Repeat([]int64{130, 0, 0, 0}, 160)
	}
	f = timeline(doc, Page)
	steps := shapesOf[Steps](f.Panels[1])
	if steps[1].Heights[0] != 65 || steps[2].Heights[0] != 50 || f.Legend[2].Label != "admitted above it, counted in each window" ||
		f.Subtitle != "first replication, means of up to 2 windows each, of 2s" {
		t.Errorf("admitted %v, %v within the limit; legend %q, subtitle %q", steps[1].Heights[0], steps[2].Heights[0], f.Legend[2].Label, f.Subtitle)
	}

	// A last bar of fewer windows is as high as they are.
	for i := range doc.Series {
		s := &doc.Series[i]
		s.Offered, s.Admitted = append(s.Offered, 250, 250), append(s.Admitted, 130, 0)
	}
	p := timeline(doc, Page).Panels[1]
	steps = shapesOf[Steps](p)
	last := len(steps[0].Heights) - 1
	if steps[0].Heights[last] != 500 || steps[1].Heights[last] != 130 || steps[2].Heights[last] != 100 || p.Readout.Values[2][last] != 30 || p.Y.Hi < 500 {
		t.Errorf("the last window: offered %v, admitted %v, %v within the limit; the scale ends at %v", steps[0].Heights[last], steps[1].Heights[last], steps[2].Heights[last], p.Y.Hi)
	}
	if !strings.Contains(p.Alt, "offered 300.6/s on average") {
		t.Errorf("not the average of windows: %s", p.Alt)
	}
}

// TestWindowsOfCompleteSeries checks that a row without a limit or without counts has no
// panel, and that the others have theirs.
func TestWindowsOfCompleteSeries(t *testing.T) {
	for name, breaks := range map[string]func(s *results.Series){
		"complete":         func(*results.Series) {},
		"no counts":        func(s *results.Series) { s.Offered, s.Admitted = nil, nil },
		"nothing offered":  func(s *results.Series) { s.Offered = nil },
		"nothing admitted": func(s *results.Series) { s.Admitted = nil },
		"fewer admitted":   func(s *results.Series) { s.Admitted = s.Admitted[2:] },
		"no limit":         func(s *results.Series) { s.LimitPerBin = 0 },
	} {
		doc := document()
		for i := range doc.Series {
			s := &doc.Series[i]
			s.StartNs, s.LimitChanges, s.Offered, s.Admitted = 0, nil, nil, nil
			for range 10 {
				s.Offered, s.Admitted = append(s.Offered, 60, 60), append(s.Admitted, 50, 60)
			}
		}
		breaks(&doc.Series[1])
		want := len(doc.Series)
		if name != "complete" {
			want--
		}
		if f := windowTimeline(doc, Page); f == nil || len(f.Panels) != want {
			t.Errorf("%s: %+v, want %d panels", name, f, want)
		}
	}
}

// TestRatesInThePolicysUnit checks that a limit of 30 a minute is drawn as that, and not as
// 0.5 a second.
func TestRatesInThePolicysUnit(t *testing.T) {
	doc := document()
	doc.Scenarios[0].Keys, doc.Scenarios[0].Policies = 1, nil
	doc.Scenarios[0].Policy.WindowNs = 60e9
	f := rateTimeline(doc, Page)
	p := f.Panels[0]
	perMinute := p.Y.Hi
	if !strings.HasSuffix(p.Y.Label, "/min") || !strings.Contains(f.Note, "per minute") || !strings.Contains(p.Readout.Format, "%s/min") || !strings.Contains(p.Title, "/min") {
		t.Errorf("label %q, note %q, title %q, readout %q", p.Y.Label, f.Note, p.Title, p.Readout.Format)
	}
	doc.Scenarios[0].Policy.WindowNs = 1e9
	if p := rateTimeline(doc, Page).Panels[0]; p.Y.Label != "requests/s" || math.Abs(perMinute-60*p.Y.Hi) > 1e-6*perMinute {
		t.Errorf("%q to %v, per minute to %v", p.Y.Label, p.Y.Hi, perMinute)
	}
}
