package measure

import (
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var policedMetrics = []catalog.Metric{
	{Name: "policed_pct", Unit: "%", Full: true, Better: -1, Formula: "100 * admitted cost refused by an exact token bucket behind the system / admitted cost",
		Doc: "Share of what was let through that a token bucket of depth max(B, largest cost), placed behind the limiter from the run's start, would refuse; what it refuses is not charged."},
}

// policedMeter puts an exact token bucket per key behind the system. A key's
// level is what is missing from its full bucket, in 1/p of a request.
//
// While nothing was refused, what is missing is what burstMeter follows. Of a
// single key it is taken from there until it first goes beyond the bucket.
type policedMeter struct {
	follows           *keyMeter // nil once it follows the key itself
	rate              rate
	changed           []rate // still to come
	atLeast           int64  // the largest cost
	depth             int64
	fits              bool // depth fits in maxUnits
	keys              []drain
	admitted, refused int64
	touched           int64 // keeps what Touch has read
}

func newPolicedMeter(r *Recorder) Reporter {
	rate, changed, ok := r.cfg.rates()
	depth := max(r.cfg.Burst, r.cfg.LargestCost)
	m := &policedMeter{
		rate:    rate,
		changed: changed,
		atLeast: r.cfg.LargestCost,
		depth:   depth * rate.p,
		fits:    ok && depth <= rate.maxCost,
		keys:    make([]drain, r.cfg.Keys),
	}
	if r.cfg.Keys == 1 && len(r.cfg.Changes) == 0 {
		m.follows = r.keys
	}
	return m
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

func (m *policedMeter) Admitted(a *Admitted, measured bool) {
	if !m.fits || a.Flow.Sum.Admitted == 0 || m.follow(a, measured) {
		return
	}
	times, costs, keys := a.Rows()
	if states := m.keys; len(states) > perkey.Many {
		m.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].at })
	}
	keys, costs = keys[:len(times)], costs[:len(times)]
	r, depth := m.rate, m.depth
	var admitted, refused int64
	for i, t := range times {
		k, cost := &m.keys[keys[i]], costs[i]
		missing := r.drained(k.level, t-k.at)
		admitted += cost
		charge, no := cost*r.p, int64(-1)
		if cost <= r.maxCost {
			no = (depth - missing - charge) >> 63 // all bits set where it does not fit
		}
		refused += cost & no
		*k = drain{missing + charge&^no, t}
	}
	if measured {
		m.admitted += admitted
		m.refused += refused
	}
}

// follow takes over what burstMeter has found out about a block of the only key.
// It reports whether the bucket refuses nothing of it; if not, it has done
// nothing. A burst begins with the span, so that it knows too little where
// something was let through before.
func (m *policedMeter) follow(a *Admitted, measured bool) bool {
	if m.follows == nil {
		return false
	}
	burst, k := m.follows.burst, &m.follows.keys[0]
	if !measured || burst.overflow || burst.peak > m.depth {
		m.follows = nil
		return false
	}
	m.keys[0] = drain{k.level, k.at}
	m.admitted += a.Flow.Sum.Admitted
	return true
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
