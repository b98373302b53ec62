package sim

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// A leaky bucket lets each request through when the backlog before it has
// drained, whatever else happens in between: the naive one keeps every admitted
// request of a key and adds up what is left of them.
func TestLeakyBucketAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &queueCase{
			count: rapid.Int64Range(1, 9).Draw(t, "count"), window: rapid.Int64Range(1, 100).Draw(t, "window"),
			burst: rapid.Int64Range(3, 6).Draw(t, "burst"),
		}
		unit := int64(3)
		if rapid.Bool().Draw(t, "ms") {
			unit, c.window = ms, c.window*ms
		}
		delay, nodelay := rapid.Int64Range(0, 6).Draw(t, "delay"), rapid.Bool().Draw(t, "nodelay")
		c.counter = fmt.Sprintf("counter: leaky-bucket, delay: %d", delay)
		if nodelay {
			c.counter = "counter: leaky-bucket, nodelay: true"
		}
		c.drawArrivals(t, 100*unit, unit, 2, 4)
		want := make([]outcome, len(c.arrivals))
		backlog, since := [2]int64{}, [2]int64{} // in 1/window of a request
		for i, a := range c.arrivals {
			b := max(0, backlog[a.key]-(a.at-since[a.key])*c.count)
			backlog[a.key], since[a.key] = b, a.at
			if b+(a.cost-1)*c.window > c.burst*c.window {
				want[i] = outcome{a.at, -1, "rejected", "limiter"}
				continue
			}
			backlog[a.key] += a.cost * c.window
			at := a.at + (max(0, b-delay*c.window)+c.count-1)/c.count
			switch {
			case nodelay:
				want[i] = outcome{a.at, a.at, "admitted", "limiter"}
			case at >= c.end:
				want[i] = outcome{-1, -1, "waiting", ""}
			default:
				want[i] = outcome{at, at, "admitted", "limiter"}
			}
		}
		c.compare(t, want)
	})
}
