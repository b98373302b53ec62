package measure

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func fairnessMetrics(of string) []catalog.Metric {
	m := "fairness_" + of + "_run_"
	return []catalog.Metric{
		{Name: m + "jain", Unit: "ratio", Better: +1, Formula: "(sum x)^2 / (n * sum x^2), x_g = A_g/F_g",
			Doc: "Jain's index of what each " + of + " got over its max-min fair share of the total admitted, over the whole span; 1 is even. No data below two of them with demand."},
		{Name: m + "min", Unit: "ratio", Better: +1, Formula: "min of x_g = A_g/F_g", Doc: "What the worst served " + of + " got of its fair share."},
		{Name: m + "max", Unit: "ratio", Better: -1, Formula: "max of x_g = A_g/F_g", Doc: "What the best served " + of + " got of its fair share."},
	}
}

// flowTotals is the cost of one tenant or client over the span; carried was
// waiting when the span began. Demand is offered and carried.
type flowTotals struct{ offered, admitted, rejected, carried int64 }

// fairnessMeter compares what each tenant or client was let through over the
// span with its max-min fair share of the total admitted.
type fairnessMeter struct {
	of      string
	flows   []flowTotals
	windows *windowMeter // keeps the totals where tenants are keys, else nil
	column  func(*Flow) []int32
}

func tenantColumn(f *Flow) []int32 { return f.Tenant }
func clientColumn(f *Flow) []int32 { return f.Client }

func newTenantFairness(r *Recorder) Reporter {
	m := &fairnessMeter{of: "tenant", column: tenantColumn}
	r.tenants = m
	if r.cfg.TenantIsKey {
		m.windows = r.windows
		return fairnessOfKeys{m}
	}
	m.flows = make([]flowTotals, r.cfg.Tenants)
	return m
}

func newClientFairness(r *Recorder) Reporter {
	m := &fairnessMeter{of: "client", column: clientColumn, flows: make([]flowTotals, r.cfg.Clients)}
	r.clients = m
	if r.cfg.Clients == 1 {
		return fairnessOfKeys{m}
	}
	return m
}

// fairnessOfKeys is a fairnessMeter that need not see the flow.
type fairnessOfKeys struct{ m *fairnessMeter }

func (k fairnessOfKeys) Figures(emit Emit) { k.m.Figures(emit) }

func (m *fairnessMeter) Early(f *Flow) {
	for i, id := range m.column(f) {
		m.flows[id].carried += f.Offered[i] - f.Admitted[i] - f.Rejected[i]
	}
}

func (m *fairnessMeter) Flow(f *Flow) {
	ids := m.column(f)
	n := len(ids)
	offered, admitted, rejected := f.Offered[:n], f.Admitted[:n], f.Rejected[:n]
	flows := m.flows
	for i, id := range ids {
		t := &flows[id]
		t.offered += offered[i]
		t.admitted += admitted[i]
		t.rejected += rejected[i]
	}
}

// totals lists every flow's totals by id.
func (m *fairnessMeter) totals() []flowTotals {
	if m.windows == nil {
		return m.flows
	}
	flows := make([]flowTotals, len(m.windows.totals))
	for key, t := range m.windows.totals {
		flows[key] = flowTotals{t.Offered, t.Admitted, t.Rejected, t.carried}
	}
	return flows
}

// level divides the total admitted among the demands of flows.
func level(flows []flowTotals) (num, den, total int64, active int) {
	demands := make([]int64, 0, len(flows))
	for _, t := range flows {
		total += t.admitted
		if d := t.offered + t.carried; d > 0 {
			demands = append(demands, d)
		}
	}
	num, den = fairLevel(demands, total)
	return num, den, total, len(demands)
}

func (m *fairnessMeter) Figures(emit Emit) {
	name := "fairness_" + m.of + "_run_"
	flows := m.totals()
	num, den, total, active := level(flows)
	reason := ""
	switch {
	case active == 0 && len(flows) > 1:
		reason = "no traffic"
	case active < 2:
		reason = "one " + m.of
	case total == 0:
		reason = "nothing admitted"
	}
	if reason != "" {
		for _, figure := range []string{"jain", "min", "max"} {
			emit(name+figure, NoData(reason))
		}
		return
	}
	var e evenness
	for _, t := range flows {
		if d := t.offered + t.carried; d > 0 {
			e.add(fairRatio(t.admitted, d, num, den))
		}
	}
	emit(name+"jain", Number(e.jain()))
	emit(name+"min", Number(e.low))
	emit(name+"max", Number(e.high))
}

// Share is what one tenant asked for and got over the measured span.
type Share struct {
	Tenant   int32 // Others for the rest as one
	Offered  int64
	Admitted int64
	Rejected int64
	Fair     float64 // max-min fair share of the total admitted
}

// Others is the tenant of a Share that stands for all that are not listed.
const Others = int32(-1)

// largestShares is how many tenants Shares lists by themselves.
const largestShares = 12

// Shares lists the tenants with the largest demand, largest first, ties by id,
// and then the others as one where there are any.
func (r *Recorder) Shares() []Share {
	flows := r.tenants.totals()
	num, den, _, _ := level(flows)
	var ids []int32
	for id, t := range flows {
		if t.offered+t.carried > 0 {
			ids = append(ids, int32(id))
		}
	}
	slices.SortStableFunc(ids, func(a, b int32) int {
		return cmp.Compare(flows[b].offered+flows[b].carried, flows[a].offered+flows[a].carried)
	})
	var shares []Share
	rest := Share{Tenant: Others}
	for i, id := range ids {
		t := flows[id]
		fair := fairShare(t.offered+t.carried, num, den)
		if i < largestShares {
			shares = append(shares, Share{id, t.offered, t.admitted, t.rejected, fair})
			continue
		}
		rest.Offered += t.offered
		rest.Admitted += t.admitted
		rest.Rejected += t.rejected
		rest.Fair += fair
	}
	if len(ids) > largestShares {
		shares = append(shares, rest)
	}
	return shares
}
