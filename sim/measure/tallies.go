package measure

import (
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// admitCauses and rejectCauses list the causes that a limiter can state for an
// admission and for a rejection.
var (
	admitCauses  = []counter.Cause{counter.ByLimiter, counter.ByLocal, counter.ByCache, counter.ByFailOpen}
	rejectCauses = []counter.Cause{counter.ByLimiter, counter.ByLocal, counter.ByCache, counter.ByFailClosed, counter.ByMaxWait}
)

func tallyMetrics() []catalog.Metric {
	count := func(name, what string, better int) []catalog.Metric {
		return []catalog.Metric{
			{Name: name + "_requests", Unit: "requests", Formula: "attempts that arrived in the span and " + what,
				Doc: "Exact count of attempts that arrived in the measured span and " + what + ".", Better: better},
			{Name: name + "_cost", Unit: "cost", Formula: "their cost",
				Doc: "Total cost of attempts that arrived in the measured span and " + what + ".", Better: better},
		}
	}
	all := count("offered", "were made", 0)
	all = append(all, count("admitted", "were admitted", 0)...)
	all = append(all, count("rejected", "were rejected", 0)...)
	all = append(all, count("waiting", "were still waiting when the run ended", -1)...)
	all = append(all, count("delayed", "were admitted after a wait inside the limiter", -1)...)
	all = append(all, count("timed_out", "timed out before the limiter's response arrived", -1)...)
	for _, c := range admitCauses {
		all = append(all, count("admitted_"+causeName(c), "were admitted by "+c.String(), 0)...)
	}
	for _, c := range rejectCauses {
		all = append(all, count("rejected_"+causeName(c), "were rejected by "+c.String(), 0)...)
	}
	return append(all, catalog.Metric{Name: "rejected_pct", Unit: "%", Most: 100, Formula: "100*rejected_requests/offered_requests",
		Doc: "Share of attempts that were rejected."})
}

func causeName(c counter.Cause) string { return strings.ReplaceAll(c.String(), "-", "_") }

// tally counts attempts and their cost.
type tally struct{ requests, cost int64 }

func (t *tally) add(cost int64) { t.requests++; t.cost += cost }

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
	if b.Seen <= counter.Admitted { // no attempt of the block has another cause
		yes, no := &m.ended[counter.Admitted], &m.ended[counter.Rejected]
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

// totals returns the sums over causes.
func (m *tallyMeter) totals() (offered, admitted, rejected tally) {
	for v, t := range m.ended {
		sum := &rejected
		if counter.Verdict(v).Admitted() {
			sum = &admitted
		}
		sum.requests += t.requests
		sum.cost += t.cost
	}
	offered.requests = admitted.requests + rejected.requests + m.waiting.requests
	offered.cost = admitted.cost + rejected.cost + m.waiting.cost
	return offered, admitted, rejected
}

func (m *tallyMeter) Figures(emit Emit) {
	count := func(name string, t tally) {
		emit(name+"_requests", Number(float64(t.requests)))
		emit(name+"_cost", Number(float64(t.cost)))
	}
	offered, admitted, rejected := m.totals()
	count("offered", offered)
	count("admitted", admitted)
	count("rejected", rejected)
	count("waiting", m.waiting)
	count("delayed", m.delayed)
	count("timed_out", m.timedOut)
	for _, c := range admitCauses {
		count("admitted_"+causeName(c), m.ended[counter.MakeVerdict(true, c)])
	}
	for _, c := range rejectCauses {
		count("rejected_"+causeName(c), m.ended[counter.MakeVerdict(false, c)])
	}
	emit.ratio("rejected_pct", 100, rejected.requests, offered.requests, "no attempts")
}
