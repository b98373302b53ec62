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

// Draw is a draw in units of 2^-52, less than 4096.
func (g Gamma) Draw(s *Stream) uint64 {
	x := float64(g.ordinary(s) * g.variance)
	if g.variance > 1 {
		// Of a shape k below 1 it is a draw of k+1 times U^(1/k).
		x = float64(x * power(-float64(exponential(s)*g.variance)))
	}
	const most = 1 << (64 - GammaBits)
	if x >= most {
		return math.MaxUint64
	}
	return uint64(x * (1 << GammaBits))
}

// ordinary is a draw of a shape of at least 1 and scale 1.
func (g Gamma) ordinary(s *Stream) float64 {
	for {
		x := float64(s.Normal()) / (1 << NormalBits)
		v := 1 + float64(g.c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		below := float64(float64(x*x)/2) + g.d - float64(g.d*v) + float64(g.d*logarithm(v))
		if -exponential(s) < below {
			return float64(g.d * v)
		}
	}
}

func exponential(s *Stream) float64 { return float64(s.Exponential()) / (1 << ExponentialBits) }

// logarithm is ln(x) of a normal number above 0, within 2^-32.
func logarithm(x float64) float64 {
	fraction, exponent := math.Frexp(x) // of [0.5, 1)
	return float64(float64(exponent)*math.Ln2) - float64(minusLog(uint64(fraction*(1<<64))))/(1<<ExponentialBits)
}

// power is e^x of an x of 0 or less, within a relative 2^-30.
func power(x float64) float64 {
	binary := float64(x * math.Log2E)
	whole := math.Floor(binary)
	if whole < -1000 {
		return 0
	}
	return math.Ldexp(float64(powerOf2(uint64((binary-whole)*(1<<64))))/(1<<62), int(whole))
}
