package shards_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestShardsLongRunRate checks that shards on one bucket share its rate, and the
// effect of the original's rounding: eight shards that poll every 40 us replenish
// every half token.
func TestShardsLongRunRate(t *testing.T) {
	for _, c := range []struct {
		options   string
		low, top  float64
		threshold bool
	}{
		{"stamp: by-tokens", 0.998, 1, false},
		{"stamp: by-tokens, reserve: batch", 0.998, 1, false},
		{"stamp: by-tokens, idle: sleep", 0.998, 1, false},
		{"stamp: by-tokens, threshold: 20", 0.995, 1, true},
		{"stamp: now", 1.99, 2, false},
		{"stamp: now, phase: aligned", 0.999, 1.001, false}, // one look each 40 us, four tokens
		{"stamp: now, threshold: 20", 20 / 20.5, 20 / 19.5, true},
		{"stamp: now, token_resolution: 24", 0.999, 1.0001, false},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 300ms
algorithms:
  tested: {preset: rover-shards, initial: empty, poll_interval: 40us, %s}
scenarios:
  - name: saturated
    policy: {limit: 10k/100ms, burst: 50, shared: true}
    topology: {clients: 8}
    traffic: [{pattern: constant, rate: 400k/s}]
    algorithms: [tested]
`, c.options))
		if got := simtest.Mean(t, d, "saturated", "tested", "admitted_over_limit"); got < c.low || got > c.top {
			t.Errorf("%s: %v of the rate, want %v to %v", c.options, got, c.low, c.top)
		}
		if c.threshold {
			continue // a whole credit goes to the next shard that polls
		}
		if ratio := simtest.Mean(t, d, "saturated", "tested", "client_share_max_over_min"); ratio > 1.02 {
			t.Errorf("%s: shards that do the same differ by %v", c.options, ratio)
		}
	}
}

// TestShardsShares checks that turns by request give shards equal numbers of
// requests, so their shares of tokens follow the costs, and that turns by batch
// give equal numbers of tokens. A shard that polls rarely gets what it may claim at
// a poll.
func TestShardsShares(t *testing.T) {
	text := `
version: 1
duration: 2s
replications: 1
algorithms:
  by-request: {preset: rover-shards, idle: sleep, poll_interval: 2us}
  by-batch:   {preset: rover-shards-batch, idle: sleep, poll_interval: 2us}
  rare:       {preset: rover-shards, per_poll: 2, rare: {shards: 1/4, poll_interval: 10ms}}
  rare-four:  {preset: rover-shards, per_poll: 5, depth: 4, rare: {shards: 1/4, poll_interval: 10ms}}
scenarios:
  - name: sizes
    policy: {limit: 100k/s, burst: 400, shared: true}
    topology: {clients: 4}
    traffic:
      - {pattern: constant, rate: 100k/s, spread: {skewed: [100%]}}
      - {pattern: constant, rate: 60k/s, cost: 9, spread: {skewed: [0%, 34%, 33%, 33%]}}
    algorithms: [by-request, by-batch]
  - name: polls
    policy: {limit: 10k/s, burst: 400, shared: true}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: 40k/s}]
    algorithms: [rare, rare-four]
`
	d := simtest.Run(t, text)
	simtest.About(t, d, "sizes", "by-request", "client_share_min_pct", 100/28.0, 0.05) // 1 of 1 + 3*9
	simtest.About(t, d, "sizes", "by-batch", "client_share_min_pct", 25, 0.01)
	// The shard polls every 10 ms; its claims were served long before the poll.
	for algorithm, claims := range map[string]float64{"rare": 1, "rare-four": 4} {
		simtest.About(t, d, "polls", algorithm, "client_share_min_pct", 100*claims*100/10_000, 0.02)
	}
}

// TestShardStalls checks that a request at a stalled shard waits for the rest of
// the stall, which is as long as a whole one on average, and half a poll. With
// enough tokens nothing else delays it.
func TestShardStalls(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
replications: 4
algorithms:
  tested: {preset: rover-shards, poll_interval: 10us, per_poll: 1000, stalls: {busy: 300us, rest: 100us}}
scenarios:
  - name: light
    policy: {limit: 1M/s, burst: 100000, shared: true}
    topology: {clients: 4}
    traffic: [{pattern: poisson, rate: 4000/s}]
    algorithms: [tested]
`)
	simtest.About(t, d, "light", "tested", "wait_mean_ms", 0.75*0.3+0.25*0.005, 0.03)
	simtest.Exactly(t, d, "light", "tested", "rejected_requests", 0)
}

// TestShardsReapedThroughput checks capped shards. A token is in use from its
// dispatch to its release, so the throughput is limit/hold if that is less than the
// rate. The hold ends with the first tick of the shard's timer after the
// completion.
func TestShardsReapedThroughput(t *testing.T) {
	for _, c := range []struct {
		reap string
		want float64 // of the rate
	}{
		{"0s", 0.5},    // ten out for 2 ms each: 5000/s
		{"8ms", 0.125}, // all ten are released together at each tick: 1250/s
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 4s
algorithms:
  tested: {preset: rover-shards, capped: true, burst: 10, reap_interval: %s, phase: aligned, poll_interval: 10us}
scenarios:
  - name: guarded
    policy: {limit: 10k/s, shared: true}
    topology: {clients: 2}
    guard: {concurrency: 1000, service_time: 2ms}
    traffic: [{pattern: constant, rate: 40k/s}]
    algorithms: [tested]
`, c.reap))
		simtest.About(t, d, "guarded", "tested", "admitted_over_limit", c.want, 0.02)
	}
}

// TestShardsPacedReleaseAtALowRate checks a release timer that is paced by the
// shard's part of a low rate. A tick is worth less than a token, and every token is
// still returned in time.
func TestShardsPacedReleaseAtALowRate(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
scenarios:
  - name: below the limit
    policy: {limit: 100/s, shared: true}
    topology: {clients: 12}
    traffic: [{pattern: constant, rate: 50/s}]
    algorithms: [rover-shards-capped]
`)
	simtest.Exactly(t, d, "below the limit", "rover-shards-capped", "rejected_requests", 0)
}
