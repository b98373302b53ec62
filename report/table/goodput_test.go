package table

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// answersOf returns a row in front of a backend with a deadline, of means and the half widths
// of what it loses.
func answersOf(name, verdict string, lost, late, refused, width float64, more map[string]float64) results.Result {
	summary := func(x, w float64) results.Summary {
		lo, hi := x-w, x+w
		return results.Summary{Mean: &x, Lo: &lo, Hi: &hi}
	}
	r := results.Result{Algorithm: name, Verdict: verdict, Reference: name == results.BestFixed, Metrics: map[string]results.Summary{
		"goodput_lost_pct": summary(lost, width), "late_excess_pct": summary(late, 0), "refused_excess_pct": summary(refused, 0),
	}}
	for metric, x := range more {
		r.Metrics[metric] = summary(x, 0)
	}
	return r
}

// The sentences under a table say which fixed limit is best and what rows lose against it,
// the worst first.
func TestGoodputNotes(t *testing.T) {
	best := &results.BestFixedLimit{Limit: 12, Within1Pct: [2]int64{10, 15}, Grid: [][2]int64{{10, 99}, {12, 100}, {15, 99}}, Theory: 13}
	rows := []results.Result{
		answersOf(results.BestFixed, "stable", 0, 0, 0, 0, map[string]float64{"goodput_per_s": 200}),
		answersOf("near", "stable", 0.5, 0.25, 0.25, 0.6, nil),
		answersOf("far", "stable", 20, 20, 0, 30, nil),
		answersOf("equal", "stable", 0, 0, 0, 0, nil),
		answersOf("better", "stable", -2, 0, -2, 0.5, nil),
		answersOf("low", "overloaded", 30, 31, -1, 1, map[string]float64{"limit_mean": 20.2, "limit_min": 20, "limit_max": 40}),
		answersOf("fixed", "overloaded", 50, 20, 30, 1, map[string]float64{"limit_mean": 5, "limit_min": 5, "limit_max": 5}),
		answersOf("probes", "overloaded", 50, 20, 30, 1, map[string]float64{"probe_pct": 75, "limit_mean": 20.2, "limit_min": 20, "limit_max": 20.5}),
	}
	want := []string{
		"best fixed limit 12 for each client (limits 10 to 15 are within 1 %); theory, with exponential services and Poisson traffic: 13",
		"probes is in a probe most of the time: too few answers come to end one (option requests)",
		"fixed and probes: overloaded; 50 of 100 requests lose their good answer against a fixed limit of 12: 20 by late answers and errors, 30 by refusals",
		"low: overloaded; 30 of 100 requests lose their good answer against a fixed limit of 12: 31 by late answers and errors, -1 by refusals; its limit was nearly always its least one, 20",
		"far: stable; 20 of 100 requests lose their good answer against a fixed limit of 12: 20 by late answers and errors, 0 by refusals; it may be chance: the replications differ too much to tell",
		"near: stable; as many good answers as a fixed limit of 12, within chance",
		"equal: stable; as many good answers as a fixed limit of 12",
		"better: stable; 2 of 100 requests gain a good answer against a fixed limit of 12: 0 by late answers and errors, 2 by refusals",
	}
	if got := goodputNotes(results.Scenario{Clients: 2, BestFixed: best}, rows); !slices.Equal(got, want) {
		t.Errorf("notes are\n%q\nwant\n%q", got, want)
	}
	none := results.Scenario{Clients: 1, BestFixed: &results.BestFixedLimit{Limit: 1, Within1Pct: [2]int64{1, 2}, Grid: [][2]int64{{1, 0}, {2, 0}}}}
	if got := goodputNotes(none, nil); !slices.Equal(got, []string{"no fixed limit tried gives a good answer; best-fixed is that of 1"}) {
		t.Errorf("without good answers: %q", got)
	}
	retried := answersOf("again", "backlogged", 0, 0, 0, 0, map[string]float64{"goodput_per_s": 70})
	delete(retried.Metrics, "goodput_lost_pct")
	if got := goodputNotes(results.Scenario{Clients: 1, BestFixed: best}, []results.Result{rows[0], retried}); !slices.Equal(got[1:], []string{"again: backlogged; 70 good answers a second, 200 with a fixed limit of 12"}) {
		t.Errorf("with retries: %q", got)
	}
}
