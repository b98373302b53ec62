package central_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestFixedWindowStraddle checks that a fixed window admits 2L in one sliding
// window of any width: L just before a boundary and L just after it. No calendar
// window exceeds the limit, and a sliding log admits L.
func TestFixedWindowStraddle(t *testing.T) {
	for _, c := range []struct {
		limit, window string
		count         int
	}{{"100/s", "1s", 100}, {"7/3s", "3s", 7}, {"1000/min", "1min", 1000}, {"3/10ms", "10ms", 3}, {"50/h", "1h", 50}} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 4h
metrics: full
scenarios:
  - name: straddle
    policy: {limit: %s}
    traffic: [{pattern: boundary, count: %d, window: %s, offset: 1us, every: 0}]
    algorithms: [fixed-window, sliding-window-log]
`, c.limit, c.count, c.window))
		simtest.Exactly(t, d, "straddle", "fixed-window", "admitted_requests", float64(2*c.count))
		simtest.Exactly(t, d, "straddle", "fixed-window", "worst_sliding_pct", 100)
		simtest.Exactly(t, d, "straddle", "fixed-window", "over_limit_pct", 0)
		simtest.Exactly(t, d, "straddle", "sliding-window-log", "admitted_requests", float64(c.count))
		simtest.Exactly(t, d, "straddle", "sliding-window-log", "worst_sliding_pct", 0)
	}
}

// TestEnvoyRatelimit193 reproduces pull request 193 of envoyproxy/ratelimit: a
// bucket of 10 with 10 per minute under 10 requests per second for 240 s. It admits
// its 10 tokens at once and one more every 6 s: the 39th at 234 s, the 40th after
// the end.
func TestEnvoyRatelimit193(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 4min
scenarios:
  - name: pull request 193
    policy: {limit: 10/min, burst: 10}
    traffic: [{pattern: constant, rate: 10/s}]
    algorithms: [token-bucket, gcra]
`)
	for _, algorithm := range []string{"reference", "token-bucket", "gcra"} {
		simtest.Exactly(t, d, "pull request 193", algorithm, "offered_requests", 2400)
		simtest.Exactly(t, d, "pull request 193", algorithm, "admitted_requests", 49)
	}
}

// TestAdversary checks an attacker who sends the requests of two windows around the
// boundary between them. A fixed window admits all of them, a sliding one admits
// half. Clients that divide the limit admit all of them if the requests are spread
// evenly, and only one share if all go to one client.
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
	even, stuck := simtest.Run(t, fmt.Sprintf(text, "even")), simtest.Run(t, fmt.Sprintf(text, "sticky"))
	for algorithm, want := range map[string]float64{"fixed-window": 4000, "sliding-window-log": 2000, "windows": 4000} {
		simtest.Exactly(t, even, "attacked", algorithm, "offered_requests", 4000)
		simtest.Exactly(t, even, "attacked", algorithm, "admitted_requests", want)
	}
	simtest.Exactly(t, even, "attacked", "fixed-window", "over_limit_pct", 0)
	simtest.Exactly(t, even, "attacked", "fixed-window", "worst_sliding_pct", 100)
	simtest.Exactly(t, stuck, "attacked", "fixed-window", "admitted_requests", 4000)
	simtest.Exactly(t, stuck, "attacked", "windows", "admitted_requests", 1000)
}
