package measure

import "github.com/limitgauge/limitgauge/algorithms/counter"

// failOpenMeter counts the attempts that arrive while a fault is in force.
type failOpenMeter struct {
	episodes        []episode
	next            int // index of the first episode that may contain the next arrival
	all, failedOpen int64
}

func newFailOpenMeter(r *Recorder) Reporter { return &failOpenMeter{episodes: r.cfg.episodes()} }

func (m *failOpenMeter) Immediate(b *Immediate) {
	times := b.Time
	for lo, n := 0, len(times); lo < n && m.next < len(m.episodes); {
		e := m.episodes[m.next]
		hi := endBefore(times, lo, e.to)
		if times[n-1] >= e.to {
			m.next++
		}
		for i := lo + searchTime(times[lo:hi], e.from); i < hi; i++ {
			m.count(b.Verdict[i])
		}
		lo = hi
	}
}

func (m *failOpenMeter) count(v counter.Verdict) {
	m.all++
	if v == counter.MakeVerdict(true, counter.ByFailOpen) {
		m.failedOpen++
	}
}

// Outcomes receives attempts in the order of their ends, not of their arrivals.
func (m *failOpenMeter) Outcomes(block []Outcome) {
	if len(m.episodes) == 0 {
		return
	}
	for i := range block {
		m.outcome(&block[i])
	}
}

func (m *failOpenMeter) outcome(o *Outcome) {
	for _, e := range m.episodes {
		if e.from <= o.Arrival && o.Arrival < e.to {
			if o.Waiting {
				m.all++
			} else {
				m.count(o.Verdict)
			}
			return
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
