package random

import (
	"fmt"
	"math"
	"math/bits"
)

// GammaBits is the position of the binary point of a gamma draw.
const GammaBits = 52

// Gamma is the gamma distribution with mean 1 and a given coefficient of
// variation, which is the standard deviation divided by the mean. With 1 it is
// the exponential distribution; above 1 many draws are small and few are large.
//
// The method is that of Marsaglia and Tsang, "A simple method for generating
// gamma variables" (2000). Its float operations are sums, products and roots,
// which every processor rounds exactly. Each product is converted so that the
// compiler does not fuse it with a sum.
type Gamma struct {
	variance float64 // 1/shape
	d, c     float64 // of the shape, or of the shape + 1 if raised
	raised   bool    // the shape is below 1
}

// NewGamma returns the distribution with a coefficient of variation of num/den
// between 0.1 and 10. It panics for any other value.
func NewGamma(num, den int64) Gamma {
	cv := float64(num) / float64(den)
	if !(cv >= 0.1 && cv <= 10) {
		panic(fmt.Sprintf("random: no gamma distribution of coefficient of variation %d/%d", num, den))
	}
	g := Gamma{variance: float64(cv * cv)}
	shape := 1 / g.variance
	if g.raised = shape < 1; g.raised {
		shape++
	}
	return g.of(shape)
}

// of returns g with draws of a shape of at least 1.
func (g Gamma) of(shape float64) Gamma {
	g.d = shape - 1.0/3
	g.c = 1 / math.Sqrt(9*g.d)
	return g
}

// Residual draws the time that is left, at an instant chosen without regard to it,
// of an interval whose length has the distribution, in units of 2^-52: the
// equilibrium distribution of renewal theory. The interval that contains the
// instant has shape+1, and the instant is uniform in it.
func (g Gamma) Residual(s *Stream) uint64 {
	g.raised = false
	var whole [1]uint64
	g.of(1/g.variance+1).Fill(s, whole[:])
	left, _ := bits.Mul64(whole[0], s.Uint64())
	return left
}

// Fill fills dst with draws in units of 2^-52, each below 4096.
func (g Gamma) Fill(s *Stream, dst []uint64) {
	state, gamma := s.state, s.gamma // local copies stay in registers
	for i := range dst {
		// A draw with a shape of at least 1 and scale 1 is d*v.
		var v float64
		for {
			x := float64(normal(minusLog(mix(state+gamma)), mix(state+2*gamma))) / (1 << NormalBits)
			state += 2 * gamma
			v = 1 + float64(g.c*x)
			if v <= 0 {
				continue
			}
			v = float64(float64(v*v) * v)
			state += gamma
			if u := mix(state); surelyStays(u, x) || g.stays(u, x, v) {
				break
			}
		}
		draw := float64(float64(g.d*v) * g.variance)
		if g.raised {
			// A draw with a shape k below 1 is a draw with shape k+1 times
			// U^(1/k).
			state += gamma
			draw = float64(draw * power(-float64(exponential(mix(state))*g.variance)))
		}
		const most = 1 << (64 - GammaBits)
		if draw < most {
			dst[i] = uint64(draw * (1 << GammaBits))
		} else {
			dst[i] = math.MaxUint64
		}
	}
	s.state = state
}

// stays reports whether the uniform draw u accepts the normal draw x, with v =
// (1 + c*x)^3.
func (g *Gamma) stays(u uint64, x, v float64) bool {
	below := float64(float64(x*x)/2) + g.d - float64(g.d*v) + float64(g.d*logarithm(v))
	return -exponential(u) < below
}

// surelyStays returns true only if stays does, and usually then, without
// computing a logarithm: the squeeze of the same paper. The margin is larger
// than the error of stays.
func surelyStays(u uint64, x float64) bool {
	const margin = 1.0 / (1 << 20)
	square := x * x
	return float64(int64(u>>11)) < (1-margin-squeeze*square*square)*(1<<53)
}

const squeeze = 0.0331

func exponential(u uint64) float64 { return float64(minusLog(u)) / (1 << ExponentialBits) }

// logarithm returns ln(x) of a normal number above 0, within 2^-32.
func logarithm(x float64) float64 {
	number := math.Float64bits(x) // x = 1.mantissa * 2^(number>>52 - 1023)
	exponent := int(number>>52) - 1022
	return float64(float64(exponent)*math.Ln2) - float64(minusLog(1<<63|number<<11))/(1<<ExponentialBits)
}

// power returns e^x for x <= 0, within a relative 2^-30.
func power(x float64) float64 {
	binary := float64(x * math.Log2E)
	whole := math.Floor(binary)
	if whole < -1000 {
		return 0
	}
	// The fraction in units of 2^-64, in two halves of 32 bits: converting it
	// at once would branch at 2^63 unpredictably.
	part := (binary - whole) * (1 << 32)
	high := int64(part)
	low := int64((part - float64(high)) * (1 << 32))
	power := math.Float64frombits(uint64(1023+int(whole)) << 52) // power of 2
	return float64(int64(powerOf2(uint64(high<<32+low)))) / (1 << 62) * power
}
