package central_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestLeakyBucketAgainstOneList compares the leaky bucket with a reference model
// that keeps the backlog of each key as an exact fraction.
func TestLeakyBucketAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &simtest.QueueCase{
			Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 100).Draw(t, "window"),
			Burst: rapid.Int64Range(3, 6).Draw(t, "burst"),
		}
		const ms = int64(1e6)
		unit := int64(3)
		if rapid.Bool().Draw(t, "ms") {
			unit, c.Window = ms, c.Window*ms
		}
		delay, nodelay := rapid.Int64Range(0, 6).Draw(t, "delay"), rapid.Bool().Draw(t, "nodelay")
		c.Counter = fmt.Sprintf("counter: leaky-bucket, delay: %d", delay)
		if nodelay {
			c.Counter = "counter: leaky-bucket, nodelay: true"
		}
		c.DrawArrivals(t, 100*unit, unit, 2, 4)
		want := make([]simtest.Outcome, len(c.Arrivals))
		backlog, since := [2]int64{}, [2]int64{} // in 1/window of a request
		for i, a := range c.Arrivals {
			b := max(0, backlog[a.Key]-(a.At-since[a.Key])*c.Count)
			backlog[a.Key], since[a.Key] = b, a.At
			if b+(a.Cost-1)*c.Window > c.Burst*c.Window {
				want[i] = simtest.Rejected(a.At, "limiter")
				continue
			}
			backlog[a.Key] += a.Cost * c.Window
			at := a.At + (max(0, b-delay*c.Window)+c.Count-1)/c.Count
			switch {
			case nodelay:
				want[i] = simtest.Admitted(a.At, "limiter")
			case at >= c.End:
				want[i] = simtest.Waiting
			default:
				want[i] = simtest.Admitted(at, "limiter")
			}
		}
		c.Compare(t, want)
	})
}
