package tune

import (
	"testing"

	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim/results"
)

// One word says one thing: a setting without fresh seeds was not tried on them, and one that
// kept the promise on those it had is undecided, not "not held".
func TestFreshText(t *testing.T) {
	for want, s := range map[string]Setting{
		"not tried":                   {Verdict: Undecided},
		"kept on 60 of 60":            {Verdict: Kept, Fresh: &Fresh{Seeds: 60, Kept: 60}},
		"undecided, kept on 20 of 20": {Verdict: Undecided, Fresh: &Fresh{Seeds: 20, Kept: 20}},
		"broken, kept on 1 of 20":     {Verdict: Broken, Fresh: &Fresh{Seeds: 20, Kept: 1}},
	} {
		if got := freshText(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The front of a cost that is the promise, too, has it once.
func TestFrontOfOneFigure(t *testing.T) {
	p := Promise{Metric: "burst_excess", Op: "==", Algorithm: "token-bucket"}
	for name, want := range map[string]int{"burst_excess": 5, "rejected_pct": 6} {
		d := &Document{Least: Metric{Name: name}, Tightest: p, Settings: []Setting{{Algorithm: "token-bucket", Front: true, Figures: []Figure{{Metric: p.Metric}}}}}
		if got := d.frontTable(); len(got.Columns) != want || len(got.Rows[0]) != want {
			t.Errorf("%s: %d columns %v, want %d", name, len(got.Columns), got.Rows, want)
		}
	}
}

// An answer that no axis changes has no empty block.
func TestLeadWithoutValues(t *testing.T) {
	d := &Document{Scenario: "s", Least: Metric{Name: "m"}, Answer: &Setting{}}
	if text, markdown := d.Lead(false), d.Lead(true); text != "s: the least m that keeps the promise\n\n" || markdown != "### "+text {
		t.Errorf("%q, %q", text, markdown)
	}
}

// TestPlotNamesSettings checks that the answer in a picture says which settings it has.
func TestPlotNamesSettings(t *testing.T) {
	d := &Document{Settings: []Setting{{Algorithm: "batch", At: []string{"424ms", "true", ""}}}, Axes: []results.Axis{{Name: "interval"}, {Name: "rejection"}, {Name: "burst"}}}
	if got := d.label(&d.Settings[0]); got != "interval 424ms, rejection true" {
		t.Errorf("%q", got)
	}
}

// A gate of random figures has two replications at least, more the closer the promise is,
// and none that is enough is 0.
func TestGateReplications(t *testing.T) {
	for _, c := range []struct {
		threshold float64
		perSeed   int
		exact     bool
		want      int
	}{{1000, 1, false, 2}, {1000, 5, false, 5}, {12, 1, true, 1}, {12, 1, false, 9}, {10.001, 1, false, 0}, {10, 1, false, 0}} {
		candidate := &search.Candidate{Exact: c.exact, Promises: []search.Promise{{Metric: "m", Op: "<=", Threshold: c.threshold}},
			Fresh: []search.Seed{{Figures: []float64{8.5}}, {NoData: "none"}, {Figures: []float64{10}}, {Figures: []float64{11.5}}}}
		if got := gateReplications(candidate, c.perSeed); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
