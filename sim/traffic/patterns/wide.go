package patterns

import "math/bits"

// wide is an unsigned 128-bit integer. Its operations wrap around; those who
// use them have shown beforehand that they do not.
type wide struct{ hi, lo uint64 }

func times64(x, y uint64) wide {
	hi, lo := bits.Mul64(x, y)
	return wide{hi, lo}
}

func (a wide) add(b wide) wide {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return wide{a.hi + b.hi + carry, lo}
}

func (a wide) sub(b wide) wide {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return wide{a.hi - b.hi - borrow, lo}
}

func (a wide) times(y uint64) wide {
	hi, lo := bits.Mul64(a.lo, y)
	return wide{hi + a.hi*y, lo}
}

func (a wide) less(b wide) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a wide) shiftRight(by int) wide {
	if by >= 64 {
		return wide{0, a.hi >> (by - 64)}
	}
	return wide{a.hi >> by, a.lo>>by | a.hi<<(64-by)}
}

func (a wide) len() int {
	if a.hi != 0 {
		return 64 + bits.Len64(a.hi)
	}
	return bits.Len64(a.lo)
}

func wideOf(x int64) wide { return wide{0, uint64(x)} }
