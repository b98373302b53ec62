package table

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestStartNotes checks when a note tells that the start of a run differs from
// the rest, and what it advises.
func TestStartNotes(t *testing.T) {
	row := func(name string, all, first, rest results.Summary) results.Result {
		return results.Result{Algorithm: name, Metrics: map[string]results.Summary{
			"over_limit_pct": all, "over_limit_first_windows_pct": first, "over_limit_rest_pct": rest,
		}}
	}
	point, sample := resultstest.Point, resultstest.Sample
	simulated := results.Scenario{StartNs: 2e9, Policy: results.Policy{WindowNs: 1e9}}
	trace := results.Scenario{StartNs: 1700000000e9, Policy: results.Policy{WindowNs: 60e9}}
	long := results.Scenario{Policies: []results.Policy{{WindowNs: 1e9}, {WindowNs: 90e9}}}
	random, exact := row("a", point(3), point(22.7), point(0.4)), row("a", point(3), point(22.7), point(0.4))
	random.Replications, exact.Replications, exact.Exact = 1, 1, true
	one := []results.Result{row("a", point(3), point(22.7), point(0.4))}
	for _, c := range []struct {
		name     string
		scenario results.Scenario
		rows     []results.Result
		want     string
	}{
		{"simulated", simulated, one, "the start differs: a 22.7 % over the limit in its first three windows, 0.4 % after; set warmup: 3s to leave the start out"},
		{"a trace keeps its time", trace, one, "the start differs: a 22.7 % over the limit in its first three windows, 0.4 % after; over_limit_rest_pct leaves the start out, where the log's traffic may differ, too"},
		{"the longest window", long, one, "the start differs: a 22.7 % over the limit in its first three windows, 0.4 % after; set warmup: 4m30s to leave the start out"},
		{"after a warm-up of three windows", results.Scenario{StartNs: 3e9, Policy: results.Policy{WindowNs: 1e9}}, one, ""},
		{"one random run", simulated, []results.Result{random}, "the start differs: a 22.7 % over the limit in its first three windows, 0.4 % after, perhaps by chance in one random run; set warmup: 3s to leave the start out"},
		{"one exact run", simulated, []results.Result{exact}, "the start differs: a 22.7 % over the limit in its first three windows, 0.4 % after; set warmup: 3s to leave the start out"},
		{"below a tenth of a point", simulated, []results.Result{row("a", point(1), point(1.09), point(1))}, ""},
		{"no more than the interval of the run", simulated, []results.Result{row("a", sample(1, 3), sample(5, 5), sample(0.9, 0.9))}, ""},
		{"no more than the interval of the difference", simulated, []results.Result{row("a", sample(1, 1.1), sample(9, 1), sample(1, 1.1))}, ""},
		{"no window after the first three", simulated, []results.Result{row("a", point(3), point(3), resultstest.NoData("none", 1))}, ""},
		{"an old document", simulated, []results.Result{{Metrics: map[string]results.Summary{"over_limit_pct": point(3)}}}, ""},
		{"many rows", simulated, []results.Result{
			row("a", point(3), point(2), point(1)), row("b", point(3), point(1), point(4)), row("c", point(1), point(1), point(1)),
			row("d", point(3), point(9), point(1)), row("e", point(3), point(7), point(1)), row("f", point(3), point(1.5), point(1)),
		}, "the start differs: d 9 % over the limit in its first three windows, 1 % after; e 7 % and 1 %; b 1 % and 4 %; and 2 more; set warmup: 3s to leave the start out"},
	} {
		if got := strings.Join(startNotes(c.scenario, c.rows, results.Labels(c.rows)), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
