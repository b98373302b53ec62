package sql_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// free are the options of a server whose processors have no work but the overhead.
const free = "statement: 0s, response: 0s, recheck: 0s, abort: 0s, wakeup: 0s, head_start: 0"

// firstTries returns the share of first tries that commit, with n callers that
// never pause and a processor for each, an overhead of d and a service of s, both
// exponential. While one transaction holds the lock, the others arrive one after
// another until it commits.
func firstTries(n int, d, s float64) float64 {
	failed, all := 0.0, 1.0
	for i := 1; i < n; i++ {
		come := float64(n-i) / d
		all *= come / (come + 1/s)
		failed += all
	}
	return 1 / (1 + failed)
}

// TestFirstTriesThatCommit compares the share of first tries that commit with the
// closed form.
func TestFirstTriesThatCommit(t *testing.T) {
	for _, c := range []struct {
		callers           int
		overhead, service int // us
	}{{1, 33, 150}, {2, 33, 150}, {5, 200, 100}, {6, 50, 50}, {16, 100, 100}} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 2s
replications: 5
algorithms:
  once: {preset: sql-serializable, retries: 0, processors: %d, overhead: {exponential: {mean: %dus}}, service_time: {exponential: {mean: %dus}}, %s}
scenarios:
  - name: hot
    policy: {limit: 1M/s, burst: 1M}
    topology: {clients: %d}
    traffic: [{pattern: constant, rate: 90k/s}]
    algorithms: [once]
`, c.callers, c.overhead, c.service, free, c.callers))
		simtest.About(t, d, "hot", "once", "first_try_pct", 100*firstTries(c.callers, float64(c.overhead), float64(c.service)), 0.02)
	}
}

// TestCycleOfOneCaller checks that a single caller without pauses commits once in
// the sum of all times, in which two processors wake up: at its call and after the
// flush.
func TestCycleOfOneCaller(t *testing.T) {
	for _, isolation := range []string{"serializable", "read-committed"} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 2s
algorithms:
  tested: {preset: sql-%s, overhead: 30us, statement: 50us, service_time: 100us, response: 28us, wakeup: 21us, recheck: 1s, abort: 1s}
scenarios:
  - name: alone
    policy: {limit: 1M/s, burst: 1M}
    topology: {clients: 1}
    traffic: [{pattern: constant, rate: 10k/s}]
    algorithms: [tested]
`, isolation))
		simtest.Exactly(t, d, "alone", "tested", "server_calls_per_s", 4000) // once in 250 us
	}
}

// TestWinnersHeadStart checks that of two callers that retry until they succeed, the
// one that has committed takes the row before the other, which has to abort first.
// So one of them commits at its first try again and again, and the other never.
func TestWinnersHeadStart(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 1s
algorithms:
  tested: {preset: sql-serializable, retries: 1000000, overhead: 30us, statement: 50us, service_time: 100us, response: 30us, abort: 90us}
scenarios:
  - name: two
    policy: {limit: 1M/s, burst: 1M}
    topology: {clients: 2}
    traffic: [{pattern: constant, rate: 20k/s}]
    algorithms: [tested]
`)
	simtest.Between(t, d, "two", "tested", "first_try_pct", 99.9, 100)
	simtest.Between(t, d, "two", "tested", "conflicts_per_call", 0.9, 1)
}

// TestLockWaitsAreCredited checks that under read committed each of n callers that
// always wait is credited the time of n transactions. Without credit a transaction
// begins with the lock.
func TestLockWaitsAreCredited(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 4s
algorithms:
  credited: {preset: sql-read-committed, overhead: 0s, service_time: 1ms, `+free+`}
  not:      {preset: sql-read-committed, overhead: 0s, service_time: 1ms, lock_wait_credited: false, `+free+`}
scenarios:
  # 16 callers and 1 ms each: 16 ms are credited to each call, not 1 ms.
  - name: 1.6 tokens a call
    policy: {limit: 100/s, burst: 50}
    topology: {clients: 16}
    traffic: [{pattern: constant, rate: 2000/s}]
    algorithms: [credited, not]
  - name: 0.48 tokens a call
    policy: {limit: 30/s, burst: 50}
    topology: {clients: 16}
    traffic: [{pattern: constant, rate: 2000/s}]
    algorithms: [credited, not]
`)
	// A call is decided when it has the lock and answered 1 ms later.
	admitted := simtest.Mean(t, d, "1.6 tokens a call", "credited", "admitted_requests")
	if admitted < 3960 || admitted > 4000 {
		t.Errorf("1.6 tokens a call: %v admitted of 4000 that could be decided, want all but the first few", admitted)
	}
	simtest.Exactly(t, d, "1.6 tokens a call", "not", "admitted_requests", 50)
	simtest.Exactly(t, d, "0.48 tokens a call", "credited", "admitted_requests", 50)
	simtest.Exactly(t, d, "0.48 tokens a call", "not", "admitted_requests", 50)
}

// TestSQLStoreAway checks that a request waits for a store that is down no longer
// than the timeout.
func TestSQLStoreAway(t *testing.T) {
	text := `
version: 1
duration: 3s
algorithms:
  tested: {preset: sql-serializable, overhead: 0s, service_time: 0s, timeout: 200ms, on_failure: %s, ` + free + `}
scenarios:
  - name: away
    policy: {limit: 1000/s}
    topology: {network: 2ms}
    faults: [{store-down: {from: 1s, to: 2s}}]
    traffic: [{pattern: list, events: [{at: 500ms}, {at: 1500ms}, {at: 2500ms}]}]
    algorithms: [tested]
`
	for _, c := range []struct{ mode, verdict, cause string }{{"fail-open", "admitted", "fail-open"}, {"fail-closed", "rejected", "fail-closed"}} {
		got := simtest.Outcomes(t, fmt.Sprintf(text, c.mode), "tested")
		away := simtest.Admitted(1700e6, c.cause)
		if c.verdict == "rejected" {
			away = simtest.Rejected(1700e6, c.cause)
		}
		want := []simtest.Outcome{simtest.Admitted(502e6, "limiter"), away, simtest.Admitted(2502e6, "limiter")}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: attempt %d: %+v, want %+v", c.mode, i, got[i], want[i])
			}
		}
	}
}
