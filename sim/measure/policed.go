package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var policedMetrics = []catalog.Metric{
	{Name: "policed_pct", Unit: "%", Full: true, Better: -1, Formula: "100 * admitted cost refused by an exact token bucket behind the system / admitted cost",
		Doc: "Share of what was let through that a token bucket of depth max(B, largest cost), placed behind the limiter from the run's start, would refuse; what it refuses is not charged."},
}

// policedMeter puts an exact token bucket per key behind the system. A key's
// level is what is missing from its full bucket, in 1/p of a request.
type policedMeter struct {
	rate              rate
	changed           []rate // still to come
	atLeast           int64  // the largest cost
	depth             int64
	fits              bool // depth fits in maxUnits
	keys              []drain
	admitted, refused int64
}

func newPolicedMeter(r *Recorder) Reporter {
	rate, changed, ok := r.cfg.rates()
	depth := max(r.cfg.Burst, r.cfg.LargestCost)
	return &policedMeter{
		rate:    rate,
		changed: changed,
		atLeast: r.cfg.LargestCost,
		depth:   depth * rate.p,
		fits:    ok && depth <= rate.maxCost,
		keys:    make([]drain, r.cfg.Keys),
	}
}

// change keeps what each bucket holds, cut to its new depth.
func (m *policedMeter) change(c Change) {
	depth := max(c.Burst, m.atLeast)
	if m.fits = m.fits && depth <= m.rate.maxCost; !m.fits {
		return
	}
	depth *= m.rate.p
	for i := range m.keys {
		k := &m.keys[i]
		if *k == (drain{}) {
			continue // nobody has asked for it yet
		}
		*k = drain{max(0, m.rate.drained(k.level, c.At-k.at)+depth-m.depth), c.At}
	}
	m.depth = depth
	m.rate, m.changed = m.changed[0], m.changed[1:]
}

func (m *policedMeter) Early(f *Flow) { m.police(f) }

func (m *policedMeter) Flow(f *Flow) {
	admitted, refused := m.police(f)
	m.admitted += admitted
	m.refused += refused
}

func (m *policedMeter) police(f *Flow) (admitted, refused int64) {
	if !m.fits {
		return 0, 0
	}
	for i, cost := range f.Admitted {
		if cost == 0 {
			continue
		}
		admitted += cost
		k := &m.keys[f.Key[i]]
		missing := m.rate.drained(k.level, f.Time[i]-k.at)
		if cost > m.rate.maxCost || missing+cost*m.rate.p > m.depth {
			refused += cost
		} else {
			missing += cost * m.rate.p
		}
		*k = drain{missing, f.Time[i]}
	}
	return admitted, refused
}

func (m *policedMeter) Figures(emit Emit) {
	switch {
	case !m.fits:
		emit("policed_pct", NoData("the bucket does not fit in 64 bits at this limit's resolution"))
	case m.admitted == 0:
		emit("policed_pct", NoData("nothing admitted"))
	default:
		emit("policed_pct", Number(ratio(100, m.refused, m.admitted)))
	}
}
