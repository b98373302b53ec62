package random

import "math/big"

// cell is one piece of a tabulated curve: a quadratic in f of [0, 1), the
// fraction of the cell's width. Slope and bend are unsigned; each curve defines
// their signs.
type cell struct {
	start, slope, bend uint64
	_                  uint64 // makes 32 bytes, so that a shift finds a cell and a cell fits one cache line
}

// fit returns the coefficients of start + slope*f + bend*f^2 through the values
// of a curve at the start, the middle and the end of a cell. Slope and bend may
// be negative, in two's complement.
func fit(y0, y1, y2 uint64) (start, slope, bend uint64) {
	return y0, 4*y1 - 3*y0 - y2, 2*y0 - 4*y1 + 2*y2
}

// rootBits is the precision in which curves are computed before they are
// rounded. It is much finer than the tables, so its errors do not reach them.
const rootBits = 192

// one returns 1 in units of 2^-rootBits.
func one() *big.Int { return new(big.Int).Lsh(big.NewInt(1), rootBits) }

// times sets z to x*y, all in units of 2^-rootBits, rounded down.
func times(z, x, y *big.Int) *big.Int { return z.Rsh(z.Mul(x, y), rootBits) }

// root sets z to the square root of x, in units of 2^-rootBits, rounded down.
func root(z, x *big.Int) *big.Int { return z.Sqrt(z.Lsh(x, rootBits)) }

// round62 rounds x from units of 2^-rootBits to units of 2^-62.
func round62(x *big.Int) uint64 {
	half := new(big.Int).Lsh(big.NewInt(1), rootBits-62-1)
	return half.Rsh(half.Add(half, x), rootBits-62).Uint64()
}
