package sim_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// answers runs a scenario and returns the mean of a metric of its rows.
func answers(t *testing.T, text string) func(row, metric string) float64 {
	t.Helper()
	d, err := sim.Run(context.Background(), simtest.Load(t, text), sim.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return func(row, metric string) float64 {
		t.Helper()
		for _, r := range d.Results {
			if r.Algorithm == row {
				if m := r.Metrics[metric]; m.Mean != nil {
					return *m.Mean
				}
				t.Fatalf("%s of %s: %+v", metric, row, r.Metrics[metric])
			}
		}
		t.Fatalf("no row %s", row)
		return 0
	}
}

// Every request of the span is good, late, failed or refused, in each kind of executor.
func TestAnswersAddUp(t *testing.T) {
	for _, retries := range []string{"", "\n    retries: {attempts: 2, backoff: {constant: {time: 20ms}}}"} {
		figure := answers(t, fmt.Sprintf(`
version: 1
duration: 10s
warmup: 1s
replications: 1
scenarios:
  - name: s
    policy: {limit: 300/s, burst: 30, shared: true}
    topology: {clients: 2, network: 1ms}
    traffic: [{pattern: poisson, rate: 500/s}]
    guard: {concurrency: 2, service_time: {exponential: {mean: 8ms}}, deadline: 250ms, queue: 40, slow: [{from: 4s, to: 6s, factor: 3}]}%s
    algorithms: [token-bucket, remote, leaky-bucket, rover-capped]
`, retries))
		for _, row := range []string{"reference", "token-bucket", "remote", "leaky-bucket", "rover-capped"} {
			good, late, failed := figure(row, "good_answers"), figure(row, "late_answers"), figure(row, "failed_answers")
			refused, offered := figure(row, "rejected_requests"), figure(row, "offered_requests")
			if good+late+failed+refused != offered || row == "token-bucket" && min(good, late, failed, refused) <= 0 {
				t.Errorf("%s: %v good, %v late, %v failed, %v refused of %v", row, good, late, failed, refused, offered)
			}
			if got := figure(row, "goodput_per_s"); got < good/9*(1-1e-12) || got > good/9*(1+1e-12) {
				t.Errorf("%s: goodput %v, want %v", row, got, good/9)
			}
		}
	}
}

// Answers are waited for until the deadline after the end. What has none by then is late.
func TestAnswersAfterTheEnd(t *testing.T) {
	const text = `
version: 1
duration: 1s
replications: 1
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: constant, rate: 100/s}]
    guard: {concurrency: 1000, service_time: 45ms, deadline: %s}
    algorithms: [token-bucket, leaky-bucket, rover-capped]
`
	for _, row := range []string{"reference", "token-bucket", "leaky-bucket", "rover-capped"} {
		if got, all := answers(t, fmt.Sprintf(text, "45ms"))(row, "good_answers"), answers(t, fmt.Sprintf(text, "45ms"))(row, "offered_requests"); got != all {
			t.Errorf("%s: %v of %v are good", row, got, all)
		}
		if got := answers(t, fmt.Sprintf(text, "44ms"))(row, "good_answers"); got != 0 {
			t.Errorf("%s: %v are good below the service time", row, got)
		}
	}
}

// A verdict says whether the backend keeps up, and whether callers get good answers.
func TestVerdict(t *testing.T) {
	d, err := sim.Run(context.Background(), simtest.Load(t, `
version: 1
duration: 20s
replications: 2
algorithms:
  stable: {preset: fixed-concurrency, limit: 8}
scenarios:
  - name: below
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: poisson, rate: 100/s}]
    guard: {concurrency: 4, service_time: 20ms, deadline: 100ms}
    algorithms: [token-bucket, stable]
  - name: above
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: poisson, rate: 300/s}]
    guard: {concurrency: 4, service_time: 20ms, deadline: 100ms}
    algorithms: [token-bucket, stable]
`), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"stable", "stable", "stable", "stable", "backlogged", "overloaded", "backlogged", "overloaded"} // reference, best-fixed, token-bucket, fixed
	for i, r := range d.Results {
		if r.Verdict != want[i] {
			t.Errorf("%s of %s is %q, want %q", r.Algorithm, r.Scenario, r.Verdict, want[i])
		}
	}
}
