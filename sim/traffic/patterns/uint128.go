package patterns

import "math/bits"

// uint128 is an unsigned 128-bit integer. Its operations wrap around. Callers
// must show that this does not happen.
type uint128 struct{ hi, lo uint64 }

func times64(x, y uint64) uint128 {
	hi, lo := bits.Mul64(x, y)
	return uint128{hi, lo}
}

func (a uint128) add(b uint128) uint128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return uint128{a.hi + b.hi + carry, lo}
}

func (a uint128) sub(b uint128) uint128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return uint128{a.hi - b.hi - borrow, lo}
}

func (a uint128) times(y uint64) uint128 {
	hi, lo := bits.Mul64(a.lo, y)
	return uint128{hi + a.hi*y, lo}
}

func (a uint128) less(b uint128) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a uint128) shiftRight(by int) uint128 {
	if by >= 64 {
		return uint128{0, a.hi >> (by - 64)}
	}
	return uint128{a.hi >> by, a.lo>>by | a.hi<<(64-by)}
}

func (a uint128) len() int {
	if a.hi != 0 {
		return 64 + bits.Len64(a.hi)
	}
	return bits.Len64(a.lo)
}

func uint128Of(x int64) uint128 { return uint128{0, uint64(x)} }
