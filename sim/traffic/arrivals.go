package traffic

import "github.com/limitgauge/limitgauge/internal/random"

// An entry's rate is taken from so many arrivals that they cover a part of its time, and from
// at most mostSampled.
const (
	leastSampled = 16 * BlockSize
	mostSampled  = 256 * BlockSize
	sampledPart  = 1000 // one part in so many
)

// Arrivals estimates how many arrivals a replication has until end, in ns: for
// progress and for the time that a run takes. It is exact for recordings and for
// entries of fewer than leastSampled arrivals, and takes the rate of the first ones of
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

// arrivals estimates the arrivals of an entry that ends at to. A herd, whose first ones all
// arrive at one instant, has no rate: then it is their number.
func (s *entrySource) arrivals(to int64) float64 {
	if s.crew != nil { // at least one call for each job
		return float64(max(s.crew.Stock, s.crew.Workers))
	}
	var first, last int64
	times := make([]int64, BlockSize)
	clock := s.pattern.Open(random.New(1, 0, s.name+"/times"))
	n := 0
	for n < leastSampled || n < mostSampled && last-first < (to-first)/sampledPart {
		got := clock.Fill(times)
		if n == 0 && got > 0 {
			first = times[0]
		}
		n += got
		if got < BlockSize {
			return float64(n)
		}
		last = times[got-1]
	}
	if last == first {
		return float64(n)
	}
	return float64(n) * max(1, float64(to-first)/float64(last-first))
}
