package rover_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// roverRate returns the long-run rate of a rover bucket of 1000/s under three times
// the load, as a share of the configured rate.
func roverRate(t *testing.T, interval, options string) float64 {
	t.Helper()
	d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
algorithms:
  tested: {preset: rover, initial: empty, max_wait: 1h, replenish_interval: %s, %s}
scenarios:
  - name: saturated
    policy: {limit: 1000/s, burst: 1000}
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [tested]
`, interval, options))
	return simtest.Mean(t, d, "saturated", "tested", "admitted_requests") / 10_000
}

// TestRoverLongRunRate checks the rate of saturated buckets. The faithful mode
// rounds a credit and moves its stamp to now, so with threshold N the rate is from
// N/(N+0.5) to N/(N-0.5) of the configured one, and reaches both ends. The exact
// mode has the configured rate.
func TestRoverLongRunRate(t *testing.T) {
	const ends = 0.002 // the first and last credits of 10 s
	lowest, highest := 9.0, 0.0
	for _, interval := range []string{"100us", "333us", "499us", "500us", "600us", "700us", "1ms", "1200us", "1499us", "1500us", "2499us", "7ms"} {
		one := roverRate(t, interval, "stamp: now")
		lowest, highest = min(lowest, one), max(highest, one)
		if one < 1/1.5-ends || one > 1/0.5+ends {
			t.Errorf("timer %s, threshold 1: %v of the rate", interval, one)
		}
		hundred := roverRate(t, interval, "stamp: now, threshold: 100")
		if hundred < 100/100.5-ends-0.01 || hundred > 100/99.5+ends {
			t.Errorf("timer %s, threshold 100: %v of the rate", interval, hundred)
		}
		if exact := roverRate(t, interval, "stamp: by-tokens"); exact > 1 || exact < 1-0.001 {
			t.Errorf("timer %s, exact: %v of the rate", interval, exact)
		}
	}
	if lowest > 1/1.5+ends || highest < 1/0.5-ends {
		t.Errorf("the rate reached from %v to %v, not the ends of 0.667 to 2", lowest, highest)
	}
	// A frequent poller gets the upper bound: half a token is rounded up to a
	// token.
	if got := roverRate(t, "1ms", "stamp: now, replenish: continuous"); got < 2-ends || got > 2 {
		t.Errorf("continuous, faithful: %v of the rate", got)
	}
}

// TestRoverUncappedBurst checks that claims before a replenish enlarge an uncapped
// burst: with a claim of 300 on a depth of 50, the tick after 10 s at 100/s grants
// 350, without it 50.
func TestRoverUncappedBurst(t *testing.T) {
	text := `
version: 1
duration: 11s
algorithms:
  tested: {preset: rover, initial: empty, max_wait: 20s, replenish_interval: 10s, capped: %v}
scenarios:
  - name: burst
    policy: {limit: 100/s, burst: 50}
    traffic: [{pattern: list, events: [{at: 0s, cost: %d}, {at: 10s, count: 400}]}]
    algorithms: [tested]
`
	for _, c := range []struct {
		capped      bool
		first, want int
	}{{false, 300, 1 + 50}, {false, 1, 1 + 50}, {true, 1, 50}, {true, 300, 0}} {
		granted := 0
		for _, o := range simtest.Outcomes(t, fmt.Sprintf(text, c.capped, c.first), "tested") {
			if o.Dispatched == 10_000*ms {
				granted++
			}
		}
		if granted != c.want {
			t.Errorf("capped %v, first claim %d: %d requests granted at the tick, want %d", c.capped, c.first, granted, c.want)
		}
	}
}

// TestRoverCappedThroughput checks that with capped release the throughput is
// min(rate, limit/hold), if the backend serves every request in hold: 10 requests
// at a time for 50 ms each are 200/s. A rejected caller keeps no token.
func TestRoverCappedThroughput(t *testing.T) {
	for _, c := range []struct {
		rate, hold, options string
		want                float64 // in 20 s
	}{
		{"1000/s", "50ms", "", 20 * 200},
		{"1000/s", "50ms", "replenish: continuous", 20 * 200},
		{"1000/s", "50ms", "when_short: refuse", 20 * 200},
		{"1000/s", "50ms", "when_short: refuse, replenish: on-look", 20 * 200},
		{"100/s", "50ms", "", 20 * 100},
		{"100/s", "50ms", "when_short: refuse", 20 * 100},
		{"1000/s", "5ms", "", 20 * 1000},
		{"1000/s", "20ms", "max_wait: 3ms", 20 * 500},
		{"1000/s", "20ms", "max_wait: 3ms, stamp: now", 20 * 500},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
metrics: full
algorithms:
  tested: {preset: rover-capped, burst: 10, %s}
scenarios:
  - name: guarded
    policy: {limit: %s}
    traffic: [{pattern: constant, rate: 4000/s}]
    guard: {concurrency: 1000, service_time: %s}
    algorithms: [tested]
`, c.options, c.rate, c.hold))
		simtest.About(t, d, "guarded", "tested", "admitted_requests", c.want, 0.011)
		if out := simtest.Mean(t, d, "guarded", "tested", "guard_inflight_max"); out > 10 {
			t.Errorf("%+v: %v tokens out at a time, more than the limit", c, out)
		}
	}
}

