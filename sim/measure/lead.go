package measure

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var leadMetrics = []catalog.Metric{
	{Name: "lead_max", Unit: "tokens", Better: -1, Formula: "sup over t of (A - A*)+, per key, then the largest",
		Doc: "Largest cost by which any key was ahead of the reference since the start of the span; it grows with the length of the run."},
	{Name: "lag_max", Unit: "tokens", Better: -1, Formula: "sup over t of (A* - A)+, per key, then the largest",
		Doc: "Largest cost by which any key was behind the reference since the start of the span; it grows with the length of the run."},
}

// balance is A - A* of a key and the time of its last change.
type balance struct{ ahead, at int64 }

// leadMeter follows A - A* per key. Only the value at the end of an instant
// counts, so the order of rows within an instant does not matter.
type leadMeter struct {
	keys      []balance
	changed   []int32 // scratch space: the rows of a block that change a balance
	lead, lag int64
	seen      bool
}

func newLeadMeter(r *Recorder) Reporter { return &leadMeter{keys: make([]balance, r.cfg.Keys)} }

func (m *leadMeter) Flow(f *Flow) {
	if m.seen = m.seen || !f.early; f.early || f.asReference() {
		return
	}
	n := len(f.Time)
	keys, admitted, reference := f.Key[:n], f.Admitted[:n], f.Reference[:n]
	if n > len(m.changed) {
		m.changed = make([]int32, n)
	}
	// Most rows change nothing, but which ones cannot be predicted.
	rows, count := m.changed[:n], 0
	for i := range rows {
		rows[count] = int32(i)
		gain := admitted[i] - reference[i]
		count += int(uint64(gain|-gain) >> 63) // 1 if it is not 0
	}
	lead, lag := m.lead, m.lag
	for _, i := range rows[:count] {
		k, t := &m.keys[keys[i]], f.Time[i]
		if t != k.at {
			lead, lag = max(lead, k.ahead), max(lag, -k.ahead)
		}
		*k = balance{k.ahead + admitted[i] - reference[i], t}
	}
	m.lead, m.lag = lead, lag
}

// asReference reports whether every row admitted what the reference did, as
// with an exact limiter.
func (f *Flow) asReference() bool {
	return f.Sum.Admitted == f.Sum.Reference &&
		(len(f.Admitted) == 0 || &f.Admitted[0] == &f.Reference[0] || slices.Equal(f.Admitted, f.Reference))
}

func (m *leadMeter) close(int64) {
	for _, k := range m.keys {
		m.lead, m.lag = max(m.lead, k.ahead), max(m.lag, -k.ahead)
	}
}

func (m *leadMeter) Figures(emit Emit) string {
	if m.seen {
		emit.count("lead_max", m.lead)
		emit.count("lag_max", m.lag)
	}
	return noTraffic
}
