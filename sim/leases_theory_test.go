package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/results"
)

// Ten nodes that keep nine tokens each let through ninety requests too many, a
// minute later; what expires or goes back meanwhile is no excess.
func TestPrefetchedTokensAreExcess(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 70s
algorithms:
  keeps:    {preset: bucket4j-prefetch}
  window:   {enforcement: prefetch, counter: fixed-window, low_water: 0, expiry: 0s, refusal: forgotten}
  loses:    {preset: bucket4j-prefetch, expiry: 1s}
  returns:  {preset: bucket4j-prefetch, expiry: 1s, unused: returned}
scenarios:
  - name: a minute later
    policy: {limit: 5000/min}
    topology: {clients: 10}
    traffic:
      - {pattern: herd, count: 10}
      - {pattern: herd, count: 8000, at: 60s}
    algorithms: [keeps, window, loses, returns]
  - name: at once
    policy: {limit: 5000/min}
    topology: {clients: 10}
    traffic:
      - {pattern: herd, count: 10}
      - {pattern: herd, count: 8000, at: 1100ms}
    algorithms: [keeps, loses, returns]
`)
	exactly(t, d, "a minute later", "keeps", "burst_excess", 90)
	exactly(t, d, "a minute later", "window", "admitted_requests", 10+90+5000)
	exactly(t, d, "a minute later", "loses", "burst_excess", 0)
	exactly(t, d, "a minute later", "returns", "burst_excess", 0)
	// In 1.1 s the bucket earns 91 of the 100 that were fetched. What was kept is
	// spent; what was lost is missing; what came back at 1 s fills it up.
	exactly(t, d, "at once", "keeps", "admitted_requests", 10+90+4991)
	exactly(t, d, "at once", "loses", "admitted_requests", 10+4991)
	exactly(t, d, "at once", "returns", "admitted_requests", 10+5000)
}

// What a request does that finds no token: one client, a round trip of 20 ms, a
// request every 5 ms and leases of 4.
func TestPrefetchWhenEmpty(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 1s
algorithms:
  waits:   {preset: prefetch, lease_size: 4, low_water: 0}
  rejects: {preset: prefetch, lease_size: 4, low_water: 0, when_empty: reject}
  asks:    {preset: prefetch, lease_size: 4, low_water: 0, when_empty: ask}
  ahead:   {preset: prefetch, lease_size: 8, low_water: 5, when_empty: reject}
  open:    {preset: prefetch, lease_size: 8, low_water: 5, when_empty: reject, at_start: admit}
scenarios:
  - name: empty
    policy: {limit: 1000/s}
    topology: {network: 20ms}
    traffic: [{pattern: constant, rate: 200/s}]
    algorithms: [waits, rejects, asks, ahead, open]
`)
	exactly(t, d, "empty", "waits", "rejected_requests", 0)
	// Four are spent within 15 ms, the last asks for more, and the three that
	// come in the 20 ms after it find nothing; so do the first four, of which
	// the first one asks.
	exactly(t, d, "empty", "rejects", "rejected_local_requests", 4+3*28)
	exactly(t, d, "empty", "asks", "rejected_requests", 0)
	// Five tokens last longer than the way.
	exactly(t, d, "empty", "ahead", "rejected_local_requests", 4)
	exactly(t, d, "empty", "open", "rejected_requests", 0)
}

// A server that is away is noticed when leases run out, not before.
func TestPrefetchServerAway(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 30s
algorithms:
  closed: {preset: prefetch}
  open:   {preset: prefetch, on_timeout: fail-open}
  rejects: {preset: prefetch, when_empty: reject}
scenarios:
  - name: away
    policy: {limit: 1000/s}
    topology: {clients: 2, network: 2ms}
    traffic: [{pattern: constant, rate: 100/s}]
    algorithms: [closed, open, rejects]
    faults: [{server-crash: {from: 10s, down_for: 10s}}]
`)
	about(t, d, "away", "closed", "timed_out_requests", 1000, 0.02)
	about(t, d, "away", "closed", "rejected_fail_closed_requests", 1000, 0.02)
	about(t, d, "away", "open", "admitted_fail_open_requests", 1000, 0.02)
	about(t, d, "away", "rejects", "rejected_local_requests", 1000, 0.12)
}

// Doorman's clients go on with their leases while the server is away, and by the
// safe capacity, or not at all, when these have run out. Ten clients that want
// two and a half times the limit; leases of 10 s; the server is away from 20 s
// to 60 s, and remembers nothing when it is back.
func TestLeasesServerAway(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 100s
algorithms:
  safe:        {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s}
  pessimistic: {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s, without_lease: pessimistic}
  optimistic:  {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s, without_lease: optimistic}
  long:        {preset: doorman-fair, lease: 300s, refresh: 1s, retry_at_most: 1s}
  unlearned:   {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s, without_lease: pessimistic, learning: 0s}
scenarios:
  - name: away
    warmup: 10s
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 10, network: 10ms}
    traffic: [{pattern: constant, rate: 2500/s}]
    algorithms: [safe, pessimistic, optimistic, long, unlearned]
    faults: [{server-crash: {from: 20s, down_for: 40s}}]
`)
	about(t, d, "away", "long", "admitted_over_limit", 1, 0.01)
	about(t, d, "away", "safe", "admitted_over_limit", 80./90, 0.02)        // and 10 s of learning mode, in which nobody has anything
	about(t, d, "away", "pessimistic", "admitted_over_limit", 50./90, 0.03) // 30 s without leases, 10 s of learning mode
	about(t, d, "away", "unlearned", "admitted_over_limit", 60./90, 0.03)   // and none of learning
	about(t, d, "away", "optimistic", "admitted_over_limit", (50+30*2.5)/90, 0.03)
}

