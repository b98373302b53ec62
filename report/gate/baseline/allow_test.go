package baseline

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestPatterns checks which cells a pattern names, also with slashes and commas in
// names.
func TestPatterns(t *testing.T) {
	cell := func(scenario, algorithm string) Cell {
		return Cell{Row: Row{Scenario: scenario, Algorithm: algorithm}, Metric: catalog.Metric{Name: "p99_ms"}}
	}
	plain, slashes := cell("steady, 3x", "batch-debt"), cell("a/b", "c/d")
	for _, c := range []struct {
		pattern string
		cell    Cell
		want    bool
	}{
		{"*", plain, true},
		{"steady, 3x", plain, true},
		{"steady", plain, false},
		{"steady*", plain, true},
		{"batch-debt", plain, false},
		{"*/batch-debt", plain, true},
		{"*/batch-*/p99_ms", plain, true},
		{"*/*/p99_ms", plain, true},
		{"*/p99_ms", plain, true},
		{"p99_ms", plain, false},
		{"steady, 3x/batch-debt/p99_ms", plain, true},
		{"steady, 3x/batch-debt/p50_ms", plain, false},
		{"steady, 3x/batch-debt/p99_ms/x", plain, false},
		{"", plain, false},
		{"a/b", slashes, true},
		{"a", slashes, false},
		{"a/b/c/d", slashes, true},
		{"a/b/c", slashes, false},
		{"a/b/c/d/p99_ms", slashes, true},
		{"a*/*d/p99*", slashes, true},
		{"*/d", slashes, true},
		{"d", slashes, false},
	} {
		if got := c.cell.matches(c.pattern); got != c.want {
			t.Errorf("pattern %q of %q and %q: %t, want %t", c.pattern, c.cell.Scenario, c.cell.Algorithm, got, c.want)
		}
	}
}

// TestAllowUnevaluated allows one of two rows to be missing, and refuses a pattern
// that names nothing.
func TestAllowUnevaluated(t *testing.T) {
	base := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	other := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	other.Results[1].Algorithm = "b"
	for _, c := range []struct {
		patterns []string
		want     gate.Status
		err      string
	}{
		{nil, gate.Unevaluated, ""},
		{[]string{"s/a"}, gate.Unevaluated, ""},
		{[]string{"s/a", "*/b/over_limit_pct"}, gate.Passed, ""},
		{[]string{"s/reference"}, gate.Unevaluated, ""}, // which has a verdict
		{[]string{"*", "s/c"}, gate.Unevaluated, "names no metric that is compared"},
		{[]string{"true"}, gate.Unevaluated, "--allow-unevaluated=true names no metric"},
	} {
		got, err := Compare(base, other, Options{Registry: registry, References: true, AllowUnevaluated: c.patterns})
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: error %v, want %q", c.patterns, err, c.err)
		case c.err == "" && err != nil:
			t.Errorf("%q: %v", c.patterns, err)
		case c.err == "" && got.Verdicts().Outcome() != c.want:
			t.Errorf("%q: the gate's outcome is %s, want %s", c.patterns, got.Verdicts().Outcome(), c.want)
		}
	}
}
