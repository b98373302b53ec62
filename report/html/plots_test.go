package html

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report"
)

// The worst replication that a page names is the one with the largest value,
// and its command ends with it.
func TestWorstIsNamed(t *testing.T) {
	doc := small()
	s := doc.Scenarios[0]
	rows := report.Rows(doc, s.Name)
	w := newWorst(doc, s, rows, report.RowLabels(rows), newGlossary(registry))
	got := map[string][]worstCell{}
	for _, r := range w.Rows {
		got[r.Label] = r.Cells
	}
	want := map[string][]worstCell{
		"batch":  {{"31", 2}, {"940", 2}, {"0", 0}},
		"debt":   {{"5", 3}, {"80", 2}, {"8.5", 3}},
		"window": {{"0", 0}, {"65", 2}, {"0", 0}},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("worst: %v, want %v", got, want)
	}
	if want := "limitgauge run scenarios.yaml --scenario 'fleet' --seed 7 --replication 2"; w.Rerun != want || w.Of != "batch in over-limit" {
		t.Errorf("rerun %q of %q, want %q", w.Rerun, w.Of, want)
	}
	if exact := doc.Scenarios[1]; newWorst(doc, exact, report.Rows(doc, exact.Name), nil, newGlossary(registry)) != nil {
		t.Error("an exact scenario has a worst replication")
	}
}

// A label lies inside the frame, on no point and on no other label, as long as
// there is room; points that lie on each other share one.
func TestLabelsDoNotOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	frame := box{62, 16, 544, 330}
	for round := range 200 {
		var spots []spot
		for i := range 8 {
			spots = append(spots, spot{80 + 440*r.Float64(), 40 + 260*r.Float64(), fmt.Sprintf("algorithm-%d", i)})
		}
		spots = append(spots, spot{spots[0].x + 1, spots[0].y, "twin"})
		var boxes []box
		lines := 0
		for _, l := range place(spots, frame, nil) {
			lines += len(l.lines)
			width := 0.0
			for _, words := range l.lines {
				width = max(width, widthOf(words))
			}
			boxes = append(boxes, box{l.x, l.y, l.x + width, l.y + labelPitch*float64(len(l.lines))})
		}
		if lines != len(spots) || len(boxes) >= len(spots) {
			t.Fatalf("%d labels with %d lines for %d points of which two coincide", len(boxes), lines, len(spots))
		}
		for i, b := range boxes {
			if !b.within(frame) {
				t.Errorf("round %d: label outside: %v", round, b)
			}
			for _, o := range boxes[:i] {
				if b.overlaps(o) {
					t.Errorf("round %d: %v overlaps %v", round, b, o)
				}
			}
			for _, s := range spots {
				if b.overlaps(box{s.x, s.y, s.x, s.y}) {
					t.Errorf("round %d: %v covers the point %v", round, b, s)
				}
			}
		}
	}
}

func TestScale(t *testing.T) {
	x := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		name    string
		figures []*float64
		log     bool
		order   []*float64 // from left to right, all at different places
	}{
		{"linear", []*float64{x(0), x(5), x(10)}, false, []*float64{x(0), x(5), x(10)}},
		{"linear with none", []*float64{nil, x(5), x(10)}, false, []*float64{nil, x(5), x(10)}},
		{"log", []*float64{x(0.1), x(5), x(300)}, true, []*float64{x(0.1), x(5), x(300)}},
		{"log with zero and none", []*float64{x(0), nil, x(0.1), x(300)}, true, []*float64{nil, x(0), x(0.1), x(300)}},
	} {
		s := newScale(c.figures, 50, 450)
		if s.log != c.log {
			t.Errorf("%s: log = %v", c.name, s.log)
		}
		last := 49.0
		for _, f := range c.order {
			at := s.at(f)
			if at <= last || at > 450 {
				t.Errorf("%s: %v is at %v, after %v", c.name, f, at, last)
			}
			last = at
		}
		upside := newScale(c.figures, 450, 50)
		if a, b := upside.at(c.order[0]), upside.at(c.order[len(c.order)-1]); a <= b || b < 50 {
			t.Errorf("%s: upwards from %v to %v", c.name, a, b)
		}
	}
}

// A figure that is next to nothing beside the others does not make the axis
// run over hundreds of powers of ten.
func TestScaleIsBounded(t *testing.T) {
	tiny, one := 1e-300, 1.0
	s := newScale([]*float64{&tiny, &one}, 0, 400)
	if n := len(s.ticks(6)); n > 12 || s.at(&tiny) < 0 || s.at(&one) <= s.at(&tiny) {
		t.Errorf("%d ticks, from %v to %v", n, s.at(&tiny), s.at(&one))
	}
}

// A distribution's dots are its quantiles by nearest rank.
func TestLatencyDots(t *testing.T) {
	fig := latencies(small(), small().Scenarios[0])
	if fig == nil || len(fig.Plots) != 1 {
		t.Fatalf("figure %v", fig)
	}
	text := string(fig.Plots[0])
	for _, want := range []string{"report latency p50 is 2 ms", "report latency p90 is 2 ms", "report latency p99 is 4 ms", "report latency p99.9 is 9 ms"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// Without servers or a difference to draw there is no plot, and it says so.
func TestFrontier(t *testing.T) {
	doc := small()
	rows := report.Rows(doc, "fleet")
	if fig := frontier(rows, report.RowLabels(rows)); len(fig.Plots) != 2 || strings.Count(string(fig.Plots[0]), `<g class="mark">`) != len(rows) {
		t.Errorf("frontier of a fleet: %v", fig)
	}
	for _, r := range rows {
		delete(r.Metrics, "server_calls_per_s")
	}
	if fig := frontier(rows, report.RowLabels(rows)); len(fig.Plots) != 1 || !strings.Contains(string(fig.Plots[0]), "against under-admission") {
		t.Errorf("frontier without servers: %v", fig)
	}
	for _, r := range rows {
		delete(r.Metrics, "over_limit_pct")
		r.Metrics["burst_excess"] = sample(0)
	}
	if fig := frontier(rows, report.RowLabels(rows)); len(fig.Plots) != 0 || !strings.Contains(fig.Note, "Nothing to draw") {
		t.Errorf("frontier without differences: %v", fig)
	}
}
