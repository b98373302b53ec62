package random

import (
	"math"
	"math/big"
	"math/bits"
)

// NormalBits is the position of the binary point of a normal draw.
const NormalBits = 48

// Normal returns a draw of the standard normal distribution in units of 2^-48.
// It takes two draws of the stream.
//
// The method is that of Box and Muller: a radius sqrt(2*E) with an exponential
// E, times the cosine of a uniform angle. The exponential is within 2^-32 and
// the cosine within 2^-28 of the exact value. The largest possible value is
// 9.42.
func (s *Stream) Normal() int64 {
	exponential := s.Exponential()
	return normal(exponential, s.Uint64())
}

// normal returns the normal draw of an exponential draw and a uniform angle.
func normal(exponential, angle uint64) int64 {
	// math.Sqrt is exactly rounded on every processor, and doubling and
	// scaling by powers of two are exact.
	radius := uint64(math.Sqrt(2*float64(exponential)) * (1 << (56 - 29))) // 2^-56
	size, _ := bits.Mul64(radius, quarterCosine(angle))
	z := int64(size >> (56 - 1 - NormalBits))
	sign := -int64(angle & 1)
	return z ^ sign - sign
}

// quarterCosine returns cos(pi/2 * angle/2^64) in units of 2^-63. A quarter of
// the wave suffices because the sign is drawn separately.
func quarterCosine(angle uint64) uint64 {
	cell := &cosineCells[angle>>56]
	f := angle << 8
	bend, _ := bits.Mul64(f, cell.bend)
	fall, _ := bits.Mul64(f, cell.slope+bend)
	return cell.start - fall
}

const cosineCellCount = 256

// cosineCells holds the first quarter of the cosine in units of 2^-63. The
// curve falls ever more steeply: start - f*(slope + f*bend).
var cosineCells = makeCosineCells()

func makeCosineCells() (cells [cosineCellCount]cell) {
	cos := cosines()
	for i := range cells {
		start, slope, bend := fit(cos[2*i], cos[2*i+1], cos[2*i+2])
		cells[i] = cell{start: 2 * start, slope: 2 * -slope, bend: 2 * -bend}
	}
	// The last cell ends at 0; rounding must not make it negative.
	last := &cells[cosineCellCount-1]
	last.start = last.slope + last.bend
	return cells
}

// cosines returns cos(pi/2 * i/512) for i of 0..512 in units of 2^-62, rounded
// to nearest. Nine halvings of the right angle with cos(x/2) = sqrt((1+cos
// x)/2) give the step d; cos((i+1)d) = 2 cos(d) cos(id) - cos((i-1)d) gives the
// rest.
func cosines() (cos [2*cosineCellCount + 1]uint64) {
	step := new(big.Int)
	for range 9 {
		step.Add(step, one())
		root(step, step.Rsh(step, 1))
	}
	before, at, next := new(big.Int).Set(step), one(), new(big.Int)
	for i := range cos[:2*cosineCellCount] {
		cos[i] = round62(at)
		times(next, step, at)
		next.Sub(next.Lsh(next, 1), before)
		before, at, next = at, next, before
	}
	return cos // the last one is cos(pi/2) = 0
}
