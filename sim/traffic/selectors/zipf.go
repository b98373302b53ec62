package selectors

import (
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
)

// zipf selects id i with a probability proportional to (i+1)^-s in constant
// time, by Walker's alias method. The weights, in units of which there are 2^32
// per id, are placed in cells of 2^32 units; at most two ids share a cell.
//
// Weights have an error of at most one unit. An id with a share below about
// 2^-32 of an average id's share may never be selected.
type zipf struct{ cells []cell }

// cell belongs to its own id up to the cut, and to the other id beyond.
type cell struct {
	cut   uint32
	other int32
}

// newZipf returns a zipf with an exponent s of 0 to 15, the largest that fits
// its fixed point.
func newZipf(count int, s float64) zipf { return zipf{buildCells(share(inversePowers(count, s)))} }

func (z zipf) Random() bool { return true }

func (z zipf) Fill(draws *random.Stream, column []int32) {
	var room [64]uint64
	for len(column) > 0 {
		some := room[:min(len(room), len(column))]
		draws.FillUint64(some)
		z.choose(some, column)
		column = column[len(some):]
	}
}

// choose converts draws to ids. It is a separate loop because cells may be
// cache misses: with fewer instructions for each, the processor waits for more
// of them at the same time.
func (z zipf) choose(draws []uint64, column []int32) {
	cells := z.cells
	n := uint64(len(cells))
	for i, u := range draws {
		// The integer part of u*n is the cell, its fraction the position
		// inside. No id is favoured by more than n/2^64.
		id, place := bits.Mul64(u, n)
		c := cells[id]
		chosen := int32(id)
		if uint32(place>>32) >= c.cut {
			chosen = c.other
		}
		column[i] = chosen
	}
}

// share scales weights in place so that they average exactly 2^32. It rounds
// cumulative sums, so rounding errors do not accumulate.
func share(weights []uint64) []uint64 {
	var hi, lo, carry uint64
	for _, w := range weights {
		lo, carry = bits.Add64(lo, w, 0)
		hi += carry
	}
	// Sums are shifted to 63 bits.
	shift := uint(max(0, 64+bits.Len64(hi)-63))
	if hi == 0 {
		shift = uint(max(0, bits.Len64(lo)-63))
	}
	cut := func(hi, lo uint64) uint64 {
		if shift >= 64 {
			return hi >> (shift - 64)
		}
		return lo>>shift | hi<<(64-shift)
	}
	total := cut(hi, lo)
	all := uint64(len(weights)) << 32
	before := uint64(0)
	hi, lo = 0, 0
	for i, w := range weights {
		lo, carry = bits.Add64(lo, w, 0)
		hi += carry
		top, low := bits.Mul64(cut(hi, lo), all)
		upTo, _ := bits.Div64(top, low, total)
		weights[i] = upTo - before
		before = upTo
	}
	return weights
}

// buildCells fills the cells by Vose's method: an id with less than a cell
// gives the rest of its cell to an id with more. It overwrites weights, which
// must average exactly 2^32.
func buildCells(weights []uint64) []cell {
	const full = 1 << 32
	cells := make([]cell, len(weights))
	// Allocating both at full size costs less than growing them.
	small, large := make([]int32, 0, len(weights)), make([]int32, 0, len(weights))
	for id := len(weights) - 1; id >= 0; id-- {
		if weights[id] < full {
			small = append(small, int32(id))
		} else {
			large = append(large, int32(id))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		p, r := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		cells[p] = cell{cut: uint32(weights[p]), other: r}
		weights[r] -= full - weights[p]
		if weights[r] < full {
			large = large[:len(large)-1]
			small = append(small, r)
		}
	}
	// Because sums are exact, each remaining id has exactly its own cell.
	for _, id := range large {
		cells[id] = cell{other: id}
	}
	return cells
}

// inversePowers returns i^-s for i of 1..n in units of 2^-63. It uses integers
// only, because package math may differ between processors in the last bit. It
// computes the powers of primes; the others are their products.
func inversePowers(n int, s float64) []uint64 {
	exponent := uint64(math.Ldexp(s, 52)) // in 2^-52, exactly for s of 1 or more
	powers := make([]uint64, n)
	at := func(i int32) *uint64 { return &powers[i-1] }
	*at(1) = 1 << 63
	smallest := make([]int32, n+1) // smallest prime factor of each number
	var primes []int32
	for i := int32(2); int(i) <= n; i++ {
		if smallest[i] == 0 {
			smallest[i] = i
			primes = append(primes, i)
			*at(i) = inversePower(uint64(i), exponent)
		} else {
			p := smallest[i]
			*at(i) = times63(*at(p), *at(i / p))
		}
		for _, p := range primes {
			if p > smallest[i] || int64(p)*int64(i) > int64(n) {
				break
			}
			smallest[p*i] = p
		}
	}
	return powers
}

// times63 multiplies in units of 2^-63, rounding down.
func times63(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi<<1 | lo>>63
}

// inversePower returns i^-s in units of 2^-63 for s in units of 2^-52: 2 to the
// power of -s*log2(i).
func inversePower(i, s uint64) uint64 {
	hi, lo := bits.Mul64(s, log2(i)) // in 2^-110
	whole, fraction := hi>>46, hi<<18|lo>>46
	if whole >= 64 {
		return 0
	}
	const ln2 = 0xb17217f7d1cf79ab // in 2^-64
	x, _ := bits.Mul64(fraction, ln2)
	x >>= 1 // in 2^-63
	// exp(-x) = 1 - x + x^2/2! - x^3/3! and so on.
	sum, term := uint64(1<<63), uint64(1<<63)
	for k := uint64(1); term > 0; k++ {
		term = times63(term, x) / k
		if k%2 == 1 {
			sum -= term
		} else {
			sum += term
		}
	}
	return sum >> whole
}

// log2 returns the binary logarithm of i >= 1 in units of 2^-58, rounded down.
// It computes it bit by bit: squaring a number doubles its logarithm.
func log2(i uint64) uint64 {
	whole := bits.Len64(i) - 1
	m := i << (63 - whole) // in 2^-63, of [1, 2)
	log := uint64(whole)
	for range 58 {
		hi, lo := bits.Mul64(m, m) // in 2^-126, of [1, 4)
		bit := hi >> 63
		log = log<<1 | bit
		m = hi<<(1-bit) | lo>>63>>bit // no branch: the bit cannot be predicted
	}
	return log
}
