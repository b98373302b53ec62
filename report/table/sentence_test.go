package table

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/sampledoc"
	"github.com/limitgauge/limitgauge/results"
)

// An under-admitted request need not be rejected: it may be admitted in a later
// window than in the reference.
func TestSentenceTellsLateFromRefused(t *testing.T) {
	row := func(name string, under, rejected float64) results.Result {
		return results.Result{Algorithm: name, Exact: true, Metrics: map[string]results.Summary{
			"over_limit_pct": sampledoc.NoData("no window was saturated", 1), "burst_excess": sampledoc.Point(0),
			"under_admission_pct": sampledoc.Point(under), "rejected_pct": sampledoc.Point(rejected),
		}}
	}
	s := results.Scenario{Policy: results.Policy{Limit: 100}}
	for _, c := range []struct {
		name string
		rows []results.Result
		want string
	}{
		{"late", []results.Result{row("far", 0.5, 0), row("near", 0.1, 3)}, "furthest below what the reference admits: far, by 0.5 %, late and not refused"},
		{"refused", []results.Result{row("far", 0.5, 3), row("near", 0.1, 0)}, "furthest below what the reference admits: far, by 0.5 %; "},
		{"one of two refuses", []results.Result{row("far", 0.5, 0), row("as far", 0.5, 3)}, "furthest below what the reference admits: far and as far, by 0.5 %; "},
		{"nothing", []results.Result{row("far", 0, 3)}, "none admits less than the reference in any window"},
	} {
		if got := Sentence(s, c.rows); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q does not say %q", c.name, got, c.want)
		}
	}
}
