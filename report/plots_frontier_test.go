package report

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// A frontier has a panel for each figure that some row has more than 0 of, says
// which it lacks, and is left out with both.
func TestFrontierShowsWhatThereIs(t *testing.T) {
	draw := func(over, under, calls results.Summary) *page {
		doc := &results.Document{}
		for _, name := range []string{"a", "b"} {
			doc.Results = append(doc.Results, results.Result{Scenario: "s", Algorithm: name, Metrics: map[string]results.Summary{
				"over_limit_pct": over, "under_admission_pct": under, "server_calls_per_s": calls,
			}})
		}
		return frontierPage(doc, results.Scenario{Name: "s"})
	}
	nothing := without("no window was saturated", 1)
	for _, c := range []struct {
		name               string
		over, under, calls results.Summary
		panels             int
		lacks              string
	}{
		{"both", point(1), point(2), point(3), 2, ""},
		{"never over", point(0), point(2), point(3), 1, "no over-limit"},
		{"never under", point(1), point(0), point(3), 1, "no under-admission"},
		{"no data and none", nothing, point(0), point(3), 0, ""},
		{"no calls", point(1), point(2), nothing, 0, ""},
	} {
		p := draw(c.over, c.under, c.calls)
		switch {
		case p == nil:
			if c.panels > 0 {
				t.Errorf("%s: no page, want %d panels", c.name, c.panels)
			}
		case len(p.panels) != c.panels || p.columns != c.panels:
			t.Errorf("%s: %d panels in %d columns, want %d", c.name, len(p.panels), p.columns, c.panels)
		case !strings.Contains(p.subtitle, c.lacks) || c.lacks == "" && strings.Contains(p.subtitle, "; no "):
			t.Errorf("%s: under the title it says %q, want %q", c.name, p.subtitle, c.lacks)
		}
	}
}

// Two ones stand as far apart as any two digits.
func TestOnesStandApart(t *testing.T) {
	s := style(sans(tickSize), black)
	for _, c := range [][2]string{{"11", "22"}, {"11.8", "22.8"}, {"1111", "2222"}} {
		if got, want := s.Width(c[0]), s.Width(c[1]); got != want {
			t.Errorf("%s is %v wide, %s %v", c[0], got, c[1], want)
		}
	}
	p := newPanel("a")
	if got, want := p.X.Tick.Label.Width("11"), p.X.Tick.Label.Width("22"); got != want {
		t.Errorf("on an axis 11 is %v wide, 22 %v", got, want)
	}
}
