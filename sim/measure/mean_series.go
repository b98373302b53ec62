package measure

import "math/bits"

// meanSeries is a number over time: its time-weighted mean in each bin of a series,
// rounded. A value that is replaced at the same time does not count.
type meanSeries struct {
	start, end, bin int64
	level, since    int64
	area            sum128 // level times ns in the bin of since
	means           []int64
	filled          int
}

func newMeanSeries(c *Config) meanSeries {
	s := newSeries(c)
	return meanSeries{start: c.Start, end: c.End, bin: s.BinNs, since: c.Start, means: s.Admitted}
}

// set sets the number from now on. now must not go back.
func (s *meanSeries) set(now, n int64) {
	s.advance(min(now, s.end))
	s.level = n
}

func (s *meanSeries) advance(now int64) {
	for s.since < now {
		from := s.start + int64(s.filled)*s.bin
		to := min(now, from+s.bin)
		s.area.addProduct(s.level, to-s.since)
		if s.since = to; to == from+s.bin || to == s.end {
			s.means[s.filled] = s.area.rounded(to - from)
			s.filled++
			s.area = sum128{}
		}
	}
}

func (s *meanSeries) close(end int64) {
	s.end = end
	s.advance(end)
}

// rounded returns the sum over n, rounded. The result must fit in 63 bits.
func (s sum128) rounded(n int64) int64 {
	s.add(n / 2)
	q, _ := bits.Div64(s.hi, s.lo, uint64(n))
	return int64(q)
}
