package patterns

import "github.com/limitgauge/limitgauge/sim/random"

// memoryless yields a Poisson process of a steady rate: exponential gaps added
// up with a fraction of a nanosecond, so that no rounding accumulates.
type memoryless struct {
	at       int64  // the next arrival, rounded down
	fraction uint64 // what was cut off it, in 2^-64 ns
	scale    random.Scale
	none     bool // a rate of 0
}

func newMemoryless(draws *random.Stream, start int64, r pace) memoryless {
	if r.n == 0 {
		return memoryless{none: true}
	}
	m := memoryless{at: start, scale: random.NewScale(r.p, r.n)}
	m.skip(draws)
	return m
}

// skip passes over the next arrival.
func (m *memoryless) skip(draws *random.Stream) {
	m.at, m.fraction = m.scale.Advance(m.at, m.fraction, draws.Exponential())
}

// fill yields arrivals before end.
func (m *memoryless) fill(draws *random.Stream, times []int64, end int64) int {
	if m.none {
		return 0
	}
	at, fraction, scale := m.at, m.fraction, m.scale
	i := 0
	for ; i < len(times) && at < end; i++ {
		times[i] = at
		at, fraction = scale.Advance(at, fraction, draws.Exponential())
	}
	m.at, m.fraction = at, fraction
	return i
}
