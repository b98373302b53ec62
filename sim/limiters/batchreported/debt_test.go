package batchreported_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestDebtAfterIdleTime checks that a herd after an idle time is paid back under
// every path that reports take. The limit of 1000/s holds from 10 s on, except for
// what is offered in one interval and until the response arrives.
func TestDebtAfterIdleTime(t *testing.T) {
	const limit = 10_000 // from 10 s to 20 s
	for _, c := range []struct {
		options, rest string // of the algorithm, of the scenario
		cost, keys    int
		late          float64 // s that a response takes at most, after an interval
		least         float64 // admitted at least
	}{
		{"phase: aligned", "", 1, 1, 0, limit},
		{"phase: staggered", "", 1, 1, 0, 0.97 * limit},
		{"phase: random", "", 1, 1, 0, 0.95 * limit},
		{"phase: aligned", "", 7, 1, 0, 0.998 * limit},
		{"phase: aligned", "", 1, 3, 0, 0.999 * limit},
		{"phase: aligned, group_by_owner: false, server_time: 100us", "", 1, 3, 0.01, 0.92 * limit},
		{"phase: aligned, store: {redis: {write: script}}", "", 1, 1, 0.01, 0.92 * limit},
		{"phase: aligned, store: {redis: {write: descriptor}}", "", 1, 3, 0.01, 0.95 * limit},
		{"phase: aligned, report_loss: 30%, lost_reports: resent", "", 1, 1, 0.4, 0.97 * limit},
		{"phase: aligned", "faults: [{server-restart: {from: 5s, state: kept, down_for: 1s}}]", 1, 1, 0, limit},
		{"phase: aligned", "faults: [{server-restart: {from: 9s, state: lost, down_for: 500ms}}]", 1, 1, 0, limit},
		{"phase: aligned, moved_state: kept", "faults: [{reshard: {from: 12s, share: 100%}}]", 1, 1, 0, 0.999 * limit},
		{"phase: aligned", "faults: [{report-delay: {p: 100%, delay: 30ms}}]", 1, 1, 0.06, 0.99 * limit},
		{"phase: aligned", "faults: [{policy-change: {from: 2s, to: 8s, factor: 0.5}}]", 1, 1, 0, limit},
	} {
		for _, network := range []string{"0s", "20ms", "{exponential: {p99: 50ms}}"} {
			late, least := c.late, c.least
			switch network {
			case "20ms":
				late, least = late+0.02, least-500
			case "0s":
			default:
				late, least = late+0.2, least-3000 // reports of one tick arrive at many times
			}
			text := fmt.Sprintf(`
version: 1
duration: 20s
replications: 1
algorithms:
  tested: {preset: batch-debt, burst: 0, %s}
scenarios:
  - name: herd
    policy: {limit: %d/s, burst: 50, per: workspace}
    topology: {clients: 10, servers: 2, network: %s}
    traffic:
      - {pattern: herd, count: %d, at: 10s, cost: %d, keys: {uniform: %d}}
      - {pattern: constant, rate: %v/s, from: 10s, cost: %d, keys: {uniform: %d}}
    algorithms: [tested]
    %s
`, c.options, 1000/c.keys, network, 5000/c.cost, c.cost, c.keys, 2000/c.cost, c.cost, c.keys, c.rest)
			got := simtest.Mean(t, simtest.Run(t, text), "herd", "tested", "admitted_cost")
			most := limit + 2000*(0.1+late) + 50
			if got < least || got > most {
				t.Errorf("%s, network %s, cost %d, %d keys, %s: admitted %v, want %v to %v", c.options, network, c.cost, c.keys, c.rest, got, least, most)
			}
		}
	}
}

// TestLiteralOrderForgives checks what the option's text says: a herd after an idle
// time is not paid back.
func TestLiteralOrderForgives(t *testing.T) {
	got := simtest.Mean(t, simtest.Run(t, `
version: 1
duration: 20s
algorithms:
  tested: {preset: batch-debt, burst: 0, phase: aligned, order: literal}
scenarios:
  - name: herd
    policy: {limit: 1000/s, burst: 50}
    topology: {clients: 10}
    traffic: [{pattern: herd, count: 5000, at: 10s}, {pattern: constant, rate: 2000/s, from: 10s}]
    algorithms: [tested]
`), "herd", "tested", "admitted_cost")
	if got != 15_200 {
		t.Errorf("admitted %v, want 15200", got)
	}
}
