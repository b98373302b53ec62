package measure

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var policedMetrics = []catalog.Metric{
	{Name: "policed_pct", Unit: "%", Most: 100, Full: true, Better: -1, Formula: "100 * admitted cost rejected by an exact token bucket behind the limiter / admitted cost",
		Doc: "Share of the admitted cost that a token bucket of depth max(B, largest cost), placed behind the limiter from the start of the run, would reject; rejected cost is not charged."},
}

// policedMeter puts an exact token bucket for each key behind the limiter. The
// level of a key is the amount that its bucket lacks to be full, in 1/p of a
// request.
//
// As long as nothing is rejected, that amount is the level of burstMeter. With
// few keys it is copied from there until a key first exceeds its bucket.
type policedMeter struct {
	follows           *keyMeter // nil once the meter computes levels itself
	rate              rate
	changed           []rate // rates after the coming changes
	atLeast           int64  // the largest cost
	depth             int64
	fits              bool // depth fits in maxUnits
	keys              []drain
	admitted, refused int64
	touched           int64 // keeps the result of perkey.Touch alive
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
	if r.cfg.Keys <= fewKeys && len(r.cfg.Changes) == 0 {
		m.follows = r.keys
	}
	return m
}

// fewKeys is the number of keys up to which copying the levels of all keys
// costs less than computing them row by row.
const fewKeys = 1 << 10

// change keeps the level of each bucket, up to its new depth.
func (m *policedMeter) change(c counter.Change) {
	depth := max(c.Limit.Burst, m.atLeast)
	if m.fits = m.fits && depth <= m.rate.maxCost; !m.fits {
		return
	}
	depth *= m.rate.p
	for i := range m.keys {
		k := &m.keys[i]
		if *k == (drain{}) {
			continue // no request for this key yet
		}
		*k = drain{max(0, m.rate.drained(k.level, c.At-k.at)+depth-m.depth), c.At}
	}
	m.depth = depth
	m.rate, m.changed = m.changed[0], m.changed[1:]
}

func (m *policedMeter) Flow(f *Flow) {
	if !m.fits || f.Sum.Admitted == 0 || m.follow(f) {
		return
	}
	times, costs, keys := f.admitted()
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
			no = (depth - missing - charge) >> 63 // all bits are set if the cost does not fit
		}
		refused += cost & no
		*k = drain{missing + charge&^no, t}
	}
	if !f.early {
		m.admitted += admitted
		m.refused += refused
	}
}

// follow copies the levels of burstMeter after a block that rejects nothing,
// and returns true. In any other case it does nothing and returns false.
// burstMeter begins with the span, so it cannot be used if cost was admitted
// before.
func (m *policedMeter) follow(f *Flow) bool {
	if m.follows == nil {
		return false
	}
	burst, states := m.follows.burst, m.follows.keys
	if f.early || burst.all.overflow || burst.all.level > m.depth {
		m.follows = nil
		return false
	}
	if rows := f.Key; len(rows) < len(states) {
		for _, key := range rows {
			m.keys[key] = drain{states[key].all, states[key].at}
		}
	} else {
		for key := range states {
			if k := &states[key]; k.at != unseen {
				m.keys[key] = drain{k.all, k.at}
			}
		}
	}
	m.admitted += f.Sum.Admitted
	return true
}

func (m *policedMeter) Figures(emit Emit) string { return policedFigures([]*policedMeter{m}, emit) }

func policedFigures(policies []*policedMeter, emit Emit) (none string) {
	var admitted, refused int64
	for _, m := range policies {
		if !m.fits {
			return "the bucket does not fit in 64 bits at this limit's resolution"
		}
		admitted += m.admitted
		refused += m.refused
	}
	emit.ratio("policed_pct", 100, refused, admitted)
	return "nothing admitted"
}
