package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var retryMetrics = []catalog.Metric{
	{Name: "retry_amplification", Unit: "ratio", Better: -1, Formula: "attempts / fresh requests",
		Doc: "Attempts per fresh request; 1 if callers do not retry."},
	{Name: "fresh_requests", Unit: "requests", Formula: "attempts that are not retries",
		Doc: "Exact number of requests that callers make for the first time; the same for every algorithm."},
	{Name: "retried_requests", Unit: "requests", Better: -1, Formula: "attempts that are retries",
		Doc: "Exact number of attempts made because the attempt before was rejected or, with `on`, got a late answer or an error."},
	{Name: "fresh_admitted_pct", Unit: "%", Most: 100, Better: +1, Formula: "100 * attempts admitted / fresh requests",
		Doc: "Share of fresh requests that are admitted in the end. Each is admitted at most once, by any of its attempts. Without data where callers retry late or failed answers."},
}

// retryMeter counts fresh requests and retries.
type retryMeter struct {
	fresh, retried, admitted int64
	again                    bool // callers also retry what was admitted
}

func newRetryMeter(r *Recorder) Reporter { return &retryMeter{again: r.cfg.OnAnswers} }

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

func (m *retryMeter) Figures(emit Emit) string {
	emit.count("fresh_requests", m.fresh)
	emit.count("retried_requests", m.retried)
	emit.ratio("retry_amplification", 1, m.fresh+m.retried, m.fresh)
	if m.again {
		emit("fresh_admitted_pct", NoData("callers also retry requests that were admitted"))
	} else {
		emit.ratio("fresh_admitted_pct", 100, m.admitted, m.fresh)
	}
	return "no fresh requests"
}