// In learning mode a restarted server gives clients what they have, so nothing
// happens; without it, it gives those that ask first all they want, while the
// others still have their leases.
func TestLearningMode(t *testing.T) {
	text := `
version: 1
duration: 60s
algorithms:
  learns:     {preset: doorman-proportional, lease: 10s, refresh: 1s}
  unlearned:  {preset: doorman-proportional, lease: 10s, refresh: 1s, learning: 0s}
scenarios:
  - name: restart
    warmup: 20s
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 5, network: 10ms}
    algorithms: [learns, unlearned]
    faults: [{server-restart: {from: 30s}}]
    traffic:
`
	// A fifth of a second apart, so that they ask one after the other.
	for i := range 5 {
		shares := strings.Repeat("0, ", i) + "1"
		text += fmt.Sprintf("      - {pattern: constant, rate: 1000/s, from: %dms, spread: {skewed: {shares: [%s]}}}\n", 200*i, shares)
	}
	d := simulate(t, text)
	between(t, d, "restart", "learns", "burst_excess", 0, 5)
	// The first one gets 1000/s instead of 200/s, the others keep theirs for 0.2,
	// 0.4, 0.6 and 0.8 s: 400 too many, of which the policy's burst allows 100.
	between(t, d, "restart", "unlearned", "burst_excess", 295, 325)
}

// In steady overload a client sends K for each request that is accepted; after
// it, it needs its window to forget.
func TestClientThrottle(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 120s
replications: 2
algorithms:
  two:    {preset: sre-throttle, window: 10s}
  eleven: {preset: sre-throttle, window: 10s, k: 1.1}
  away:   {preset: sre-throttle, window: 10s, backend: remote}
scenarios:
  - name: ten times
    warmup: 20s
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 5, network: 2ms}
    traffic: [{pattern: poisson, rate: 1000/s, spread: random}]
    algorithms: [two, eleven, away]
  - name: within
    policy: {limit: 100/s, burst: 100}
    topology: {clients: 5}
    traffic: [{pattern: constant, rate: 90/s}]
    algorithms: [two]
  - name: crash
    policy: {limit: 100/s, burst: 100}
    topology: {clients: 5, network: 2ms}
    traffic: [{pattern: constant, rate: 90/s}]
    algorithms: [away]
    faults: [{server-crash: {from: 60s, down_for: 60s}}]
`)
	for name, k := range map[string]float64{"two": 2, "eleven": 1.1, "away": 2} {
		about(t, d, "ten times", name, "server_calls_per_s", 100*k, 0.03)
	}
	about(t, d, "ten times", "two", "admitted_over_limit", 1, 0.01)
	exactly(t, d, "within", "two", "rejected_requests", 0)
	// When nothing is accepted any more, the client soon sends next to nothing:
	// of n requests so far the chance to be sent is 1/(n+1).
	between(t, d, "crash", "away", "timed_out_requests", 18*5, 90*12)
}

// Whatever gets lost, comes late or moves: what is handed out ahead is never
// more than there is. A fleet goes over its limit by no more than the tokens that
// it holds, or the parts of requests by which its buckets are rounded up; where
// callers wait, by what answers that come late let through at once; and where an
// answer that lowers a lease is late or lost, by that lease for so long.
func TestNothingIsHandedOutTwice(t *testing.T) {
	const clients, burst = 8, 40
	const late = 400 * 0.15 // of a limit of 400/s and answers late by 150 ms
	for _, c := range []struct {
		options string
		most    float64
	}{
		{"{preset: prefetch, lease_size: 5}", clients*(5+5) + late},
		{"{preset: prefetch, lease_size: 5, low_water: 0, expiry: 0s, refusal: forgotten, timeout: 20ms}", clients*5 + late},
		{"{preset: prefetch, lease_size: 7, unused: returned, expiry: 30ms, when_empty: ask}", clients*(5+7) + late},
		{"{enforcement: prefetch, counter: token-bucket, lease_size: 4, when_empty: reject, grant: all-or-nothing}", clients * (5 + 4)},
		{"{preset: doorman-fair, refresh: 300ms, retry: 100ms, timeout: 100ms, without_lease: pessimistic, lease: 2s}", clients + late},
		{"{preset: doorman-proportional, refresh: 100ms, wants: since-refresh, without_lease: pessimistic, lease: 1s, idle: 0s}", clients + late},
	} {
		d := simulate(t, fmt.Sprintf(`
version: 1
duration: 20s
replications: 2
algorithms:
  tested: %s
scenarios:
  - name: rough
    policy: {limit: 400/s, burst: %d}
    topology: {clients: %d, servers: 2, network: {lognormal: {p50: 4ms, p99: 60ms}}}
    traffic:
      - {pattern: square, high: 1500/s, low: 50/s, high_for: 700ms, low_for: 900ms, arrivals: poisson, spread: random}
      - {pattern: poisson, rate: 100/s, spread: {skewed: {shares: [0.5, 0.5]}}}
    algorithms: [tested]
    faults:
      - {report-loss: {from: 2s, to: 8s, p: 20%%}}
      - {report-delay: {from: 5s, to: 12s, p: 20%%, delay: 80ms}}
      - {partition: {from: 9s, to: 13s, share: 40%%}}
`, c.options, burst, clients))
		between(t, d, "rough", "tested", "burst_excess", 0, c.most)
		between(t, d, "rough", "tested", "admitted_over_limit", 0.3, 1.02)
	}
}

// between wants a figure within bounds.
func between(t *testing.T, d *results.Document, scenario, algorithm, metric string, least, most float64) {
	t.Helper()
	if got := figure(t, d, scenario, algorithm, metric); got < least || got > most {
		t.Errorf("%s, %s: %s is %v, want %v to %v", scenario, algorithm, metric, got, least, most)
	}
}
