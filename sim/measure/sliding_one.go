package measure

import (
	"slices"
	"unsafe"
)

// slidingOfOne is the slidingMeter of a trial with one key and one limit in the
// full metric set. It need not look at each admission.
type slidingOfOne struct {
	cfg       *Config
	intervals intervalQueue
	seen      bool
	part      spanPart
	most      [spanParts]int64 // the largest sum in each
}

func newSlidingOfOne(c *Config) *slidingOfOne {
	return &slidingOfOne{cfg: c, intervals: newIntervalQueue(c.Window, c.Memory/2), part: newSpanPart(c)}
}

func (m *slidingOfOne) Flow(f *Flow) {
	m.seen = m.seen || !f.early
	for lo, n := 0, len(f.Time); lo < n; {
		hi := endBefore(f.Time, lo, m.part.at(f.Time[lo]))
		most := &m.most[m.part.part]
		m.intervals.peak.most = *most
		m.intervals.take(f.Time[lo:hi], f.Admitted[lo:hi], !f.early)
		*most = m.intervals.peak.most
		lo = hi
	}
}

func (m *slidingOfOne) largest() (map[int64]int64, string) {
	if m.intervals.full {
		return nil, m.intervals.need.reason(int64(unsafe.Sizeof(instant{})))
	}
	return map[int64]int64{m.cfg.Limit: slices.Max(m.most[:])}, ""
}

func (m *slidingOfOne) half(part int) map[int64]int64 {
	return map[int64]int64{m.cfg.Limit: m.most[part]}
}

func (m *slidingOfOne) Figures(emit Emit) string { return slidingFigure(m.cfg, m.seen, m, emit) }
