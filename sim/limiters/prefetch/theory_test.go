package prefetch_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestPrefetchedTokensAreExcess checks that ten nodes that keep nine tokens each
// admit 90 requests too many a minute later. Tokens that expire before are no excess.
func TestPrefetchedTokensAreExcess(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 70s
algorithms:
  keeps:    {preset: bucket4j-prefetch}
  window:   {enforcement: prefetch, counter: fixed-window, low_water: 0, expiry: 0s, refusal: forgotten}
  loses:    {preset: bucket4j-prefetch, expiry: 1s}
scenarios:
  - name: a minute later
    policy: {limit: 5000/min}
    topology: {clients: 10}
    traffic:
      - {pattern: herd, count: 10}
      - {pattern: herd, count: 8000, at: 60s}
    algorithms: [keeps, window, loses]
  - name: at once
    policy: {limit: 5000/min}
    topology: {clients: 10}
    traffic:
      - {pattern: herd, count: 10}
      - {pattern: herd, count: 8000, at: 1100ms}
    algorithms: [keeps, loses]
`)
	simtest.Exactly(t, d, "a minute later", "keeps", "burst_excess", 90)
	simtest.Exactly(t, d, "a minute later", "window", "admitted_requests", 10+90+5000)
	simtest.Exactly(t, d, "a minute later", "loses", "burst_excess", 0)
	// In 1.1 s the bucket earns 91 of the 100 fetched tokens. Kept tokens are
	// spent, and lost tokens are missing.
	simtest.Exactly(t, d, "at once", "keeps", "admitted_requests", 10+90+4991)
	simtest.Exactly(t, d, "at once", "loses", "admitted_requests", 10+4991)
}

// TestPrefetchWhenEmpty checks a request that finds no token, with one client, a
// round trip of 20 ms, a request every 5 ms and leases of 4.
func TestPrefetchWhenEmpty(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 1s
algorithms:
  waits:   {preset: prefetch, lease_size: 4, low_water: 0}
  rejects: {preset: prefetch, lease_size: 4, low_water: 0, when_empty: reject}
  ahead:   {preset: prefetch, lease_size: 8, low_water: 5, when_empty: reject}
  open:    {preset: prefetch, lease_size: 8, low_water: 5, when_empty: reject, at_start: admit}
scenarios:
  - name: empty
    policy: {limit: 1000/s}
    topology: {network: 20ms}
    traffic: [{pattern: constant, rate: 200/s}]
    algorithms: [waits, rejects, ahead, open]
`)
	simtest.Exactly(t, d, "empty", "waits", "rejected_requests", 0)
	// Four tokens are spent within 15 ms. The last of these requests fetches
	// more, and the three arrivals in the next 20 ms find no token. The first
	// four arrivals find none either; the first of them fetches tokens.
	simtest.Exactly(t, d, "empty", "rejects", "rejected_local_requests", 4+3*28)
	// Five tokens last longer than the round trip.
	simtest.Exactly(t, d, "empty", "ahead", "rejected_local_requests", 4)
	simtest.Exactly(t, d, "empty", "open", "rejected_requests", 0)
}

// TestPrefetchServerAway checks that a failed server has no effect until the leases
// are used up.
func TestPrefetchServerAway(t *testing.T) {
	d := simtest.Run(t, `
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
	simtest.About(t, d, "away", "closed", "timed_out_requests", 1000, 0.02)
	simtest.About(t, d, "away", "closed", "rejected_fail_closed_requests", 1000, 0.02)
	simtest.About(t, d, "away", "open", "admitted_fail_open_requests", 1000, 0.02)
	simtest.About(t, d, "away", "rejects", "rejected_local_requests", 1000, 0.12)
}
