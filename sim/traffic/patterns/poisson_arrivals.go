package patterns

import "github.com/limitgauge/limitgauge/internal/random"

// poissonArrivals computes a Poisson process of constant rate. It adds up
// exponential gaps with a fraction of a nanosecond, so that rounding errors do
// not accumulate.
type poissonArrivals struct {
	at       int64  // the next arrival, rounded down
	fraction uint64 // of a nanosecond, in 2^-64 ns, in addition to at
	scale    random.Scale
	gap      int64 // mean gap in ns, at least 1
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

// ahead is the number of draws made at a time: enough for the processor to
// compute several at once, few enough for the first-level cache.
const ahead = 64

// fill writes arrivals before end.
func (m *poissonArrivals) fill(draws *random.Stream, times []int64, end int64) int {
	if m.none {
		return 0
	}
	var room [ahead]uint64
	filled := 0
	for filled < len(times) && m.at < end {
		// Draw about as many gaps as arrivals are still to come, so that short
		// segments do not draw in vain.
		gaps := room[:min(ahead, len(times)-filled, int(min((end-m.at)/m.gap, ahead))+4)]
		draws.FillExponential(gaps)
		n, at, fraction := m.scale.AdvanceAll(times[filled:], gaps, m.at, m.fraction, end)
		m.at, m.fraction = at, fraction
		filled += n
		*draws = draws.Jumped(-uint64(len(gaps) - n)) // unused draws are drawn again later
	}
	return filled
}

// segments is a sequence of Poisson processes with a rate each.
type segments struct {
	draws    random.Stream
	arrivals poissonArrivals // of the current segment
	end      int64           // of the current segment
}

// fill writes arrivals before to. It calls turn to begin the next segment.
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
