package patterns

import "math/bits"

const (
	sineNodeBits = 10
	sineNodes    = 1 << sineNodeBits // straight pieces in a period
	sineOne      = 1 << 24           // 1 in the units of the table
)

// sineAt returns sin(2*pi*k/sineNodes) in units of 1/sineOne, rounded to
// nearest, for k of 0..sineNodes.
func sineAt(k int) int64 { return int64(sineWave[k]) }

var sineWave = makeSineWave()

func makeSineWave() (table [sineNodes + 1]int32) {
	const quarter = sineNodes / 4
	for k, height := range makeSineQuarter() {
		table[k], table[2*quarter-k] = height, height
		table[2*quarter+k], table[4*quarter-k] = -height, -height
	}
	return table
}

// halfPi is pi/2 in units of 2^-62, rounded down.
const halfPi = 0x6487ed5110b4611a

// makeSineQuarter returns the first quarter of the wave. It sums the power
// series of the sine, x - x^3/3! + x^5/5! and so on, in integers. The error is
// far below half a unit of the table.
func makeSineQuarter() (table [sineNodes/4 + 1]int32) {
	const one62 = 1 << 62
	mul := func(a, b uint64) uint64 { // in units of 2^-62
		hi, lo := bits.Mul64(a, b)
		return hi<<2 | lo>>62
	}
	for k := range table {
		hi, lo := bits.Mul64(halfPi, uint64(k))
		x := hi<<56 | lo>>8 // halfPi * k/256
		term, sum := x, x
		for n := uint64(3); term > 0; n += 2 {
			term = mul(mul(term, x), x) / (n * (n - 1))
			if n%4 == 3 {
				sum -= term
			} else {
				sum += term
			}
		}
		const unit = one62 / sineOne
		table[k] = int32((sum + unit/2) / unit)
	}
	return table
}
