package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

const manyReplications = `
version: 1
duration: 1s
replications: 6
scenarios:
  - name: drawn
    policy: {limit: 100/s}
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [fixed-window, batch-reported]
  - name: exact
    policy: {limit: 100/s}
    traffic: [{pattern: constant, rate: 150/s}]
    algorithms: [token-bucket]
`

// TestPartialRunsHoldWholeReplications checks that a run that ends after any number
// of its jobs keeps the finished replications up to the first gap, each with the
// values of the whole run.
func TestPartialRunsHoldWholeReplications(t *testing.T) {
	f := load(t, manyReplications)
	plans, problems, err := prepare(context.Background(), f, &logReader{dir: f.Dir})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	whole := simulate(t, manyReplications)
	for _, workers := range []int{1, 8} { // rows together, and apart
		jobs := planJobs(plans, Options{Workers: workers})
		for _, skipped := range []int{-1, 1} {
			for done := range len(jobs) + 1 {
				jobs := planJobs(plans, Options{Workers: workers})
				for i, j := range jobs[:done] {
					if i == skipped {
						continue
					}
					if err := j.run(context.Background(), Options{Progress: &Progress{}}); err != nil {
						t.Fatal(err)
					}
				}
				d := assemble(plans, jobs, results.Stamp{})
				if problem := prefix(d, whole); problem != "" {
					t.Fatalf("%d of %d jobs without job %d: %s", done, len(jobs), skipped, problem)
				}
				if got := encode(t, d); done == len(jobs) && skipped < 0 && !bytes.Equal(got, encode(t, whole)) {
					t.Fatalf("%d jobs: not the whole document", done)
				}
			}
		}
	}
}

// prefix returns the problem of a partial document, or "" if it is correct.
func prefix(d, whole *results.Document) string {
	rows := map[string]results.Result{}
	for _, r := range whole.Results {
		rows[r.Scenario+"/"+r.Algorithm] = r
	}
	if len(d.Series) != len(d.Results) || len(d.Shares) != len(d.Results) || len(d.Rejections) != len(d.Results) {
		return "a row without its series, shares or rejections"
	}
	for _, r := range d.Results {
		full := rows[r.Scenario+"/"+r.Algorithm]
		if r.Replications < 1 || r.Replications > full.Replications || len(r.Metrics) != len(full.Metrics) {
			return fmt.Sprintf("row %s has %d replications and %d figures", r.Algorithm, r.Replications, len(r.Metrics))
		}
		for name, s := range r.Metrics {
			if len(s.Values) != r.Replications {
				return fmt.Sprintf("row %s: %d values of %s in %d replications", r.Algorithm, len(s.Values), name, r.Replications)
			}
			for i, x := range s.Values {
				if y := full.Metrics[name].Values[i]; (x == nil) != (y == nil) || x != nil && *x != *y {
					return fmt.Sprintf("row %s: replication %d of %s is not that of the whole run", r.Algorithm, i, name)
				}
			}
		}
	}
	return ""
}

// TestCancelledRunIsPartial checks that a run that is cancelled during its third
// job keeps the two jobs before it, is marked partial, and returns the context's
// error.
func TestCancelledRunIsPartial(t *testing.T) {
	f := load(t, manyReplications)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d, err := Run(ctx, f, Options{Workers: 2, Details: Details{Decisions: func(x *Decision) error {
		if x.Algorithm == "batch-reported" {
			cancel()
		}
		return nil
	}}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	if !d.Partial {
		t.Error("the document is not marked partial")
	}
	if len(d.Results) != 2 || d.Results[0].Algorithm != "reference" || d.Results[1].Algorithm != "fixed-window" {
		t.Errorf("%d rows, want those of the reference and of fixed-window", len(d.Results))
	}
	if problem := prefix(d, simulate(t, manyReplications)); problem != "" {
		t.Error(problem)
	}
	encode(t, d)
	if whole := simulate(t, manyReplications); whole.Partial {
		t.Error("a whole document is marked partial")
	}
}

// TestDecisionLogErrorEndsTheRun checks that an error of the decision log ends the
// run without a document.
func TestDecisionLogErrorEndsTheRun(t *testing.T) {
	broken := errors.New("disk full")
	d, err := Run(context.Background(), load(t, manyReplications), Options{Details: Details{Decisions: func(*Decision) error { return broken }}})
	if d != nil || !errors.Is(err, broken) {
		t.Errorf("document %v, error %v; want none and %v", d != nil, err, broken)
	}
}

// TestInterruptedRetries interrupts runs whose callers retry for ever at nearly one
// instant: each executor must see it before the next request arrives.
func TestInterruptedRetries(t *testing.T) {
	const callers = `
version: 1
duration: 2s
replications: 1
algorithms: {impatient: {preset: %s, callers: {retry: {attempts: unlimited, backoff: {constant: 1ns}}}}}
scenarios:
  - name: retried
    policy: {limit: 10/s}
    traffic: [%s]
    algorithms: [impatient]
`
	const requests, workers = "{pattern: constant, rate: 100/s}", "{pattern: workers, count: 20, jobs: 1000}"
	for _, c := range []struct{ traffic, row string }{{requests, "token-bucket"}, {requests, "leaky-bucket"}, {workers, "token-bucket"}} {
		ctx, cancel := context.WithCancel(t.Context())
		d, err := Run(ctx, load(t, fmt.Sprintf(callers, c.row, c.traffic)), Options{Details: Details{Decisions: func(x *Decision) error {
			if x.Algorithm == "impatient" {
				cancel()
			}
			return nil
		}}})
		if !errors.Is(err, context.Canceled) || !d.Partial {
			t.Errorf("%s, %s: error %v; want a partial document and %v", c.traffic, c.row, err, context.Canceled)
		}
		cancel()
	}
}