// TestRoverIdleYears checks that idle time costs nearly nothing with any timer: ten
// years with a request per day run at once, and every request finds a full bucket.
func TestRoverIdleYears(t *testing.T) {
	for _, options := range []string{"", "threshold: 7", "stamp: now, initial: full", "replenish: continuous", "replenish: on-look", "burst: 9, threshold: 3, replenish_interval: 7ms"} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 3650d
algorithms:
  tested: {preset: rover, %s}
scenarios:
  - name: idle
    policy: {limit: 17/min, burst: 10}
    traffic: [{pattern: constant, rate: 1/d}]
    algorithms: [tested]
`, options))
		simtest.Exactly(t, d, "idle", "tested", "admitted_requests", 3650)
		if wait := simtest.Mean(t, d, "idle", "tested", "wait_max_ms"); wait > 1 {
			t.Errorf("%s: waits up to %v ms", options, wait)
		}
	}
}

// TestRoverRateChange checks that a policy change updates the rate of buckets in
// use, in every replenish mode.
func TestRoverRateChange(t *testing.T) {
	for _, options := range []string{
		"preset: rover", "preset: rover, replenish: on-look", "preset: rover, replenish: on-poll", "preset: rover, replenish: on-wait", "preset: rover, replenish: continuous",
		"preset: rover, threshold: 7, stamp: now, replenish_interval: 7ms", "preset: rover-shards", "preset: rover-shards-batch, idle: sleep",
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 12s
algorithms:
  tested: {%s, initial: empty, max_wait: 100ms}
scenarios:
  - name: changed
    policy: {limit: 1000/s, burst: 100}
    traffic: [{pattern: constant, rate: 8000/s}]
    faults: [{policy-change: {from: 4s, to: 8s, factor: 3}}]
    algorithms: [tested]
`, options))
		simtest.About(t, d, "changed", "tested", "admitted_requests", 4000+12_000+4000, 0.005)
	}
	// The change also applies to time that has not been credited yet: the tick
	// after ten seconds credits all of them at the rate that was set in the
	// tenth second.
	d := simtest.Run(t, `
version: 1
duration: 11s
algorithms:
  tested: {preset: rover, initial: empty, max_wait: 20s, replenish_interval: 10s}
scenarios:
  - name: gap
    policy: {limit: 100/s, burst: 2500}
    traffic: [{pattern: list, events: [{at: 0s, count: 2500}]}]
    faults: [{policy-change: {from: 9s, to: 11s, factor: 2}}]
    algorithms: [tested]
`)
	simtest.Exactly(t, d, "gap", "tested", "admitted_requests", 2000)
}
