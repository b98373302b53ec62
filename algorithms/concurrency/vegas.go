package concurrency

import "math"

// Vegas estimates the requests that wait in the backend from the least time of an answer,
// and keeps them few. Source: VegasLimit of Netflix/concurrency-limits, without smoothing,
// as by default.
type Vegas struct {
	limit, min, max float64
	least           float64 // ns, 0 before the first answer
	answers         int64   // since the last probe
	jitter          float64 // in [0.5, 1)
	random          Random
}

// probeAfter is how many answers a probe waits for, in limits, before its jitter.
const probeAfter = 30

// NewVegas returns the law. Its source has 20 at first, in [1, 1000].
func NewVegas(r Range, random Random) *Vegas {
	v := &Vegas{limit: float64(r.Initial), min: float64(r.Min), max: float64(r.Max), random: random}
	v.draw()
	return v
}

// draw sets the jitter of the next probe, a multiple of 2^-53.
func (v *Vegas) draw() { v.jitter = 0.5 + float64(float64(v.random.Uint64()>>12)/(1<<53)) }

// Limit implements Law.
func (v *Vegas) Limit() int64 { return int64(v.limit) }

// Answer implements Law. A probe takes the time of this answer for the least, and sends no
// requests.
func (v *Vegas) Answer(s Sample) {
	rtt := s.rtt()
	v.answers++
	if float64(v.jitter*probeAfter)*v.limit <= float64(v.answers) {
		v.draw()
		v.answers, v.least = 0, rtt
		return
	}
	if v.least == 0 || rtt < v.least {
		v.least = rtt
		return
	}
	step := digits(int64(v.limit))
	queue := math.Ceil(v.limit * float64(1-float64(v.least/rtt)))
	limit := v.limit
	switch {
	case s.Dropped:
		limit -= step
	case float64(2*s.InFlight) < limit:
		return
	case queue <= step:
		limit += 6 * step
	case queue < 3*step:
		limit += step
	case queue > 6*step:
		limit -= step
	default:
		return
	}
	v.limit = max(v.min, min(v.max, limit))
}

// digits returns the whole part of the decimal logarithm of n, 1 at least.
func digits(n int64) float64 {
	log := 1.0
	for ; n >= 100; n /= 10 {
		log++
	}
	return log
}
