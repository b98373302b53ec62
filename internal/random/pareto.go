package random

import (
	"fmt"
	"math/bits"
)

// Pareto is the Pareto distribution: a draw exceeds x with probability
// (least/x)^shape. The variance is infinite for a shape of 2 or less, the mean
// for a shape of 1 or less.
type Pareto struct {
	least uint64
	slope uint64 // log2(e)/shape in units of 2^-63
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
	return Pareto{uint64(least), slope}
}

// Draw returns least * 2^(log2(e)*E/shape) for an exponential draw E, in ns, at
// most 32*MaxLatency.
func (p Pareto) Draw(s *Stream) int64 {
	exponent, _ := bits.Mul64(s.Exponential(), p.slope) // 2^-57
	return timesPowerOf2(p.least, int64(exponent>>6))
}
