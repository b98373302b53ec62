package random

import (
	"fmt"
	"math/bits"
)

// Pareto is the Pareto distribution: a draw exceeds x with probability
// (least/x)^shape. The variance is infinite for a shape of 2 or less, the mean
// for a shape of 1 or less.
type Pareto struct {
	least    uint64
	slope    uint64 // log2(e)/shape in units of 2^-63
	num, den uint64 // the shape
}

// log2e is log2(e) in units of 2^-63, to the nearest.
const log2e = 0xb8aa3b295c17f0bc

// NewPareto returns the distribution with a least draw of 0..MaxLatency ns and
// a shape of num/den, at least 1. It panics for any other value.
func NewPareto(least, num, den int64) Pareto {
	if least < 0 || least > MaxLatency || den < 1 || num < den {
		panic(fmt.Sprintf("random: no Pareto distribution from %d ns of shape %d/%d", least, num, den))
	}
	hi, lo := bits.Mul64(log2e, uint64(den))
	slope, _ := bits.Div64(hi, lo, uint64(num))
	return Pareto{uint64(least), slope, uint64(num), uint64(den)}
}

// Draw returns least * 2^(log2(e)*E/shape) for an exponential draw E, in ns, at
// most 32*MaxLatency.
func (p Pareto) Draw(s *Stream) int64 {
	exponent, _ := bits.Mul64(s.Exponential(), p.slope) // 2^-57
	return timesPowerOf2(p.least, int64(exponent>>6))
}

// Residual draws the time that is left, at an instant chosen without regard to it,
// of an interval whose length has the distribution, in ns: the equilibrium
// distribution of renewal theory. It is uniform below least with probability
// (shape-1)/shape, and otherwise a Pareto draw of shape-1. The shape must be at
// least 1.02.
func (p Pareto) Residual(s *Stream) int64 {
	above := p.num - p.den
	if s.Chance(above, p.num) {
		return int64(s.Below(max(1, p.least)))
	}
	hi, lo := bits.Mul64(log2e, p.den)
	slope, _ := bits.Div64(hi>>6, hi<<58|lo>>6, above) // log2(e)/(shape-1), 2^-57
	exponent, _ := bits.Mul64(s.Exponential(), slope)  // 2^-51
	return timesPowerOf2(p.least, int64(exponent))
}
