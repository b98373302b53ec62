package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

func secondMetrics(of string) []catalog.Metric {
	m := "fairness_" + of + "_1s_"
	doc := "over the whole calendar seconds of the span in which at least two " + of + "s have demand and something is admitted."
	return []catalog.Metric{
		{Name: m + "jain_mean", Unit: "ratio", Most: 1, Better: +1, Formula: "mean over seconds of Jain's index", Doc: "Jain's index of each second's active " + of + "s, averaged " + doc},
		{Name: m + "jain_worst", Unit: "ratio", Most: 1, Better: +1, Formula: "min over seconds of Jain's index", Doc: "The lowest Jain's index of a second, " + doc},
		{Name: m + "min_mean", Unit: "ratio", Better: +1, Formula: "mean over seconds of min x_g", Doc: "Lowest ratio of admitted cost to fair share of any active " + of + " in a second, averaged " + doc},
		{Name: m + "min_worst", Unit: "ratio", Better: +1, Formula: "min over seconds of min x_g", Doc: "Lowest ratio of admitted cost to fair share of any active " + of + " in the worst second, " + doc},
		{Name: m + "max_mean", Unit: "ratio", Better: -1, Formula: "mean over seconds of max x_g", Doc: "Highest ratio of admitted cost to fair share of any active " + of + " in a second, averaged " + doc},
		{Name: m + "max_worst", Unit: "ratio", Better: -1, Formula: "max over seconds of max x_g", Doc: "Highest ratio of admitted cost to fair share of any active " + of + " in the worst second, " + doc},
	}
}

const second = int64(1e9)

// servedFlow is the demand of a flow in a second, which is the cost offered and
// the cost waiting at its start, and the cost admitted by the limiter and by the
// reference.
type servedFlow struct {
	demand, admitted, reference int64
	id                          int32
}

// secondsMeter measures fairness in each calendar second. It lists the flows
// that are active in the second, including those that wait from before, so its
// time is proportional to their number. It skips seconds in which nothing is
// admitted.
//
// If all flows share one key, it passes its sums on to the fairness over the span,
// which then need not read the rows.
type secondsMeter struct {
	cfg    *Config
	of     string
	column func(*Flow) []int32
	rule   yardstick
	span   *fairnessMeter // nil if it reads the rows itself
	flows  []flowCost     // in the current second
	waits  backlogs

	references []int64      // by flow, in the current second, if the rule is ownLimit
	pairs      *pairSeconds // if the rule is sumOfKeys
	listed     []bool
	active     []int32
	now        int64 // the current second

	touched int64 // keeps the result of perkey.Touch alive

	// Scratch space of turn.
	served            []servedFlow
	demands           demandGroups
	each              []int64 // scratch space of level
	offered, admitted []int64

	jain, low, high evenness // over seconds
}

func newTenantSeconds(r *Recorder) Reporter {
	return newSecondsMeter(r, r.tenants, r.cfg.Tenants)
}

func newClientSeconds(r *Recorder) Reporter {
	return newSecondsMeter(r, r.clients, r.cfg.Clients)
}

func newSecondsMeter(r *Recorder, span *fairnessMeter, flows int) Reporter {
	m := &secondsMeter{cfg: &r.cfg, of: span.of, column: span.column, rule: span.rule, now: r.cfg.Start / second}
	if flows < 2 {
		return reportOnly{m} // fairness needs two flows
	}
	m.flows, m.listed = make([]flowCost, flows), make([]bool, flows)
	switch m.rule {
	case sharedKey:
		m.span = span
	case ownLimit:
		m.references = make([]int64, flows)
	case sumOfKeys:
		m.pairs = newPairSeconds(&r.cfg, flows)
		span.pairs = m.pairs
	}
	return m
}

// reportOnly hides the streams of a meter that need not receive them.
type reportOnly struct{ Reporter }

