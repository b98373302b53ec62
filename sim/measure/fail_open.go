package measure

import "github.com/limitgauge/limitgauge/algorithms/counting"

// failOpenMeter counts the attempts that arrive while a fault is in force.
type failOpenMeter struct {
	episodes        []Span
	all, failedOpen int64
}

func newFailOpenMeter(r *Recorder) Reporter { return &failOpenMeter{episodes: r.cfg.episodes()} }

func (m *failOpenMeter) Immediate(b *Immediate) {
	for _, e := range m.episodes {
		lo, hi := searchTime(b.Time, e.From), searchTime(b.Time, e.To)
		for i := lo; i < hi; i++ {
			m.count(b.Verdict[i])
		}
	}
}

func (m *failOpenMeter) count(v counting.Verdict) {
	m.all++
	if v == counting.MakeVerdict(true, counting.ByFailOpen) {
		m.failedOpen++
	}
}

// Outcomes receives attempts in the order of their ends, not of their arrivals.
func (m *failOpenMeter) Outcomes(block []Outcome) {
	for _, e := range m.episodes {
		for i := range block {
			switch o := &block[i]; {
			case o.Arrival < e.From || o.Arrival >= e.To:
			case o.Waiting:
				m.all++
			default:
				m.count(o.Verdict)
			}
		}
	}
}

func (m *failOpenMeter) Figures(emit Emit) string {
	if len(m.episodes) == 0 {
		return "no faults"
	}
	emit.ratio("fail_open_share", 1, m.failedOpen, m.all)
	return "no attempts while a fault was in force"
}
