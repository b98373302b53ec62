package sim

import (
	"fmt"
	"testing"
)

// A calendar window passes 2L in one sliding window, whatever its width: L just
// before a boundary and L just after it. No calendar window is over the limit,
// and a counter that remembers passes no more than L.
func TestFixedWindowStraddle(t *testing.T) {
	for _, c := range []struct {
		limit, window string
		count         int
	}{{"100/s", "1s", 100}, {"7/3s", "3s", 7}, {"1000/min", "1min", 1000}, {"3/10ms", "10ms", 3}, {"50/h", "1h", 50}} {
		d := simulate(t, fmt.Sprintf(`
version: 1
duration: 4h
metrics: full
scenarios:
  - name: straddle
    policy: {limit: %s}
    traffic: [{pattern: boundary, count: %d, window: %s, offset: 1us, every: 0}]
    algorithms: [fixed-window, sliding-window-log]
`, c.limit, c.count, c.window))
		exactly(t, d, "straddle", "fixed-window", "admitted_requests", float64(2*c.count))
		exactly(t, d, "straddle", "fixed-window", "worst_sliding_pct", 100)
		exactly(t, d, "straddle", "fixed-window", "over_limit_pct", 0)
		exactly(t, d, "straddle", "sliding-window-log", "admitted_requests", float64(c.count))
		exactly(t, d, "straddle", "sliding-window-log", "worst_sliding_pct", 0)
	}
}

// envoyproxy/ratelimit, pull request 193: a bucket of 10 with 10 per minute
// under 10 requests a second for 240 s. The bucket's 10 go at once, and one
// more earned every 6 s: the 39th at 234 s, the 40th too late.
func TestEnvoyRatelimit193(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 4min
scenarios:
  - name: pull request 193
    policy: {limit: 10/min, burst: 10}
    traffic: [{pattern: constant, rate: 10/s}]
    algorithms: [token-bucket, gcra]
`)
	for _, algorithm := range []string{"reference", "token-bucket", "gcra"} {
		exactly(t, d, "pull request 193", algorithm, "offered_requests", 2400)
		exactly(t, d, "pull request 193", algorithm, "admitted_requests", 49)
	}
}

// traefik, issue 8061: three replicas that each grant the full limit of 10
// grant 30. In general N replicas grant N times the limit.
func TestLocalFullMultiplies(t *testing.T) {
	for _, clients := range []int{1, 3, 8} {
		d := simulate(t, fmt.Sprintf(`
version: 1
duration: 1min
algorithms:
  windows: {enforcement: local, counter: fixed-window, share: full}
scenarios:
  - name: issue 8061
    policy: {limit: 10/min}
    topology: {clients: %d}
    traffic: [{pattern: herd, count: 100}]
    algorithms: [local-full, windows]
`, clients))
		want := float64(10 * clients)
		exactly(t, d, "issue 8061", "local-full", "admitted_requests", want)
		exactly(t, d, "issue 8061", "windows", "admitted_requests", want)
		exactly(t, d, "issue 8061", "windows", "over_limit_pct", 100*(want/10-1))
	}
}

// A limit divided by four is exact while traffic is even. When client 0 gets
// 70 % of just the limit, it grants its quarter and the others what they get:
// 25 + 3*10 of every 100.
func TestLocalDividedSkewed(t *testing.T) {
	text := `
version: 1
duration: 40s
algorithms:
  windows: {enforcement: local, counter: fixed-window}
scenarios:
  - name: divided
    policy: {limit: 100/s}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: %s, spread: %s}]
    algorithms: [windows]
`
	const skewed = "{skewed: {shares: [70%, 10%, 10%, 10%]}}"
	even := simulate(t, fmt.Sprintf(text, "300/s", "even"))
	exactly(t, even, "divided", "windows", "admitted_requests", 4000)
	exactly(t, even, "divided", "windows", "over_limit_pct", 0)
	// A small client's requests of a window never reach its quarter: that is five
	// standard deviations away.
	about(t, simulate(t, fmt.Sprintf(text, "100/s", skewed)), "divided", "windows", "admitted_requests", 40*55, 0.02)
	// Three times the limit fills the quarters of the small clients, all but
	// what 30 expected draws of a window leave short of 25: E(25-X)+ = 0.43.
	about(t, simulate(t, fmt.Sprintf(text, "300/s", skewed)), "divided", "windows", "admitted_requests", 40*(100-3*0.43), 0.005)
}

// Who fires the requests of two windows around the boundary between them gets
// all of them through a fixed window, and half through a sliding one. Clients
// that divide the limit pass them too where each is asked in turn, and only
// their part where one is asked for all.
func TestAdversary(t *testing.T) {
	text := `
version: 1
duration: 41s
metrics: full
algorithms:
  windows: {enforcement: local, counter: fixed-window}
scenarios:
  - name: attacked
    policy: {limit: 100/s}
    topology: {clients: 4}
    traffic: [{pattern: adversary, rate: 100/s, window: 1s, offset: 5ms, width: 50ms, spread: %s}]
    algorithms: [fixed-window, sliding-window-log, windows]
`
	even, stuck := simulate(t, fmt.Sprintf(text, "even")), simulate(t, fmt.Sprintf(text, "sticky"))
	for algorithm, want := range map[string]float64{"fixed-window": 4000, "sliding-window-log": 2000, "windows": 4000} {
		exactly(t, even, "attacked", algorithm, "offered_requests", 4000)
		exactly(t, even, "attacked", algorithm, "admitted_requests", want)
	}
	exactly(t, even, "attacked", "fixed-window", "over_limit_pct", 0)
	exactly(t, even, "attacked", "fixed-window", "worst_sliding_pct", 100)
	exactly(t, stuck, "attacked", "fixed-window", "admitted_requests", 4000)
	exactly(t, stuck, "attacked", "windows", "admitted_requests", 1000)
}
