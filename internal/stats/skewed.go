package stats

import "math"

// Bounded is a mean with the bounds of its 95 % interval.
type Bounded struct {
	Mean, Lo, Hi float64
	// Needed is about how many values the interval needs to cover 95 %, if they are
	// too skewed for their number, and otherwise 0.
	Needed int
}

// OfSkewed returns the mean of independent values and its 95 % interval. Values of rare
// or heavy-tailed events are skewed, and the mean of ten of them, too: the symmetric
// interval of Student's t covers 90 % for an exponential distribution, and misses on
// one side. So t is transformed by a cubic that removes the skewness of its
// distribution: Hall, "On the removal of skewness by transformation", Journal of the
// Royal Statistical Society B 54 (1992), with the quantile of Student's t in place of
// the normal one. Without skewness it is the interval of OfMean. docs/statistics.md has
// the study of what it covers. A single value, and equal ones, have an interval of
// width 0. It panics on no values.
func OfSkewed(values []float64) Bounded {
	mean, variance := moments(values)
	if variance == 0 {
		return Bounded{mean, mean, mean, 0}
	}
	n := float64(len(values))
	skew := Skewness(values)
	needed := 0
	if square := float64(skew * skew); square > n/2 {
		needed = 10 * int(math.Ceil(square/5))
	}
	sd, quantile := math.Sqrt(variance), T975(len(values)-1)
	at := func(t float64) float64 {
		root := untwist(t/math.Sqrt(n)-skew/float64(6*n), skew/3)
		return mean - float64(sd*root)
	}
	return Bounded{mean, at(quantile), at(-quantile), needed}
}

// Skewness estimates the skewness of the distribution of values. Equal values, and fewer
// than three, have none.
func Skewness(values []float64) float64 {
	n := float64(len(values))
	mean, spread := moments(values)
	if n < 3 || spread == 0 {
		return 0
	}
	squares, cubes := 0.0, 0.0
	for _, x := range values {
		d := x - mean
		squares += float64(d * d)
		cubes += float64(float64(d*d) * d)
	}
	variance := squares / n
	return cubes / n / float64(variance*math.Sqrt(variance)) * math.Sqrt(n*(n-1)) / (n - 2)
}

// untwist returns the x with x + a*x^2 + a^2*x^3/3 = y, which rises with y.
func untwist(y, a float64) float64 {
	if math.Abs(a) < 1e-6 {
		return y - float64(a*y)*y
	}
	return (cubeRoot(1+float64(3*a*y)) - 1) / a
}

// cubeRoot returns the cube root of x within 1e-15 of it, with the same bits on every
// machine, which math.Cbrt does not have.
func cubeRoot(x float64) float64 {
	if x == 0 {
		return 0
	}
	fraction, exponent := math.Frexp(math.Abs(x))
	for ; exponent%3 != 0; exponent++ {
		fraction /= 2
	}
	root := 0.5 + fraction/2 // of a fraction from 1/8 to 1
	for range 6 {            // Newton's method
		root = float64(2*root+fraction/float64(root*root)) / 3
	}
	return math.Copysign(math.Ldexp(root, exponent/3), x)
}
