package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var throughputMetrics = []catalog.Metric{
	{Name: "offered_per_s", Unit: "tokens/s", Formula: "O / T, O: cost that arrived in the span", Doc: "Cost that arrived per second of the span."},
	{Name: "offered_requests_per_s", Unit: "1/s", Formula: "offered_requests / T", Doc: "Attempts that arrived per second of the span."},
	{Name: "dispatched_cost", Unit: "tokens", Formula: "A", Doc: "Cost that left the limiter in the span: each admitted attempt counts at its dispatch. It includes attempts that arrived before the span, and leaves out those that leave after it."},
	{Name: "dispatched_requests", Unit: "requests", Formula: "attempts in A", Doc: "Attempts that left the limiter in the span, whenever they arrived. Those of cost 0, which only logs have, count only if they leave at their arrival."},
	{Name: "admitted_per_s", Unit: "tokens/s", Formula: "A / T", Doc: "Cost that left the limiter per second of the span."},
	{Name: "admitted_requests_per_s", Unit: "1/s", Formula: "dispatched_requests / T", Doc: "Attempts that left the limiter per second of the span."},
}

// throughputMeter compares what arrives with what leaves, each at its own time.
type throughputMeter struct {
	recorder            *Recorder
	offered, dispatched tally // offered.requests is not used
}

func newThroughput(r *Recorder) Reporter { return &throughputMeter{recorder: r} }

func (m *throughputMeter) Flow(f *Flow) {
	if f.early {
		return
	}
	m.offered.cost += f.Sum.Offered
	m.dispatched.cost += f.Sum.Admitted
	m.dispatched.requests += f.Sum.AdmittedAttempts
}

func (m *throughputMeter) Figures(emit Emit) string {
	arrived := m.recorder.tallies.offered()
	emit.count("dispatched_cost", m.dispatched.cost)
	emit.count("dispatched_requests", m.dispatched.requests)
	if arrived.requests == 0 && m.dispatched.requests == 0 {
		return noTraffic
	}
	span := m.recorder.cfg.End - m.recorder.cfg.Start
	const second = 1_000_000_000
	emit.rate("offered_per_s", second, m.offered.cost, span)
	emit.rate("offered_requests_per_s", second, arrived.requests, span)
	emit.rate("admitted_per_s", second, m.dispatched.cost, span)
	emit.rate("admitted_requests_per_s", second, m.dispatched.requests, span)
	return ""
}
