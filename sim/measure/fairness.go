package measure

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func fairnessMetrics(of string) []catalog.Metric {
	m := "fairness_" + of + "_run_"
	return []catalog.Metric{
		{Name: m + "jain", Unit: "ratio", Most: 1, Better: +1, Formula: "(sum x)^2 / (n * sum x^2), x_g = A_g/F_g",
			Doc: "Jain's index of the cost admitted per " + of + " over its max-min fair share of the total admitted, over the whole span; 1 is even. No data if fewer than two of them have demand."},
		{Name: m + "min", Unit: "ratio", Most: 1, Better: +1, Formula: "min of x_g = A_g/F_g", Doc: "Cost admitted over the fair share, of the " + of + " with the lowest such ratio."},
		{Name: m + "max", Unit: "ratio", Better: -1, Formula: "max of x_g = A_g/F_g", Doc: "Cost admitted over the fair share, of the " + of + " with the highest such ratio."},
	}
}

// flowTotals is the cost of one tenant or client over the span. carried was
// waiting when the span began; the demand is offered + carried.
type flowTotals struct{ offered, admitted, rejected, carried int64 }

func (t flowTotals) demand() int64 { return t.offered + t.carried }

// fairnessMeter compares the cost admitted for each tenant or client over the
// span with its max-min fair share of the total.
type fairnessMeter struct {
	of       string
	costs    flowCosts
	backlogs backlogs
	windows  *windowMeter // holds the totals if tenants are keys, otherwise nil
	column   func(*Flow) []int32

	fair *fairDivision // set once the span is over
}

func tenantColumn(f *Flow) []int32 { return f.Tenant }
func clientColumn(f *Flow) []int32 { return f.Client }

func newTenantFairness(r *Recorder) Reporter {
	m := &fairnessMeter{of: "tenant", column: tenantColumn}
	r.tenants = m
	if r.cfg.TenantIsKey {
		m.windows = r.windows
		return reportOnly{m}
	}
	m.costs = newFlowCosts(r.cfg.Tenants)
	return m.unlessSeconds(r, r.cfg.Tenants)
}

func newClientFairness(r *Recorder) Reporter {
	m := &fairnessMeter{of: "client", column: clientColumn, costs: newFlowCosts(r.cfg.Clients)}
	r.clients = m
	if r.cfg.Clients == 1 {
		return reportOnly{m}
	}
	return m.unlessSeconds(r, r.cfg.Clients)
}

// unlessSeconds lets the meter receive the flow unless a secondsMeter does so
// and passes its sums on.
func (m *fairnessMeter) unlessSeconds(r *Recorder, flows int) Reporter {
	if r.cfg.Full && flows > 1 {
		return reportOnly{m}
	}
	return m
}

func (m *fairnessMeter) Flow(f *Flow) {
	if !f.early {
		m.costs.add(m.column(f), f.Offered, f.Admitted, f.Sum)
	}
	m.wait(f)
}

// wait updates the waiting cost, before and in the span.
func (m *fairnessMeter) wait(f *Flow) {
	for id, net := range f.waits(m.column(f), 0, len(f.Time)) {
		if b := m.backlogs.add(len(m.costs.counts), id, net); f.early {
			b.carried = b.now
		}
	}
}

// size returns the number of flows.
func (m *fairnessMeter) size() int {
	if m.windows != nil {
		return len(m.windows.keys.keys)
	}
	return len(m.costs.counts)
}

// totals returns a flow's cost over the span, once that is closed.
func (m *fairnessMeter) totals(id int) flowTotals {
	if m.windows != nil {
		return m.windows.totals(int32(id))
	}
	t, b := m.costs.of(id), m.backlogs.of(id)
	return flowTotals{t.offered, t.admitted, t.offered + b.carried - t.admitted - b.now, b.carried}
}

// fairDivision is the division of the total admitted among the flows with
// demand.
type fairDivision struct {
	demands  demandGroups
	total    int64
	num, den int64 // see demandGroups.level
}

// divide returns the division, once the span is closed.
func (m *fairnessMeter) divide() *fairDivision {
	if m.fair != nil {
		return m.fair
	}
	d := &fairDivision{}
	for id := range m.size() {
		d.total += m.totals(id).admitted
	}
	d.demands.set(func(yield func(int64) bool) {
		for id := range m.size() {
			if !yield(m.totals(id).demand()) {
				return
			}
		}
	})
	d.num, d.den = d.demands.level(d.total)
	m.fair = d
	return d
}

// incomparable returns the reason why the cost admitted for the flows with demand
// cannot be compared, or "".
func (m *fairnessMeter) incomparable() string {
	d := m.divide()
	switch {
	case d.demands.flows == 0 && m.size() > 1:
		return noTraffic
	case d.demands.flows < 2:
		return "one " + m.of
	case d.total == 0:
		return "nothing admitted"
	}
	return ""
}

func (m *fairnessMeter) Figures(emit Emit) string {
	if reason := m.incomparable(); reason != "" {
		return reason
	}
	name, d := "fairness_"+m.of+"_run_", m.divide()
	var e evenness
	for id := range m.size() {
		if t := m.totals(id); t.demand() > 0 {
			e.add(fairRatio(t.admitted, t.demand(), d.num, d.den))
		}
	}
	emit(name+"jain", Number(e.jain()))
	emit(name+"min", Number(e.low))
	emit(name+"max", Number(e.high))
	return ""
}

// largest returns the indexes, below count, of the n largest sizes above 0:
// largest first, equal ones by index.
func largest(n, count int, size func(i int) int64) []int {
	var list []int
	for i := range count {
		s := size(i)
		if s <= 0 || len(list) == n && s <= size(list[n-1]) {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, s, func(i int, s int64) int { return cmp.Or(cmp.Compare(s, size(i)), -1) })
		list = slices.Insert(list[:min(len(list), n-1)], at, i)
	}
	return list
}

// Share is the cost of one tenant over the measured span.
type Share struct {
	Tenant   int32 // Others for all tenants that are not listed
	Offered  int64
	Admitted int64
	Rejected int64
	Fair     float64 // max-min fair share of the total admitted
}

// Others is the tenant id of the Share of all tenants that are not listed.
const Others = int32(-1)

// largestShares is the number of tenants that Shares lists one by one.
const largestShares = 12

// Shares returns the tenants with the largest demand, largest first, equal
// demands by id, then all others as one.
func (r *Recorder) Shares() []Share {
	m := r.tenants
	d := m.divide()
	fair := func(demand int64) float64 { return fairShare(demand, d.num, d.den) }
	rest := Share{Tenant: Others}
	for id := range m.size() {
		t := m.totals(id)
		rest.Offered += t.offered
		rest.Admitted += t.admitted
		rest.Rejected += t.rejected
	}
	ids := largest(largestShares, m.size(), func(id int) int64 { return m.totals(id).demand() })
	var shares []Share
	for _, id := range ids {
		t := m.totals(id)
		shares = append(shares, Share{int32(id), t.offered, t.admitted, t.rejected, fair(t.demand())})
		rest.Offered -= t.offered
		rest.Admitted -= t.admitted
		rest.Rejected -= t.rejected
	}
	if d.demands.flows == int64(len(ids)) {
		return shares
	}
	listed := int64(len(ids)) // those with the largest demand
	for _, g := range slices.Backward(d.demands.groups) {
		for range g.flows - min(g.flows, listed) {
			rest.Fair += fair(g.demand)
		}
		listed -= min(g.flows, listed)
	}
	return append(shares, rest)
}
