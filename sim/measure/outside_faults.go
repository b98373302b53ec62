package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var outsideFaultMetrics = []catalog.Metric{
	{Name: "timed_out_outside_faults_pct", Unit: "%", Full: true, Most: 100, Better: -1, Formula: "100 * timed out / attempts, of attempts with no fault in force from arrival to end",
		Doc: "Share of attempts that timed out, of those during which no fault was in force at any time from arrival to decision, or to the end of the run if they still wait then. What timed out by itself, and not because of a fault."},
}

// outsideFaultsMeter counts the attempts during which no fault is in force.
type outsideFaultsMeter struct {
	episodes      []Span
	end           int64
	all, timedOut int64
}

func newOutsideFaultsMeter(r *Recorder) Reporter {
	return &outsideFaultsMeter{episodes: r.cfg.episodes(), end: r.cfg.End}
}

func (m *outsideFaultsMeter) Immediate(b *Immediate) {
	if len(m.episodes) == 0 {
		return
	}
	m.all += int64(len(b.Time))
	for _, e := range m.episodes {
		m.all -= int64(searchTime(b.Time, max(e.To, e.From+1)) - searchTime(b.Time, e.From))
	}
}

// Outcomes receives attempts in the order of their ends.
func (m *outsideFaultsMeter) Outcomes(block []Outcome) {
	if len(m.episodes) == 0 {
		return
	}
	for i := range block {
		o := &block[i]
		ends := o.Decided
		if o.Waiting {
			ends = m.end - 1
		}
		if m.overlaps(o.Arrival, ends) {
			continue
		}
		m.all++
		if o.TimedOut {
			m.timedOut++
		}
	}
}

// overlaps reports whether a fault is in force at any time from from to to. A fault
// that happens at an instant is in force then.
func (m *outsideFaultsMeter) overlaps(from, to int64) bool {
	for _, e := range m.episodes {
		if e.From <= to && from < max(e.To, e.From+1) {
			return true
		}
	}
	return false
}

func (m *outsideFaultsMeter) Figures(emit Emit) string {
	if len(m.episodes) == 0 {
		return "no faults: timed_out_pct is about all attempts"
	}
	emit.ratio("timed_out_outside_faults_pct", 100, m.timedOut, m.all)
	return "no attempts without a fault in force"
}
