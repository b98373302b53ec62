package batchreported_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

const ms = int64(1e6) // in ns

// reporting simulates clients that report every d over a network without delay,
// under k times a limit of 1000/s, and returns a function that reads metrics.
func reporting(t *testing.T, k float64, d, duration, clients, algorithm string) func(metric string) float64 {
	t.Helper()
	document := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: %s
algorithms:
  tested: {preset: %s, interval: %s}
scenarios:
  - name: steady
    policy: {limit: 1000/s}
    topology: {clients: %s}
    traffic: [{pattern: constant, rate: %v/s}]
    algorithms: [tested]
`, duration, algorithm, d, clients, 1000*k))
	return func(metric string) float64 { return simtest.Mean(t, document, "steady", "tested", metric) }
}

// TestBatchOvershootAligned checks that with aligned reports the clients know of a
// full window at the first tick n at which k*d*n >= w: the overshoot is
// k*ceil(w/(k*d))*d/w - 1, which is 0 at some ratios. The formula holds if that
// tick is before the window's end; otherwise the report counts in the next window.
func TestBatchOvershootAligned(t *testing.T) {
	for _, c := range []struct {
		k float64
		d int64 // ms
	}{{2, 100}, {3, 100}, {7, 100}, {1.6, 100}, {5, 200}, {2, 250}, {3, 250}, {20, 50}, {30, 50}, {1.2, 10}, {25, 20}, {1.6, 125}} {
		n := math.Ceil(1000 / (c.k * float64(c.d)))
		want := 100 * (c.k*n*float64(c.d)/1000 - 1)
		got := reporting(t, c.k, fmt.Sprintf("%dms", c.d), "4s", "4", "batch-reported, phase: aligned")
		if over := got("over_limit_pct"); math.Abs(over-want) > 1e-9 {
			t.Errorf("k %v, d %d ms: overshoot of %v %%, want %v", c.k, c.d, over, want)
		}
		if over := got("over_limit_pct_max"); math.Abs(over-want) > 1e-9 {
			t.Errorf("k %v, d %d ms: worst window %v %% over, want %v", c.k, c.d, over, want)
		}
	}
}

// TestBatchOvershootStaggered checks that with staggered reports the server is half
// an interval behind on average, and so are the clients: the overshoot is about
// k*d/w. The formula assumes fluid traffic. It is off by a fifth if evenly spaced
// arrivals are about one per client and interval, and beat with the ticks.
func TestBatchOvershootStaggered(t *testing.T) {
	for _, c := range []struct {
		k float64
		d int64 // ms
	}{{2, 100}, {3, 100}, {5, 50}, {3, 50}, {1.5, 100}, {7, 100}} {
		want := 100 * c.k * float64(c.d) / 1000
		got := reporting(t, c.k, fmt.Sprintf("%dms", c.d), "4s", "50", "batch-reported, phase: staggered")("over_limit_pct")
		// The step from one client to the next is a fiftieth of an interval.
		if math.Abs(got-want) > want/20 {
			t.Errorf("k %v, d %d ms: overshoot of %v %%, want about %v", c.k, c.d, got, want)
		}
	}
}

// TestBatchDebtLongRun checks that a bucket with debt admits r*T and its initial
// tokens, and exceeds that by at most the requests of one report interval. If k is
// an integer, the two are equal after every k intervals.
func TestBatchDebtLongRun(t *testing.T) {
	for _, c := range []struct {
		k       float64
		burst   string
		initial float64
		exact   bool
	}{
		{2, "burst: 0", 0, true}, {3, "burst: 0", 0, true}, {5, "burst: 0", 0, true}, {6, "burst: 0", 0, true},
		{1.5, "burst: 0", 0, false}, {2.7, "burst: 0", 0, false}, {40, "burst: 0", 0, false},
		{3, "burst: 500, initial: full", 500, false}, {3, "burst: 500, initial: 120", 120, false}, {3, "burst: 500, initial: empty", 0, true},
	} {
		admitted := reporting(t, c.k, "100ms", "30s", "4", "batch-debt, phase: aligned, "+c.burst)("admitted_cost")
		ahead := admitted - (1000*30 + c.initial)
		if ahead < 0 || ahead > 1000*c.k/10 || c.exact && ahead != 0 {
			t.Errorf("k %v, %s: admitted %v in 30 s of 1000/s, ahead by %v", c.k, c.burst, admitted, ahead)
		}
	}
}

// TestBatchRefillDebitWithoutBurst checks that refilling before debiting wastes the
// tokens of the interval, since a bucket of depth 0 cannot hold them: k/(k+1) of
// the limit remains.
func TestBatchRefillDebitWithoutBurst(t *testing.T) {
	for _, k := range []float64{1, 2, 3, 4, 5} {
		// 30 s and 60 s are whole numbers of cycles of k+1 intervals.
		admitted := reporting(t, k, "100ms", "60s", "4", "batch-debt, burst: 0, phase: aligned, order: refill-debit")("admitted_cost")
		if want := 60_000 * k / (k + 1); admitted != want {
			t.Errorf("k %v: admitted %v, want %v", k, admitted, want)
		}
	}
}
