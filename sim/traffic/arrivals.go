package traffic

import "github.com/limitgauge/limitgauge/internal/random"

// sampled is the number of arrivals of an entry from which their rate is taken.
const sampled = 16 * BlockSize

// Arrivals estimates how many arrivals a replication has until end, in ns: for
// progress and for the time that a run takes. It is exact for recordings and for
// entries of fewer than sampled arrivals, and takes the rate of the first ones of
// any other.
func (p *Plan) Arrivals(end int64) float64 {
	total := 0.0
	for _, s := range p.entrySources {
		if s.recording != nil {
			total += float64(s.rows)
			continue
		}
		total += s.arrivals(min(end, s.to))
	}
	return total
}

// arrivals estimates the arrivals of an entry that ends at to.
func (s *entrySource) arrivals(to int64) float64 {
	var first, last int64
	times := make([]int64, BlockSize)
	clock := s.pattern.Open(random.New(1, 0, s.name+"/times"))
	for n := 0; n < sampled; n += BlockSize {
		got := clock.Fill(times)
		if n == 0 && got > 0 {
			first = times[0]
		}
		if got < BlockSize {
			return float64(n + got)
		}
		last = times[got-1]
	}
	return sampled * max(1, float64(to-first)/float64(max(1, last-first)))
}
