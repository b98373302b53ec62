package patterns

import (
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
)

// rampArrivals computes the times at which the integral of a slope's rate
// reaches whole numbers, rounded down.
type rampArrivals struct {
	slope
	start  int64
	total  uint128 // F at the end
	unit   uint128 // F of one arrival
	target uint128 // F at the next arrival
	ahead  uint64  // target/length modulo 2^64
	t      uint64  // the last arrival

	// F(t) = t*(first + second*t). If narrow, the sum fits 64 bits and is
	// computed modulo 2^64.
	first, second           uint64
	narrow                  bool
	firstFloat, secondFloat float64
}

// newRampArrivals starts a slope. The first arrival comes when the integral
// reaches ahead/(2*scale).
func newRampArrivals(start int64, s slope, ahead uint64) rampArrivals {
	return rampArrivals{
		slope: s, start: start, total: s.integral(s.length), unit: s.arrival(), target: times64(s.length, ahead), ahead: ahead,
		first: 2 * s.length * s.a0, second: s.a1 - s.a0,
		narrow:     1+bits.Len64(s.length)+bits.Len64(max(s.a0, s.a1)) <= 64,
		firstFloat: 2 * float64(s.length) * float64(s.a0), secondFloat: float64(s.a1) - float64(s.a0),
	}
}

// left returns how far the next arrival is beyond the end of the slope, as the
// parameter ahead of the next slope: the integral that must still be reached,
// times 2*scale. It is less than one arrival, so 64 bits suffice.
func (c *rampArrivals) left() uint64 { return c.ahead - c.length*(c.a0+c.a1) }

// fill writes arrivals before end and before the end of the slope.
func (c *rampArrivals) fill(_ *random.Stream, times []int64, end int64) int {
	for i := range times {
		if !c.target.less(c.total) {
			return i
		}
		t := c.guess()
		if !c.reached(t) {
			t = c.bisect(c.t, c.length)
		}
		if c.start+int64(t) >= end {
			return i
		}
		times[i] = c.start + int64(t)
		c.t = t
		c.target = c.target.add(c.unit)
		c.ahead += 2 * c.scale
	}
	return len(times)
}

// skip passes over the arrivals before t.
func (c *rampArrivals) skip(t uint64) {
	c.t = t
	for shift := 62; shift >= 0; shift-- {
		if c.unit.len()+shift > 126 {
			continue
		}
		last := c.target.add(c.unit.times(1<<shift - 1)) // of 2^shift arrivals
		if last.less(c.integral(t)) {
			c.target = last.add(c.unit)
			c.ahead += 2 * c.scale << shift
		}
	}
}

// guess returns an estimate of the time at which F reaches the target: the root
// of its quadratic in floats. It is nearly always right. Differences between
// processors only cost time, because F itself decides.
func (c *rampArrivals) guess() uint64 {
	target := float64(int64(c.target.hi))*(1<<64) + 2*float64(int64(c.target.lo>>1))
	root := math.Sqrt(c.firstFloat*c.firstFloat + 4*c.secondFloat*target)
	return uint64(int64(2 * target / (c.firstFloat + root)))
}

// reached reports whether t is the arrival time, F(t) <= target < F(t+1), for
// any t.
func (c *rampArrivals) reached(t uint64) bool {
	if !c.narrow {
		return t < c.length && !c.target.less(c.integral(t)) && c.target.less(c.integral(t+1))
	}
	rest := c.target.sub(times64(c.first+c.second*t, t))
	return rest.hi == 0 && rest.lo < c.first+c.second*(2*t+1) && t < c.length
}

// bisect returns the arrival time between low and high, with F(low) <= target <
// F(high).
func (c *rampArrivals) bisect(low, high uint64) uint64 {
	for high-low > 1 {
		if at := low + (high-low)/2; c.target.less(c.integral(at)) {
			high = at
		} else {
			low = at
		}
	}
	return low
}
