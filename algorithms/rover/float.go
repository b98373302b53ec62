package rover

import (
	"math"
	"sync/atomic"
)

// floatClock is the original's clock: a stamp that moves to now with each credit,
// and a credit in float64 rounded half away from zero. It uses single divisions and
// multiplications, which all processors round correctly, so that every machine
// credits the same.
type floatClock struct {
	per       float64 // ns
	cut       float64 // the longest time credited, in periods
	threshold uint64
	tokens    atomic.Uint64 // per period
	at        atomic.Int64
}

func newFloatClock(rate uint64, per int64, threshold uint64, at int64) *floatClock {
	c := &floatClock{per: float64(per), cut: float64(maxGap) / float64(per), threshold: threshold}
	c.tokens.Store(rate)
	c.at.Store(at)
	return c
}

func (c *floatClock) credit(now int64, b *Bucket) uint64 {
	at := c.at.Load()
	if now <= at {
		return 0
	}
	// As an unsigned number the difference is exact even above 2^63.
	x := c.earned(uint64(now) - uint64(at))
	if x < c.threshold {
		return 0
	}
	room := b.Room()
	if !c.at.CompareAndSwap(at, now) {
		return 0
	}
	return min(room, x)
}

// earned returns the credit for a gap in ns, before the threshold.
func (c *floatClock) earned(gap uint64) uint64 {
	periods := min(float64(gap)/c.per, c.cut)
	return uint64(math.Round(float64(c.tokens.Load()) * periods))
}

// readyAt returns the time at which the threshold is earned. It searches for the
// shortest gap by bisection, because the credit never falls as the gap grows.
func (c *floatClock) readyAt() int64 {
	at := c.at.Load()
	if c.earned(uint64(maxGap)) < c.threshold {
		return math.MaxInt64
	}
	short, gap := int64(0), maxGap // too short, and long enough
	for gap-short > 1 {
		if middle := short + (gap-short)/2; c.earned(uint64(middle)) < c.threshold {
			short = middle
		} else {
			gap = middle
		}
	}
	if gap > math.MaxInt64-max(at, 0) {
		return math.MaxInt64
	}
	return at + gap
}

func (c *floatClock) rate() uint64        { return c.tokens.Load() }
func (c *floatClock) updateRate(r uint64) { c.tokens.Store(r) }
func (c *floatClock) stamp() int64        { return c.at.Load() }
func (c *floatClock) setStamp(at int64)   { c.at.Store(at) }
