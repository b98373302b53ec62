package table

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestCautions checks the notes on traffic that no limiter refuses, and that requests which
// are only late are called neither over-admission nor its absence.
func TestCautions(t *testing.T) {
	row := func(name string, rejected, over float64) results.Result {
		r := results.Result{Algorithm: name, Reference: name == "reference", Metrics: map[string]results.Summary{
			"rejected_requests": resultstest.Point(rejected), "over_admission_pct": resultstest.Point(over), "rejected_pct": resultstest.Point(rejected),
		}}
		if name == "far" {
			r.Counts, r.Metrics["burst_excess"] = "fixed-window", resultstest.Point(over*10)
		}
		return r
	}
	idle := results.Result{Reference: true, Metrics: map[string]results.Summary{"offered_requests": resultstest.Point(0), "rejected_requests": resultstest.Point(0)}}
	columns := []string{"over_admission_pct", "burst_excess"}
	for _, c := range []struct {
		rows           []results.Result
		sentence, note string
	}{
		{[]results.Result{row("reference", 0, 0), row("far", 0, 0.7)}, "Largest burst beyond the policy's: far, 7 requests.",
			"fixed-window counts in far: it does not know the policy's burst, so burst excess may be the counter's alone\n" +
				"no limiter had to refuse: the reference admits every request, so rows can differ only in what they refuse wrongly\n" +
				"over- and under-admission of far: requests that are admitted later than in the reference and so in another window; none is refused"},
		{[]results.Result{row("reference", 0, 0), row("near", 0, 0)}, "None admits more than the reference in any window.",
			"no limiter had to refuse: the reference admits every request, so rows can differ only in what they refuse wrongly"},
		{[]results.Result{row("reference", 5, 0), row("far", 0, 0)}, "No burst goes beyond the policy's; none admits more than the reference in any window.", ""},
		{[]results.Result{idle, idle}, "", "no request arrived in the measured span"},
		{[]results.Result{row("reference", 5, 0), row("near", 0, 0.7)}, "Furthest above what the reference admits: near, by 0.7 %.", ""},
	} {
		labels := results.Labels(c.rows)
		if got := Sentence(c.rows, columns, "requests"); got != c.sentence {
			t.Errorf("%v: sentence %q, want %q", labels, got, c.sentence)
		}
		if got := strings.Join(cautionNotes(c.rows, labels, columns), "\n"); got != c.note {
			t.Errorf("%v: notes\n%s\nwant\n%s", labels, got, c.note)
		}
	}
}
