package rover

import (
	"math"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// exactClock credits whole tokens and keeps the remainder, without dividing time. It
// counts the tokens credited since a base time. At now it credits
// floor((now-base)*N/P) less that count, computed in 128 bits, where N/P is the rate
// in lowest terms. The stamp that this stands for is base + credited*P/N, including
// a fraction of a nanosecond.
//
// The base and the rate are immutable, in a line; the count is the one word for
// which replenishers race. Any change (a new rate, a large count) installs a new
// line. The old line is frozen first, by the top bit of its count, so that no credit
// can happen between reading the count and the change.
type exactClock struct {
	line      atomic.Pointer[line]
	threshold uint64
}

const (
	frozen   = 1 << 63 // top bit of line.credited: the line is being replaced
	rebaseAt = 1 << 62 // limits the count of a line
)

// line is the number of tokens over time: N tokens per P ns, counted from base.
type line struct {
	rate     uint64 // tokens per period, as configured
	period   int64  // ns, as configured
	num, per uint64 // N and P
	base     int64  // ns
	credited atomic.Uint64
}

func newExactClock(rate uint64, per int64, threshold uint64, start int64) *exactClock {
	c := &exactClock{threshold: threshold}
	c.line.Store(newLine(rate, per, start))
	return c
}

func newLine(rate uint64, per, base int64) *line {
	d := integers.GCD(rate, uint64(per))
	return &line{rate: rate, period: per, num: rate / d, per: uint64(per) / d, base: base}
}

// from returns the same line counted from another base, with this many tokens
// credited since.
func (l *line) from(base int64, credited uint64) *line {
	n := &line{rate: l.rate, period: l.period, num: l.num, per: l.per, base: base}
	n.credited.Store(credited)
	return n
}

// earned returns the whole tokens of a time, cut at 2^64-1.
func (l *line) earned(ns uint64) uint64 { return integers.MulDiv(ns, l.num, l.per, math.MaxUint64) }

// at returns when the last of some tokens was earned, rounded up to a whole ns, and cut at the
// end of time: the stamp for the credited ones.
func (l *line) at(tokens uint64) int64 {
	if l.num == 0 {
		return l.base
	}
	left := math.MaxInt64 - uint64(l.base) // until then, of a base before 0 too
	return int64(uint64(l.base) + integers.MulDivUp(tokens, l.per, l.num, left))
}

func (c *exactClock) credit(now int64, b *Bucket) uint64 {
	for {
		l := c.line.Load()
		credited := l.credited.Load()
		if credited&frozen != 0 {
			// Complete the change instead of waiting for the goroutine that froze the line.
			c.line.CompareAndSwap(l, l.from(l.base, credited&^frozen))
			continue
		}
		if now <= l.base || l.num == 0 {
			return 0
		}
		elapsed := uint64(now) - uint64(l.base)
		earned := l.earned(elapsed)
		if earned < credited || earned-credited < c.threshold {
			return 0
		}
		x, room := earned-credited, b.Room() // what is above 2^64 tokens has no room
		if earned >= rebaseAt {
			rest := elapsed % l.per // the base moves by whole multiples of P ns
			return min(room, c.replace(l, credited, l.from(now-int64(rest), l.earned(rest)), x))
		}
		if !l.credited.CompareAndSwap(credited, earned) {
			return 0
		}
		return min(room, x)
	}
}

// replace credits x by installing a new line. It credits nothing if another goroutine
// was faster.
func (c *exactClock) replace(l *line, credited uint64, next *line, x uint64) uint64 {
	if !l.credited.CompareAndSwap(credited, credited|frozen) || !c.line.CompareAndSwap(l, next) {
		return 0
	}
	return x
}

// change freezes the line and installs what next makes of it, and repeats that
// until no other goroutine interferes.
func (c *exactClock) change(next func(l *line, credited uint64) *line) {
	for {
		l := c.line.Load()
		credited := l.credited.Or(frozen) &^ frozen
		if c.line.CompareAndSwap(l, next(l, credited)) {
			return
		}
	}
}

func (c *exactClock) readyAt() int64 {
	l := c.line.Load()
	if l.num == 0 {
		return math.MaxInt64
	}
	return l.at(l.credited.Load()&^frozen + c.threshold)
}

func (c *exactClock) rate() uint64 { return c.line.Load().rate }

func (c *exactClock) updateRate(r uint64) {
	c.change(func(l *line, credited uint64) *line {
		if r == l.rate {
			return l.from(l.base, credited)
		}
		return newLine(r, l.period, l.at(credited))
	})
}

func (c *exactClock) stamp() int64 {
	l := c.line.Load()
	return l.at(l.credited.Load() &^ frozen)
}

func (c *exactClock) setStamp(at int64) {
	c.change(func(l *line, _ uint64) *line { return l.from(at, 0) })
}
