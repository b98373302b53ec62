package sim

import (
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// collect returns what the document needs of a finished trial.
func (p *plan) collect(s *rowRun, replication int) *measured {
	m := &measured{row: s.row, figures: s.recorder.Figures(), halves: s.recorder.Halves(), worst: p.worst(s.recorder.WorstKey()), stuck: s.workers.Stuck()}
	if g := p.scenario.Guard; g != nil && g.Deadline > 0 {
		m.answers = s.recorder.Answers()
	}
	if s.row.recorded {
		for _, figures := range [][]measure.Figure{m.figures, m.halves[0], m.halves[1]} {
			p.limitRecorded(figures, &p.scenario.Policy)
		}
	}
	m.difference = p.difference(s.recorder.Differences().First, replication)
	if replication == 0 {
		p.collectFirst(m, s)
	}
	p.collectPolicies(m, s, replication)
	return m
}

// nameOf returns the name of a key, or "" if there is none.
func (p *plan) nameOf(key int32, ok bool) string {
	if !ok {
		return ""
	}
	return p.traffic.KeyName(int(key))
}

// collectFirst sets what the document shows of the first replication only.
func (p *plan) collectFirst(m *measured, s *rowRun) {
	scenario, algorithm := p.scenario.Name, s.row.name
	m.series = p.seriesOf(s, s.recorder.Series())
	m.busiest = p.nameOf(s.recorder.MostOffered())
	m.shares = results.Shares{Scenario: scenario, Algorithm: algorithm, Tenants: []results.Share{}, Yardstick: s.recorder.Yardstick()}
	unshared, count := s.recorder.WithoutShare()
	m.shares.Unshared = count
	for _, id := range unshared {
		m.shares.UnsharedTenants = append(m.shares.UnsharedTenants, p.traffic.TenantName(int(id)))
	}
	for _, t := range s.recorder.Shares() {
		name := "others"
		if t.Tenant != measure.Others {
			name = p.traffic.TenantName(int(t.Tenant))
		}
		m.shares.Tenants = append(m.shares.Tenants, results.Share{
			Tenant: name, Offered: t.Offered, Admitted: t.Admitted, Rejected: t.Rejected, Fair: t.Fair,
		})
	}
	m.clientShares = results.ClientShares{Scenario: scenario, Algorithm: algorithm}
	for _, c := range s.recorder.ClientShares() {
		m.clientShares.Clients = append(m.clientShares.Clients, results.ClientShare{
			Client: int(c.Client), Offered: c.Offered, Admitted: c.Admitted, Rejected: c.Rejected, Fair: c.Fair,
		})
	}
	m.serverLoads = serverLoads(scenario, algorithm, s.recorder.ServerLoads())
	for _, l := range s.recorder.Histograms() {
		h := results.Histogram{Scenario: scenario, Algorithm: algorithm, Name: l.Name, Unit: "ns", Buckets: []results.Bucket{}}
		for _, b := range l.Buckets {
			h.Buckets = append(h.Buckets, results.Bucket{Lo: b.Lo, Hi: b.Hi, Count: b.Count})
		}
		m.histograms = append(m.histograms, h)
	}
	m.rejections = results.Rejections{Scenario: scenario, Algorithm: algorithm, Keys: []results.KeyTotals{}}
	m.rejections.Refused, m.rejections.Seen = s.recorder.KeysRefused()
	for _, key := range s.recorder.MostRejected() {
		t := s.recorder.KeyTotals(key)
		m.rejections.Keys = append(m.rejections.Keys, results.KeyTotals{
			Key: p.traffic.KeyName(int(key)), Offered: t.Offered, Admitted: t.Admitted, Rejected: t.Rejected, Reference: t.Reference,
		})
	}
	if !p.traffic.MultiPolicy() {
		drawLimit(&m.series, s.setting, &p.scenario.Policy, s.recorder.KeysSeen())
	}
}

// seriesOf returns the entry of a recorded series in the document.
func (p *plan) seriesOf(s *rowRun, r measure.Series) results.Series {
	return results.Series{
		Scenario: p.scenario.Name, Algorithm: s.row.name, StartNs: r.Start, BinNs: r.Bin,
		Offered: r.Offered, Admitted: r.Admitted, Inflight: r.Inflight, Calls: r.Calls, Overspend: r.Overspend, Stranded: r.Stranded, Finished: r.Finished, Retried: r.Retried, Limit: r.Limit, Probes: r.Probes,
	}
}

// drawLimit sets the limit line of a series: the limit per bin of all keys of a
// policy together, and its changes by faults. The floats are used only in
// plots.
func drawLimit(series *results.Series, s *engine.Setting, policy *scenarios.Policy, keys int) {
	written := policy.Reference.Limit.PerSecond() * float64(keys) * float64(series.BinNs) / 1e9
	limit := referenceLimit(policy)
	at := func(now int64) float64 {
		return written * (float64(s.LimitAt(limit, now).Count) / float64(limit.Count))
	}
	series.LimitPerBin, series.LimitChanges = at(series.StartNs), nil
	last := series.LimitPerBin
	for now := s.Faults.Next(series.StartNs); now < faults.Never; now = s.Faults.Next(now) {
		if perBin := at(now); perBin != last && now < series.EndNs() {
			series.LimitChanges = append(series.LimitChanges, results.LimitChange{AtNs: now, LimitPerBin: perBin})
			last = perBin
		}
	}
}
