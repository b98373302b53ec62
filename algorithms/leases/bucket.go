package leases

import "math/bits"

// bucket is a token bucket whose rate changes. It rounds nothing: rest holds the
// earned fraction of a unit.
type bucket struct {
	level int64 // units
	rest  int64 // units times the window's ns, less than a window
	depth int64 // units
	rate  Capacity
	at    int64 // ns
}

// earn refills the bucket up to now.
func (b *bucket) earn(now, window int64) {
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

// change gives the bucket another rate and depth from now on. A greater depth adds
// no tokens.
func (b *bucket) change(now, window int64, rate Capacity, depth int64) {
	b.earn(now, window)
	b.rate, b.depth = rate, depth
	if b.level >= depth {
		b.level, b.rest = depth, 0
	}
}

// take takes units and reports whether the bucket held them.
func (b *bucket) take(units int64) bool {
	if units > b.level {
		return false
	}
	b.level -= units
	return true
}
