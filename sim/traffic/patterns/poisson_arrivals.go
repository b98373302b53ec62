package patterns

import "github.com/limitgauge/limitgauge/sim/random"

// memoryless yields a Poisson process of a steady rate: exponential gaps added
// up with a fraction of a nanosecond, so that no rounding accumulates.
type poissonArrivals struct {
	at       int64  // the next arrival, rounded down
	fraction uint64 // what was cut off it, in 2^-64 ns
	scale    random.Scale
	gap      int64 // the mean between two arrivals, ns, at least 1
	none     bool  // a rate of 0
}

func newPoissonArrivals(draws *random.Stream, start int64, r exactRate) poissonArrivals {
	if r.n == 0 {
		return poissonArrivals{none: true}
	}
	m := poissonArrivals{at: start, scale: random.NewScale(r.p, r.n), gap: max(1, r.p/r.n)}
	m.skip(draws)
	return m
}

// skip passes over the next arrival.
func (m *poissonArrivals) skip(draws *random.Stream) {
	m.at, m.fraction = m.scale.Advance(m.at, m.fraction, draws.Exponential())
}

// ahead is how many draws are made at a time: enough to keep the processor busy
// with several at once, few enough for its nearest cache.
const ahead = 64

// fill yields arrivals before end.
func (m *poissonArrivals) fill(draws *random.Stream, times []int64, end int64) int {
	if m.none {
		return 0
	}
	var room [ahead]uint64
	filled := 0
	for filled < len(times) && m.at < end {
		// About as many as are still to come, lest short stretches draw in vain.
		gaps := room[:min(ahead, len(times)-filled, int(min((end-m.at)/m.gap, ahead))+4)]
		draws.FillExponential(gaps)
		n, at, fraction := m.scale.AdvanceAll(times[filled:], gaps, m.at, m.fraction, end)
		m.at, m.fraction = at, fraction
		filled += n
		*draws = draws.Jumped(-uint64(len(gaps) - n)) // what was drawn in vain is drawn again
	}
	return filled
}

// stretches are Poisson processes one after another, each of its own rate.
type segments struct {
	draws    random.Stream
	arrivals poissonArrivals // of this one
	end      int64           // of this one
}

// fill yields arrivals before to; turn begins the next stretch.
func (s *segments) fill(times []int64, to int64, turn func()) int {
	n := 0
	for {
		n += s.arrivals.fill(&s.draws, times[n:], min(s.end, to))
		if n == len(times) || s.end >= to {
			return n
		}
		turn()
	}
}
