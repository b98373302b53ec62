package figure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestEndWithWork checks that courses end soon after the last work of any row and the ideal
// finish, and never before.
func TestEndWithWork(t *testing.T) {
	bins := func(last int) []int64 { // of one second, with work until one of them
		b := make([]int64, 100)
		b[last] = 1
		return b
	}
	for _, c := range []struct {
		finished, retried int
		ideal             float64 // s
		want              int     // bins
	}{
		{9, 3, 5, 11},
		{9, 39, 5, 43},
		{9, 39, 59.5, 64},
		{9, 39, 1e9, 100},
		{99, 0, 5, 100},
	} {
		all := []results.Series{
			{BinNs: 1e9, Offered: bins(0), Admitted: bins(0), Finished: bins(c.finished), Retried: bins(0)},
			{BinNs: 1e9, Offered: bins(0), Admitted: bins(0), Finished: bins(0), Retried: bins(c.retried)},
		}
		endWithWork(all, c.ideal)
		for _, one := range all {
			if one.Bins() != c.want || len(one.Finished) != c.want || len(one.Retried) != c.want {
				t.Errorf("work until bins %d and %d, ideal %g s: %d bins, want %d", c.finished, c.retried, c.ideal, one.Bins(), c.want)
			}
		}
	}
}

// TestNobodyRetries checks that there is no panel of retries without any.
func TestNobodyRetries(t *testing.T) {
	doc := document()
	if f := jobs(doc, Page); len(f.Panels) != 2 {
		t.Errorf("%d panels where callers retry, want 2", len(f.Panels))
	}
	for i := range doc.Series {
		clear(doc.Series[i].Retried)
	}
	if f := jobs(doc, Page); len(f.Panels) != 1 || f.Title != "Jobs finished" {
		t.Errorf("%d panels, %q, want 1 without retries", len(f.Panels), f.Title)
	}
}

// TestJobsOfOneCourse checks that algorithms which share a line share its sample, too, and
// that the sample has what the drawn replication has.
func TestJobsOfOneCourse(t *testing.T) {
	doc := document()
	doc.Series[1].Finished, doc.Series[1].Retried = doc.Series[0].Finished, doc.Series[0].Retried
	doc.Results[0].Metrics["herd_max"] = results.Summarize([]float64{37, 40}) // bins of half a second average them
	doc.Results[0].Metrics["retry_amplification"] = results.Summarize([]float64{2.5, 3.5})
	var names []string
	for _, e := range jobs(doc, Page).Legend {
		names = append(names, e.Label)
	}
	if diff := cmp.Diff([]string{"exact: 5 jobs", "batch, debt: 3 jobs, 2.5 calls per job, up to 37 retries within 100 ms"}, names); diff != "" {
		t.Errorf("legend (-want +got):\n%s", diff)
	}
}

// TestIdealLine checks that the ideal begins with the work, and that there is none where it is
// not known: jobs of several keys, or of several costs, can be done faster at first.
func TestIdealLine(t *testing.T) {
	one := results.Series{BinNs: 1e9, Offered: []int64{0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0}}
	for _, c := range []struct {
		keys  int64
		cost  float64
		exact string
		want  []Point
	}{
		{1, 5, "", []Point{{3, 2}, {6, 5}, {12, 5}}},
		{1, 5, "fixed-window", nil},
		{2, 5, "", nil},
		{1, 50, "", nil},
	} {
		metrics := map[string]results.Summary{}
		for name, x := range map[string]float64{"ideal_finish_s": 6, "jobs_finished": 5, "jobs_given_up": 0, "jobs_left": 0, "offered_requests": 5, "offered_cost": c.cost} {
			metrics[name] = results.Summarize([]float64{x})
		}
		doc := &results.Document{Scenarios: []results.Scenario{{Name: "s", Keys: c.keys, Policy: results.Policy{Burst: 2, Exact: c.exact}}}, Results: []results.Result{{Scenario: "s", Metrics: metrics}}}
		if diff := cmp.Diff(c.want, idealLine(doc, one)); diff != "" {
			t.Errorf("%d keys, cost %g (-want +got):\n%s", c.keys, c.cost, diff)
		}
	}
}
