package measure

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var clientShareMetrics = []catalog.Metric{
	{Name: "client_share_max_over_min", Unit: "ratio", Better: -1, Formula: "max A_g / min A_g over clients g with demand",
		Doc: "Cost admitted for the client with the most over that for the client with the least; 1 is even. No data if a client with demand gets nothing, or if fewer than two clients have demand."},
	{Name: "client_share_min_pct", Unit: "%", Most: 100, Better: +1, Formula: "100 * min A_g / A over clients g with demand",
		Doc: "Share of the admitted cost of the client that gets the least."},
	{Name: "client_share_max_pct", Unit: "%", Most: 100, Better: -1, Formula: "100 * max A_g / A over clients g with demand",
		Doc: "Share of the admitted cost of the client that gets the most."},
	{Name: "client_wait_mean_worst_ms", Unit: "ms", Better: -1, Formula: "max over clients g of the mean wait of g's delayed requests",
		Doc: "Largest mean wait of one client's delayed requests (admitted after a wait) inside the limiter, without time on the network; 0 if no request is delayed."},
}

// clientShareMeter compares the cost admitted per client, whatever the clients
// offered, and the waits of clients. It reads the costs of the fairness over
// clients.
type clientShareMeter struct {
	cfg      *Config
	costs    *fairnessMeter
	waits    []clientWaits // nil until a request is delayed
	admitted bool          // whether any attempt is
}

// clientWaits sums the delayed requests of a client.
type clientWaits struct{ delayed, total int64 }

func newClientShares(r *Recorder) Reporter {
	return &clientShareMeter{cfg: &r.cfg, costs: r.clients}
}

func (m *clientShareMeter) Immediate(b *Immediate) { m.admitted = m.admitted || b.AdmittedAttempts > 0 }

func (m *clientShareMeter) Outcomes(block []Outcome) {
	var seen counter.Verdict
	for i := range block {
		o := &block[i]
		if o.Waiting {
			continue
		}
		seen |= o.Verdict
		if o.Waited == 0 || !o.Verdict.Admitted() { // the second condition is hard to predict
			continue
		}
		if m.waits == nil {
			m.waits = make([]clientWaits, m.cfg.Clients)
		}
		w := &m.waits[o.Client]
		w.delayed++
		w.total += o.Waited
	}
	m.admitted = m.admitted || seen.Admitted()
}

func (m *clientShareMeter) Figures(emit Emit) {
	m.shares(emit)
	emit("client_wait_mean_worst_ms", m.worstWait())
}

func (m *clientShareMeter) worstWait() Value {
	if !m.admitted {
		return NoData("nothing admitted")
	}
	worst := 0.0
	for _, w := range m.waits {
		if w.delayed > 0 {
			worst = max(worst, ratio(1, w.total, w.delayed*1e6))
		}
	}
	if m.waits != nil && worst < ratio(1, m.cfg.StampResolution, 1e6) {
		return NoData("stamps resolve to " + scaleName(m.cfg.StampResolution))
	}
	return Number(worst)
}

func (m *clientShareMeter) shares(emit Emit) {
	var least, most, total int64
	active := 0
	for id := range m.costs.size() {
		t := m.costs.totals(id)
		if t.demand() == 0 {
			continue
		}
		if active++; active == 1 {
			least = t.admitted
		}
		least, most = min(least, t.admitted), max(most, t.admitted)
		total += t.admitted
	}
	reason := ""
	switch {
	case active == 0 && m.costs.size() > 1:
		reason = "no traffic"
	case active < 2:
		reason = "one client"
	case total == 0:
		reason = "nothing admitted"
	}
	if reason != "" {
		emit.none(reason, clientShareMetrics[:3])
		return
	}
	emit.ratio("client_share_max_over_min", 1, most, least, "a client with demand got nothing")
	emit("client_share_min_pct", Number(ratio(100, least, total)))
	emit("client_share_max_pct", Number(ratio(100, most, total)))
}
