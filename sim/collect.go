package sim

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// mostRejected is the largest number of rejected keys that the document lists
// for a row.
const mostRejected = 10

// collect returns what the document needs of a finished trial.
func (p *plan) collect(s *rowRun, replication int) *measured {
	m := &measured{row: s.row, figures: s.recorder.Figures()}
	if replication == 0 {
		p.collectFirst(m, s)
	}
	p.collectPolicies(m, s, replication)
	return m
}

// collectFirst sets what the document shows of the first replication only.
func (p *plan) collectFirst(m *measured, s *rowRun) {
	scenario, algorithm := p.scenario.Name, s.row.name
	series := s.recorder.Series()
	m.series = results.Series{
		Scenario: scenario, Algorithm: algorithm, StartNs: series.Start, BinNs: series.Bin,
		Offered: series.Offered, Admitted: series.Admitted, Inflight: series.Inflight,
	}
	m.shares = results.Shares{Scenario: scenario, Algorithm: algorithm, Tenants: []results.Share{}}
	for _, t := range s.recorder.Shares() {
		name := "others"
		if t.Tenant != measure.Others {
			name = p.traffic.TenantName(int(t.Tenant))
		}
		m.shares.Tenants = append(m.shares.Tenants, results.Share{
			Tenant: name, Offered: t.Offered, Admitted: t.Admitted, Rejected: t.Rejected, Fair: t.Fair,
		})
	}
	for _, l := range s.recorder.Histograms() {
		h := results.Histogram{Scenario: scenario, Algorithm: algorithm, Name: l.Name, Unit: "ns", Buckets: []results.Bucket{}}
		for _, b := range l.Buckets {
			h.Buckets = append(h.Buckets, results.Bucket{Lo: b.Lo, Hi: b.Hi, Count: b.Count})
		}
		m.histograms = append(m.histograms, h)
	}
	seen := 0
	m.rejections, seen = p.rejections(s)
	if !p.traffic.MultiPolicy() {
		drawLimit(&m.series, s.setting, &p.scenario.Policy, seen)
	}
}

// rejections returns the keys with the most rejections and the number of keys
// with traffic.
func (p *plan) rejections(s *rowRun) (results.Rejections, int) {
	type total struct {
		key int
		measure.Totals
	}
	var worst []total
	most := func(a, b total) int { return cmp.Or(cmp.Compare(b.Rejected, a.Rejected), cmp.Compare(a.key, b.key)) }
	seen := 0
	passed := int64(0) // a key is listed only if it has more rejections
	for key := range p.traffic.Keys() {
		t := total{key, s.recorder.KeyTotals(int32(key))}
		if t.Offered > 0 || t.Admitted > 0 {
			seen++
		}
		if t.Rejected <= passed {
			continue
		}
		worst = append(worst, t)
		if len(worst) == 4*mostRejected {
			slices.SortFunc(worst, most)
			worst = worst[:mostRejected]
			passed = worst[mostRejected-1].Rejected
		}
	}
	slices.SortFunc(worst, most)
	r := results.Rejections{Scenario: p.scenario.Name, Algorithm: s.row.name, Keys: []results.KeyTotals{}}
	for _, t := range worst[:min(len(worst), mostRejected)] {
		r.Keys = append(r.Keys, results.KeyTotals{
			Key: p.traffic.KeyName(t.key), Offered: t.Offered, Admitted: t.Admitted, Rejected: t.Rejected, Reference: t.Reference,
		})
	}
	return r, seen
}
