package rover_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

const (
	ms     = int64(1_000_000)
	minute = 60_000 * ms
)

// drawRovers draws a rover limiter on one of four time scales: nanoseconds with
// continuous replenishment, milliseconds with a timer or with callers that
// replenish, and minutes with hours of idle time, longer than the hour that a faithful
// replenish credits at most.
func drawRovers(t *rapid.T) *simtest.QueueCase {
	c := &simtest.QueueCase{Count: rapid.Int64Range(1, 9).Draw(t, "count"), Burst: rapid.Int64Range(1, 6).Draw(t, "burst")}
	var unit, span int64
	replenish := rapid.SampledFrom([]string{"timer", "on-look", "on-poll", "on-wait", "continuous", "hours"}).Draw(t, "replenish")
	switch replenish {
	case "timer":
		unit, span = ms, 300*ms
		c.Grid = rapid.SampledFrom([]int64{ms, 3 * ms, 1_234_567}).Draw(t, "grid")
		c.Window = rapid.Int64Range(1, 60).Draw(t, "window") * ms
	case "on-wait":
		unit, span = ms, 300*ms
		c.Window = rapid.Int64Range(1, 20_000_000).Draw(t, "window")
		c.OnWait = true
	case "on-look", "on-poll":
		unit, span = ms, 300*ms
		c.Window = rapid.Int64Range(1, 60).Draw(t, "window") * ms
		c.LookFirst = replenish == "on-poll"
	case "continuous":
		unit, span, c.Grid = 5, 600, 1
		c.Window = rapid.Int64Range(1, 90).Draw(t, "window")
	case "hours":
		replenish, unit, span = "timer", minute, 1200*minute
		c.Grid = rapid.SampledFrom([]int64{minute, 7 * minute}).Draw(t, "grid")
		c.Window = rapid.Int64Range(1, 100).Draw(t, "window") * minute
	}
	c.Threshold = rapid.Int64Range(1, c.Burst).Draw(t, "threshold")
	if c.Exact = rapid.Bool().Draw(t, "exact"); !c.Exact {
		// The threshold must be reached, and a tick follow, within the hour that a
		// replenish credits at most.
		c.Window = min(c.Window, 50*minute*c.Count/c.Threshold)
	}
	c.Full = rapid.Bool().Draw(t, "full")
	c.Capped = rapid.Bool().Draw(t, "capped")
	keys := 2
	if c.Guard = rapid.Bool().Draw(t, "guard"); c.Guard {
		keys = 1 // the order among keys at the backend is not defined for one instant
		c.Concurrency = rapid.Int64Range(1, 3).Draw(t, "concurrency")
		c.Service = rapid.Int64Range(0, 4*unit).Draw(t, "service")
		if rapid.Bool().Draw(t, "service on the grid") {
			c.Service = rapid.Int64Range(0, 4).Draw(t, "ticks") * max(c.Grid, unit)
		}
	}
	words := map[bool]string{true: "by-tokens full wait", false: "now empty refuse"}
	word := func(b bool, i int) string { return strings.Fields(words[b])[i] }
	waits := c.OnWait || rapid.IntRange(0, 3).Draw(t, "waits") > 0
	if waits {
		c.MaxWait = rapid.Int64Range(map[bool]int64{true: 1}[c.OnWait], 20*unit).Draw(t, "max wait")
	}
	c.Counter = fmt.Sprintf("counter: rover, threshold: %d, capped: %v, stamp: %s, initial: %s, when_short: %s, max_wait: %dns, replenish: %s",
		c.Threshold, c.Capped, word(c.Exact, 0), word(c.Full, 1), word(waits, 2), c.MaxWait, replenish)
	if c.NoRefund = rapid.IntRange(0, 4).Draw(t, "refund") == 0; c.NoRefund {
		c.Counter += ", refund: false"
	}
	if c.Grid > 0 {
		c.Counter += fmt.Sprintf(", replenish_interval: %dns", c.Grid)
	}
	c.DrawArrivals(t, span, unit, keys, 3)
	if c.Guard {
		c.SlowFrom = rapid.Int64Range(0, c.End-1).Draw(t, "slow from")
		c.SlowTo = rapid.Int64Range(c.SlowFrom+1, c.End).Draw(t, "slow to")
		c.Factor = rapid.Int64Range(1, 5).Draw(t, "factor")
	}
	return c
}

// TestSettledRoversAgainstOneList checks claims that are settled at the answer.
func TestSettledRoversAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawRovers(t)
		c.Guard, c.SlowTo = false, 0
		if c.NoRefund {
			c.NoRefund, c.Counter = false, strings.Replace(c.Counter, ", refund: false", "", 1)
		}
		c.Settle = rapid.SampledFrom([]string{"none", "deduct-estimate-then-settle", "reserve-maximum-then-refund"}).Draw(t, "settle")
		c.Debt = rapid.Bool().Draw(t, "debt")
		unit := max(c.Grid, c.Window/c.Count, 1)
		if rapid.Bool().Draw(t, "expires") {
			c.Expires = rapid.Int64Range(1, 4).Draw(t, "after") * unit
		}
		for i := range c.Arrivals {
			c.Arrivals[i].Estimate = rapid.Int64Range(1, 5).Draw(t, "estimate")
			c.Arrivals[i].Answer = rapid.SampledFrom([]int64{0, 1, 1, 2, 7}).Draw(t, "answer") * unit
			if c.MaxWait > 0 { // the order of an answer at once among expiries of one instant is not defined
				c.Arrivals[i].Answer = max(c.Arrivals[i].Answer, 1)
			}
		}
		c.Compare(t, simtest.NewRoverModel(c).Run())
	})
}

// TestRoversAgainstOneList checks that rover buckets, which skip ticks without
// effect, end every attempt as the reference model, which runs every tick of every
// timer.
func TestRoversAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawRovers(t)
		c.Compare(t, simtest.NewRoverModel(c).Run())
	})
}
