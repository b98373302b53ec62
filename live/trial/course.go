package trial

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// addCourse adds what plots show of the target: its cost over time, its latency, and what
// tenants and clients got, in the bins and the order of the simulated reference. A
// request counts as admitted when its answer was received.
func (m *measurement) addCourse(d *results.Document) {
	asked := m.answered()
	if len(d.Series) > 0 {
		d.Series = slices.Insert(d.Series, 1, m.series(d.Series[0], asked))
	}
	if len(d.Shares) > 0 {
		d.Shares = slices.Insert(d.Shares, 1, m.shares(d.Shares[0], asked))
	}
	if len(d.ClientShares) > 0 {
		d.ClientShares = slices.Insert(d.ClientShares, 1, m.clientShares(d.ClientShares[0], asked))
	}
	if len(m.took) > 0 {
		h := results.Histogram{Scenario: m.scenario().Name, Algorithm: m.Target, Name: "decision_latency", Unit: "ns", Buckets: measure.BucketsOf(m.took)}
		d.Histograms = slices.Insert(d.Histograms, 0, h)
	}
}

// answered returns the exchanges that were sent, in the order of sending.
func (m *measurement) answered() (list []*exchange.Exchange) {
	for i := range m.run.Exchanges {
		if x := &m.run.Exchanges[i]; x.Verdict != exchange.NotSent {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b *exchange.Exchange) int { return cmp.Compare(a.SentNs, b.SentNs) })
	return list
}

// series returns the target's cost in the bins of another row.
func (m *measurement) series(like results.Series, asked []*exchange.Exchange) results.Series {
	n := len(like.Offered)
	s := results.Series{
		Scenario: like.Scenario, Algorithm: m.Target, StartNs: like.StartNs, BinNs: like.BinNs, LimitPerBin: like.LimitPerBin,
		Offered: make([]int64, n), Admitted: make([]int64, n),
	}
	count := func(bins []int64, atNs, cost int64) {
		if i := (atNs + m.shiftNs - s.StartNs) / s.BinNs; i >= 0 && i < int64(n) {
			bins[i] += cost
		}
	}
	for _, x := range asked {
		count(s.Offered, x.SentNs, x.Cost)
		if x.Verdict == exchange.Admitted {
			count(s.Admitted, x.AnsweredNs+x.WaitNs, x.Cost)
		}
	}
	return s
}

// total is the cost of a tenant or a client.
type total struct{ offered, admitted, rejected int64 }

// totalsBy returns the cost of the requests by a property of theirs.
func totalsBy[K comparable](asked []*exchange.Exchange, by func(*exchange.Exchange) K) map[K]total {
	totals := map[K]total{}
	for _, x := range asked {
		t := totals[by(x)]
		t.offered += x.Cost
		switch x.Verdict {
		case exchange.Admitted:
			t.admitted += x.Cost
		case exchange.Rejected:
			t.rejected += x.Cost
		}
		totals[by(x)] = t
	}
	return totals
}

// shares returns what the tenants got that another row lists. Those that it does not
// name are together in its last entry.
func (m *measurement) shares(like results.Shares, asked []*exchange.Exchange) results.Shares {
	totals := totalsBy(asked, func(x *exchange.Exchange) string { return x.Tenant })
	s := results.Shares{Scenario: like.Scenario, Algorithm: m.Target}
	for _, t := range like.Tenants {
		sum, known := totals[t.Tenant]
		delete(totals, t.Tenant)
		if !known { // the last entry: all others
			for _, other := range totals {
				sum.offered += other.offered
				sum.admitted += other.admitted
				sum.rejected += other.rejected
			}
		}
		s.Tenants = append(s.Tenants, results.Share{Tenant: t.Tenant, Offered: sum.offered, Admitted: sum.admitted, Rejected: sum.rejected})
	}
	return s
}

// clientShares returns what the clients got that another row lists.
func (m *measurement) clientShares(like results.ClientShares, asked []*exchange.Exchange) results.ClientShares {
	totals := totalsBy(asked, func(x *exchange.Exchange) int { return int(x.Client) })
	s := results.ClientShares{Scenario: like.Scenario, Algorithm: m.Target}
	for _, c := range like.Clients {
		t := totals[c.Client]
		s.Clients = append(s.Clients, results.ClientShare{Client: c.Client, Offered: t.offered, Admitted: t.admitted, Rejected: t.rejected})
	}
	return s
}
