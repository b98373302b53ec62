package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var retryMetrics = []catalog.Metric{
	{Name: "retry_amplification", Unit: "ratio", Full: true, Better: -1, Formula: "attempts / fresh requests",
		Doc: "How many attempts came of a fresh request; 1 where nobody tries again."},
	{Name: "fresh_requests", Unit: "requests", Full: true, Formula: "attempts that are no retries",
		Doc: "Exact count of the requests that callers made of their own accord; the same for every algorithm."},
	{Name: "retried_requests", Unit: "requests", Full: true, Better: -1, Formula: "attempts that are retries",
		Doc: "Exact count of attempts that were made because the one before was refused."},
	{Name: "fresh_admitted_pct", Unit: "%", Most: 100, Full: true, Better: +1, Formula: "100 * attempts let through / fresh requests",
		Doc: "Share of fresh requests that got through in the end: each is let through at most once, by whichever of its attempts."},
}

// retryMeter counts fresh requests and retries.
type retryMeter struct{ fresh, retried, admitted int64 }

func newRetryMeter(*Recorder) Reporter { return &retryMeter{} }

func (m *retryMeter) Immediate(b *Immediate) {
	m.fresh += int64(len(b.Verdict))
	m.admitted += b.AdmittedAttempts
}

func (m *retryMeter) Outcomes(block []Outcome) {
	for i := range block {
		o := &block[i]
		if o.Try == 0 {
			m.fresh++
		} else {
			m.retried++
		}
		if !o.Waiting {
			m.admitted += int64(o.Verdict & 1)
		}
	}
}

func (m *retryMeter) Figures(emit Emit) {
	emit("fresh_requests", Number(float64(m.fresh)))
	emit("retried_requests", Number(float64(m.retried)))
	emit.ratio("retry_amplification", 1, m.fresh+m.retried, m.fresh, "no fresh requests")
	emit.ratio("fresh_admitted_pct", 100, m.admitted, m.fresh, "no fresh requests")
}
