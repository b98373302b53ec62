package capacity

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Bucket is a token bucket whose rate changes. It rounds nothing: rest holds the
// earned fraction of a unit. The zero Bucket has no rate and no depth.
type Bucket struct {
	level int64 // units
	rest  int64 // units times the window's ns, less than a window
	depth int64 // units
	rate  int64 // a capacity
	at    int64 // ns
}

// Earn refills the bucket up to now.
func (b *Bucket) Earn(now, window int64) {
	if now <= b.at {
		return
	}
	hi, lo := bits.Mul64(uint64(b.rate), uint64(now-b.at))
	lo, carry := bits.Add64(lo, uint64(b.rest), 0)
	hi += carry
	b.at = now
	if hi < uint64(window) {
		if earned, rest := bits.Div64(hi, lo, uint64(window)); earned < uint64(b.depth-b.level) {
			b.level, b.rest = b.level+int64(earned), int64(rest)
			return
		}
	}
	b.level, b.rest = b.depth, 0
}

// Change gives the bucket another rate and depth from now on. A greater depth adds
// no tokens.
func (b *Bucket) Change(now, window, rate, depth int64) {
	b.Earn(now, window)
	b.rate, b.depth = rate, depth
	if b.level >= depth {
		b.level, b.rest = depth, 0
	}
}

// Fill fills the bucket at now.
func (b *Bucket) Fill(now int64) { b.level, b.rest, b.at = b.depth, 0, max(b.at, now) }

// Take takes units and reports whether the bucket held them.
func (b *Bucket) Take(units int64) bool {
	if units > b.level {
		return false
	}
	b.level -= units
	return true
}

// Level returns the units in the bucket.
func (b *Bucket) Level() int64 { return b.level }

// Rate returns the capacity at which the bucket refills.
func (b *Bucket) Rate() int64 { return b.rate }

// Depth returns the units that the bucket can hold.
func (b *Bucket) Depth() int64 { return b.depth }

// ReadyAt returns when the bucket holds this many units if nothing is taken, late by at
// most 1 ns and the time in which it earns a unit. It returns the last time for more than
// the depth.
func (b *Bucket) ReadyAt(now, window, units int64) int64 {
	b.Earn(now, window)
	switch missing := units - b.level; {
	case missing <= 0:
		return now
	case units > b.depth || b.rate == 0:
		return never
	default:
		return now + integers.MulDiv(missing, window, b.rate, never-now-1) + 1
	}
}
