package measure

import (
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// admitCauses and rejectCauses list the causes that a limiter can state for an
// admission and for a rejection.
var (
	admitCauses  = []counting.Cause{counting.ByLimiter, counting.ByLocal, counting.ByCache, counting.ByFailOpen}
	rejectCauses = []counting.Cause{counting.ByLimiter, counting.ByLocal, counting.ByCache, counting.ByFailClosed, counting.ByMaxWait}
)

// tallied is a kind of attempts that are counted.
type tallied struct {
	name, what string
	better     int
	of         func(*tallyMeter) tally
}

func allTallied() []tallied {
	list := []tallied{
		{"offered", "were made", 0, (*tallyMeter).offered},
		{"admitted", "were admitted", 0, func(m *tallyMeter) tally { return m.decided(true) }},
		{"rejected", "were rejected", 0, func(m *tallyMeter) tally { return m.decided(false) }},
		{"waiting", "were still waiting when the run ended", -1, func(m *tallyMeter) tally { return m.waiting }},
		{"delayed", "were admitted after a wait inside the limiter", -1, func(m *tallyMeter) tally { return m.delayed }},
		{"timed_out", "timed out before the limiter's response arrived", -1, func(m *tallyMeter) tally { return m.timedOut }},
	}
	byCause := func(verb string, admitted bool, causes []counting.Cause) {
		for _, c := range causes {
			list = append(list, tallied{verb + "_" + strings.ReplaceAll(c.String(), "-", "_"), "were " + verb + " by " + c.String(), 0,
				func(m *tallyMeter) tally { return m.ended[counting.MakeVerdict(admitted, c)] }})
		}
	}
	byCause("admitted", true, admitCauses)
	byCause("rejected", false, rejectCauses)
	return list
}

func tallyMetrics() (all []catalog.Metric) {
	for _, t := range allTallied() {
		all = append(all,
			catalog.Metric{Name: t.name + "_requests", Unit: "requests", Formula: "attempts that arrived in the span and " + t.what,
				Doc: "Exact count of attempts that arrived in the measured span and " + t.what + ".", Better: t.better},
			catalog.Metric{Name: t.name + "_cost", Unit: "tokens", Formula: "their cost",
				Doc: "Total cost of attempts that arrived in the measured span and " + t.what + ".", Better: t.better})
	}
	return append(all, catalog.Metric{Name: "rejected_pct", Unit: "%", Most: 100, Formula: "100*rejected_requests/offered_requests",
		Doc: "Share of attempts that were rejected."},
		catalog.Metric{Name: "timed_out_pct", Unit: "%", Most: 100, Better: -1, Formula: "100*timed_out_requests/offered_requests",
			Doc: "Share of attempts that timed out before the limiter's response arrived."})
}

// tally counts attempts and their cost.
type tally struct{ requests, cost int64 }

func (t *tally) add(cost int64) { t.requests++; t.cost += cost }

func (t tally) plus(o tally) tally { return tally{t.requests + o.requests, t.cost + o.cost} }

// tallyMeter counts attempts by their outcome. Every attempt that arrived in
// the span is exactly one of admitted, rejected and waiting.
type tallyMeter struct {
	ended    [16]tally // indexed by verdict, which includes the cause
	waiting  tally
	delayed  tally
	timedOut tally
}

func newTallyMeter(r *Recorder) Reporter {
	r.tallies = &tallyMeter{}
	return r.tallies
}

func (m *tallyMeter) Immediate(b *Immediate) {
	if b.Seen <= counting.Admitted { // no attempt of the block has another cause
		yes, no := &m.ended[counting.Admitted], &m.ended[counting.Rejected]
		yes.requests += b.AdmittedAttempts
		yes.cost += b.Admitted
		no.requests += int64(len(b.Verdict)) - b.AdmittedAttempts
		no.cost += b.Offered - b.Admitted
		return
	}
	for i, v := range b.Verdict {
		m.ended[v&15].add(b.Cost[i])
	}
}

func (m *tallyMeter) Outcomes(block []Outcome) {
	for i := range block {
		o := &block[i]
		if o.TimedOut {
			m.timedOut.add(o.Cost)
		}
		if o.Waiting {
			m.waiting.add(o.Cost)
			continue
		}
		m.ended[o.Verdict&15].add(o.Cost)
		if o.Waited > 0 && o.Verdict.Admitted() {
			m.delayed.add(o.Cost)
		}
	}
}

// decided returns the sum over the causes of admissions or of rejections.
func (m *tallyMeter) decided(admitted bool) (sum tally) {
	for v, t := range m.ended {
		if counting.Verdict(v).Admitted() == admitted {
			sum = sum.plus(t)
		}
	}
	return sum
}

func (m *tallyMeter) offered() tally {
	return m.decided(true).plus(m.decided(false)).plus(m.waiting)
}

func (m *tallyMeter) Figures(emit Emit) string {
	for _, t := range allTallied() {
		count := t.of(m)
		emit.count(t.name+"_requests", count.requests)
		emit.count(t.name+"_cost", count.cost)
	}
	emit.ratio("rejected_pct", 100, m.decided(false).requests, m.offered().requests)
	emit.ratio("timed_out_pct", 100, m.timedOut.requests, m.offered().requests)
	return "no attempts"
}
