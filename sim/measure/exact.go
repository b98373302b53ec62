package measure

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// exactFloat is the largest integer up to which a float64 holds every integer.
const exactFloat = 1 << 53

// ratio returns factor*num/den, correctly rounded. Exact counts become floats
// only here, so no figure depends on the order of operations or on the machine.
// den must not be 0. The product of factor and num, both non-negative, may
// exceed 64 bits.
func ratio(factor, num, den int64) float64 {
	hi, lo := bits.Mul64(uint64(factor), uint64(num))
	if factor >= 0 && num >= 0 && hi == 0 && lo <= exactFloat && den > 0 && den <= exactFloat {
		return float64(lo) / float64(den)
	}
	n := new(big.Int).Mul(big.NewInt(factor), big.NewInt(num))
	return quotient(n, big.NewInt(den))
}

// quotient returns num/den, correctly rounded.
func quotient(num, den *big.Int) float64 {
	x, _ := new(big.Rat).SetFrac(num, den).Float64()
	return x
}

// product returns the product of xs without overflow.
func product(xs ...int64) *big.Int {
	p := big.NewInt(1)
	for _, x := range xs {
		p.Mul(p, big.NewInt(x))
	}
	return p
}

// sum128 sums non-negative integers in 128 bits.
type sum128 struct{ hi, lo uint64 }

func (s *sum128) add(x int64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, uint64(x), 0)
	s.hi += carry
}

func (s *sum128) addProduct(a, b int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

func (s *sum128) big() *big.Int {
	x := new(big.Int).SetUint64(s.hi)
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(s.lo))
}

// rate is a limit in lowest terms: n requests per p ns. Quantities that drain
// at this rate are counted in 1/p of a request: one request is p units, and n
// units drain in each ns.
type rate struct {
	n, p     int64
	maxCost  int64 // largest cost that fits in maxUnits
	maxDrain int64 // ns in which any quantity up to maxUnits drains
}

func rateOf(limit, window int64) rate {
	common := integers.GCD(limit, window)
	return newRate(limit/common, window/common)
}

func newRate(n, p int64) rate {
	return rate{n: n, p: p, maxCost: (maxUnits - 1) / p, maxDrain: maxUnits/n + 1}
}

// maxUnits is the largest quantity in 1/p of a request. The sum of two does not
// overflow.
const maxUnits = 1 << 62

// drained returns x after dt >= 0 ns, at least 0.
func (r rate) drained(x, dt int64) int64 {
	return max(0, x-r.n*min(dt, r.maxDrain))
}

// rank returns the nearest rank of a quantile in permille among n samples, from
// 1.
func rank(permille, n int64) int64 {
	return max(1, n/1000*permille+(n%1000*permille+999)/1000)
}

// ScaleName formats a duration in its largest whole unit: "1 s", "100 ms".
func ScaleName(ns int64) string {
	for _, u := range []struct {
		ns   int64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}} {
		if ns >= u.ns && ns%u.ns == 0 {
			return fmt.Sprintf("%d %s", ns/u.ns, u.name)
		}
	}
	return fmt.Sprintf("%d ns", ns)
}
