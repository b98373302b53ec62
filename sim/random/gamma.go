package random

import (
	"fmt"
	"math"
)

// GammaBits is the position of the binary point of a gamma draw.
const GammaBits = 52

// Gamma is the gamma distribution of mean 1 and a coefficient of variation,
// which is the standard deviation over the mean: at 1 the exponential
// distribution, above 1 many small draws and few large ones.
//
// It is the method of Marsaglia and Tsang, "A simple method for generating gamma
// variables" (2000). The floats of it are sums, products and roots, which are
// exactly rounded on every processor; each product is converted, so that none
// is fused with a sum.
type Gamma struct {
	variance float64 // 1/shape
	d, c     float64 // of the shape, or of the shape + 1 where that is below 1
}

// NewGamma returns the distribution of a coefficient of variation of num/den
// between 0.1 and 10; anything else panics.
func NewGamma(num, den int64) Gamma {
	cv := float64(num) / float64(den)
	if !(cv >= 0.1 && cv <= 10) {
		panic(fmt.Sprintf("random: no gamma distribution of coefficient of variation %d/%d", num, den))
	}
	g := Gamma{variance: float64(cv * cv)}
	shape := 1 / g.variance
	if shape < 1 {
		shape++
	}
	g.d = shape - 1.0/3
	g.c = 1 / math.Sqrt(9*g.d)
	return g
}

// Fill fills dst with draws in units of 2^-52, less than 4096.
func (g Gamma) Fill(s *Stream, dst []uint64) {
	state, gamma := s.state, s.gamma // where the loop keeps them in registers
	for i := range dst {
		// A draw of a shape of at least 1 and scale 1 is d*v.
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
		if g.variance > 1 {
			// Of a shape k below 1 it is a draw of k+1 times U^(1/k).
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

// stays reports whether a draw u lets a normal x stay, v being (1 + c*x)^3.
func (g *Gamma) stays(u uint64, x, v float64) bool {
	below := float64(float64(x*x)/2) + g.d - float64(g.d*v) + float64(g.d*logarithm(v))
	return -exponential(u) < below
}

// surelyStays is true only where stays is, and mostly then, without a
// logarithm: the squeeze of the same paper. What is taken off it is more than
// all that stays may be wrong by.
func surelyStays(u uint64, x float64) bool {
	const margin = 1.0 / (1 << 20)
	square := x * x
	return float64(int64(u>>11)) < (1-margin-squeeze*square*square)*(1<<53)
}

const squeeze = 0.0331

func exponential(u uint64) float64 { return float64(minusLog(u)) / (1 << ExponentialBits) }

// logarithm is ln(x) of a normal number above 0, within 2^-32.
func logarithm(x float64) float64 {
	number := math.Float64bits(x) // x = 1.mantissa * 2^(number>>52 - 1023)
	exponent := int(number>>52) - 1022
	return float64(float64(exponent)*math.Ln2) - float64(minusLog(1<<63|number<<11))/(1<<ExponentialBits)
}

// power is e^x of an x of 0 or less, within a relative 2^-30.
func power(x float64) float64 {
	binary := float64(x * math.Log2E)
	whole := math.Floor(binary)
	if whole < -1000 {
		return 0
	}
	// The part behind the point in units of 2^-64, by halves of 32 bits: all of
	// it at once would branch at 2^63, where nobody can guess.
	part := (binary - whole) * (1 << 32)
	high := int64(part)
	low := int64((part - float64(high)) * (1 << 32))
	power := math.Float64frombits(uint64(1023+int(whole)) << 52) // of 2
	return float64(int64(powerOf2(uint64(high<<32+low)))) / (1 << 62) * power
}
