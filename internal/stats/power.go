package stats

import "math"

// Noise is how much the difference of a figure between two runs varies although
// nothing changed. It is estimated from replications as SD, with DF degrees of
// freedom. The difference of the means of two runs has the standard error
// SD*PerRun.
type Noise struct {
	SD     float64
	DF     int
	PerRun float64 // 1/sqrt(n) for n pairs, sqrt(1/n+1/m) for independent runs
}

// PairNoise returns the noise of n pairs whose differences have a standard
// deviation of sd, estimated from as many.
func PairNoise(sd float64, n int) Noise { return Noise{sd, max(1, n-1), 1 / math.Sqrt(float64(n))} }

// Rule states when a gate calls a figure changed: its mean has moved by at least
// Effect, and by at least Critical standard errors, which are estimated from
// the same runs with DF degrees of freedom.
type Rule struct {
	Effect   float64 // in the figure's unit
	Critical float64
	DF       int
}

// Caught returns the smallest change of the mean that the rule catches with a
// probability of at least power, in (0, 1): averaged over what the true noise may
// be, given that it was estimated as noise (its posterior for normal differences
// with the prior 1/sigma), and over the draws of one gate. It is +Inf if no change
// is caught. A figure without noise is caught from Effect on.
func (r Rule) Caught(noise Noise, power float64) float64 {
	if noise.SD == 0 {
		return r.Effect
	}
	if math.IsInf(r.Critical, 1) {
		return math.Inf(1)
	}
	missed := r.missed(noise)
	step := noise.SD * noise.PerRun
	return decreasing(func(change float64) float64 { return missed(change) - (1 - power) }, r.Effect, r.Effect+(r.Critical+1)*step)
}

// Catches reports whether Caught is at most change, for a change of more than Effect.
// It is several times as fast.
func (r Rule) Catches(change float64, noise Noise, power float64) bool {
	if noise.SD == 0 || math.IsInf(r.Critical, 1) {
		return noise.SD == 0
	}
	return r.missed(noise)(change) <= 1-power
}

// missed returns the probability that a change is not caught, for noise above 0.
func (r Rule) missed(noise Noise) func(change float64) float64 {
	truth, estimate := spreadOf(noise.DF), spreadOf(r.DF)
	return func(change float64) float64 {
		return truth.mean(func(s float64) float64 {
			if s == 0 {
				return 1
			}
			se := noise.SD / s * noise.PerRun
			return estimate.mean(func(r2 float64) float64 {
				return normalAbove((change - max(r.Effect, r.Critical*r2*se)) / se)
			})
		})
	}
}

// TAbove returns P(t > x) for Student's t with df degrees of freedom.
func TAbove(x float64, df int) float64 { return spreadOf(df).above(x) }

// TQuantile returns the x with P(t > x) = p.
func TQuantile(p float64, df int) float64 { return spreadOf(df).quantileAbove(p) }
