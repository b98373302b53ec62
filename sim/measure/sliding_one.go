package measure

import "unsafe"

// slidingOfOne is the slidingMeter of a trial with one key and one limit in the
// full metric set. It need not look at each admission.
type slidingOfOne struct {
	cfg       *Config
	intervals intervalQueue
	seen      bool
}

func newSlidingOfOne(c *Config) *slidingOfOne {
	return &slidingOfOne{cfg: c, intervals: newIntervalQueue(c.Window, c.Memory/2)}
}

func (m *slidingOfOne) Flow(f *Flow) {
	m.seen = m.seen || !f.early
	m.intervals.take(f.Time, f.Admitted, !f.early)
}

func (m *slidingOfOne) largest() (map[int64]int64, string) {
	if m.intervals.full {
		return nil, m.intervals.need.reason(int64(unsafe.Sizeof(instant{})))
	}
	return map[int64]int64{m.cfg.Limit: m.intervals.peak.most}, ""
}

func (m *slidingOfOne) Figures(emit Emit) string { return slidingFigure(m.cfg, m.seen, m, emit) }
