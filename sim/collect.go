package sim

import (
	"github.com/limitgauge/limitgauge/internal/lists"
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
	r, scenario, algorithm := s.recorder, p.scenario.Name, s.row.name
	series := p.seriesOf(s, r.Series())
	if !p.traffic.MultiPolicy() {
		drawLimit(&series, s.setting, &p.scenario.Policy, r.KeysSeen())
	}
	m.busiest = p.nameOf(r.MostOffered())
	unshared, count := r.WithoutShare()
	shares := results.Shares{
		Scenario: scenario, Algorithm: algorithm, Tenants: r.Shares(p.traffic.TenantName), Yardstick: r.Yardstick(),
		Unshared: count, UnsharedTenants: lists.Map(unshared, func(id int32) string { return p.traffic.TenantName(int(id)) }),
	}
	rejections := results.Rejections{Scenario: scenario, Algorithm: algorithm, Keys: []results.KeyTotals{}}
	rejections.Refused, rejections.Seen = r.KeysRefused()
	for _, key := range r.MostRejected() {
		t := r.KeyTotals(key)
		t.Key = p.traffic.KeyName(int(key))
		rejections.Keys = append(rejections.Keys, t)
	}
	m.first = results.Document{
		Series: []results.Series{series}, Shares: []results.Shares{shares}, Histograms: r.Histograms(), Rejections: []results.Rejections{rejections},
	}
	for i := range m.first.Histograms {
		m.first.Histograms[i].Scenario, m.first.Histograms[i].Algorithm = scenario, algorithm
	}
	if clients := r.ClientShares(); len(clients) > 0 {
		m.first.ClientShares = []results.ClientShares{{Scenario: scenario, Algorithm: algorithm, Clients: clients}}
	}
	if loads := r.ServerLoads(); len(loads) > 0 {
		m.first.ServerLoads = []results.ServerLoads{serverLoads(scenario, algorithm, loads)}
	}
}

// seriesOf returns the entry of a recorded series in the document.
func (p *plan) seriesOf(s *rowRun, r results.Series) results.Series {
	r.Scenario, r.Algorithm = p.scenario.Name, s.row.name
	return r
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
