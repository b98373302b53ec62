package sql_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/internal/simtest"
)

// firstTries returns the share of first tries that commit, with n callers that
// never pause, an overhead of d on c processors and a service of s, both
// exponential. While one transaction holds the lock, the others arrive one after
// another until it commits.
func firstTries(n, c int, d, s float64) float64 {
	failed, all := 0.0, 1.0
	for i := 1; i < n; i++ {
		come := float64(min(c, n-i)) / d
		all *= come / (come + 1/s)
		failed += all
	}
	return 1 / (1 + failed)
}

// TestFirstTriesThatCommit compares the share of first tries that commit with the
// closed form and with published measurements.
func TestFirstTriesThatCommit(t *testing.T) {
	for _, c := range []struct {
		callers, processors int
		overhead, service   int // us
		published           float64
	}{
		{1, 2, 33, 150, 100}, {2, 2, 33, 150, 52}, {8, 2, 33, 150, 19}, {32, 2, 33, 150, 10},
		{5, 1, 200, 100, 0}, {6, 4, 50, 50, 0},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 2s
replications: 5
algorithms:
  once: {preset: sql-serializable, retries: 0, processors: %d, overhead: {exponential: {mean: %dus}}, service_time: {exponential: {mean: %dus}}}
scenarios:
  - name: hot
    policy: {limit: 1M/s, burst: 1M}
    topology: {clients: %d}
    traffic: [{pattern: constant, rate: 90k/s}]
    algorithms: [once]
`, c.processors, c.overhead, c.service, c.callers))
		want := 100 * firstTries(c.callers, c.processors, float64(c.overhead), float64(c.service))
		simtest.About(t, d, "hot", "once", "first_try_pct", want, 0.02)
		// The published values are measurements of a real server; see docs/systems/sql.md for the residuals.
		if got := simtest.Mean(t, d, "hot", "once", "first_try_pct"); c.published > 0 && (got < c.published-3.5 || got > c.published+3.5) {
			t.Errorf("%d callers: %v %% of first tries commit, published %v %%", c.callers, got, c.published)
		}
	}
}

// TestLockWaitsAreCredited checks that under read committed each of n callers that
// always wait is credited the time of n transactions. Without credit a transaction
// begins with the lock.
func TestLockWaitsAreCredited(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 4s
algorithms:
  credited: {preset: sql-read-committed, overhead: 0s, service_time: 1ms}
  not:      {preset: sql-read-committed, overhead: 0s, service_time: 1ms, lock_wait_credited: false}
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
  tested: {preset: sql-serializable, overhead: 0s, service_time: 0s, timeout: 200ms, on_failure: %s}
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
