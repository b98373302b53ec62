package stats

import "math"

// Share returns Wilson's 95 % interval, from 0 to 1, of the probability of an outcome that
// k of n independent trials had. n must be at least 1.
func Share(k, n int) (lo, hi float64) {
	const z = 1.959963984540054
	p, trials := float64(k)/float64(n), float64(n)
	centre := p + z*z/(2*trials)
	half := z * math.Sqrt(float64(p*(1-p)/trials)+float64(z*z/(4*trials*trials)))
	scale := 1 + z*z/trials
	lo, hi = max(0, (centre-half)/scale), min(1, (centre+half)/scale)
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return lo, hi
}