// Flow splits the block into runs of rows in one second. Only the waiting cost
// of early rows counts.
func (m *secondsMeter) Flow(f *Flow) {
	if m.span != nil {
		m.span.wait(f)
	}
	if f.early {
		m.wait(f, 0, len(f.Time))
		return
	}
	m.touch(m.column(f))
	for lo, n := 0, len(f.Time); lo < n; {
		now := f.Time[lo] / second
		hi := endBefore(f.Time, lo, (now+1)*second)
		if now != m.now {
			m.turn()
			m.now = now
		}
		m.add(f, lo, hi)
		m.wait(f, lo, hi)
		lo = hi
	}
}

// turn measures the current second, passes its sums on and keeps the flows that
// still wait.
func (m *secondsMeter) turn() {
	m.served = m.served[:0]
	for lo := 0; lo < len(m.active); lo += atOnce {
		m.empty(m.active[lo:min(lo+atOnce, len(m.active))])
	}
	m.keep()
	if m.pairs != nil {
		m.pairs.turn()
	}
	if m.now*second >= m.cfg.Start && (m.now+1)*second <= m.cfg.End {
		m.measure()
	}
}

// atOnce is the number of flows that are prefetched together: few enough to
// stay in the cache until they are processed.
const atOnce = 1024

// empty takes the cost of some active flows in the current second.
func (m *secondsMeter) empty(ids []int32) {
	m.touch(ids)
	m.offered, m.admitted = m.offered[:0], m.admitted[:0]
	var sum Sums
	reference := int64(0)
	for _, id := range ids {
		s := m.flows[id]
		m.flows[id] = flowCost{}
		m.offered, m.admitted = append(m.offered, s.offered), append(m.admitted, s.admitted)
		sum.Offered += s.offered
		sum.Admitted += s.admitted
		if m.references != nil {
			reference, m.references[id] = m.references[id], 0
		}
		demand := s.offered + m.waits.of(int(id)).start
		if demand > 0 || s.admitted > 0 {
			m.served = append(m.served, servedFlow{demand, s.admitted, reference, id})
		}
	}
	if m.span != nil {
		m.span.costs.add(ids, m.offered, m.admitted, sum)
	}
}

func (m *secondsMeter) measure() {
	total, active := int64(0), 0
	for _, s := range m.served {
		total += s.admitted
		if s.demand > 0 {
			active++
		}
	}
	if total == 0 || active < 2 || m.pairs != nil && m.pairs.Reason() != "" {
		return
	}
	d := fairDivision{rule: m.rule, total: total}
	switch m.rule {
	case sharedKey:
		d.level = m.level(total)
	case sumOfKeys:
		d.shares = m.pairs.shares
	}
	var e evenness
	for _, s := range m.served {
		if s.demand > 0 {
			if x, ok := d.ratio(int(s.id), s.admitted, s.demand, s.reference); ok {
				e.add(x)
			}
		}
	}
	if e.n == 0 {
		return
	}
	m.jain.add(e.jain())
	m.low.add(e.low)
	m.high.add(e.high)
}

// level returns the max-min fair division of what is admitted in the second.
func (m *secondsMeter) level(total int64) fairLevel {
	m.each = m.each[:0]
	for _, s := range m.served {
		m.each = append(m.each, s.demand)
	}
	m.demands.set(m.each)
	return m.demands.level(total)
}

func (m *secondsMeter) close(int64) { m.turn() }

func (m *secondsMeter) Figures(emit Emit) string {
	name := "fairness_" + m.of + "_1s_"
	if reason := m.cfg.tooFineFor(second); reason != "" {
		return reason
	}
	if m.pairs != nil && m.pairs.Reason() != "" {
		return m.pairs.Reason()
	}
	if m.jain.n == 0 {
		return "no second with two active " + m.of + "s"
	}
	for _, f := range []struct {
		name  string
		over  *evenness
		worst float64
	}{
		{"jain", &m.jain, m.jain.low},
		{"min", &m.low, m.low.low},
		{"max", &m.high, m.high.high},
	} {
		emit(name+f.name+"_mean", Number(f.over.sum/float64(f.over.n)))
		emit(name+f.name+"_worst", Number(f.worst))
	}
	return ""
}
