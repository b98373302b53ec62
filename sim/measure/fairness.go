package measure

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure/demands"
	"github.com/limitgauge/limitgauge/sim/results"
)

func fairnessMetrics(of string) []catalog.Metric {
	m := "fairness_" + of + "_run_"
	return []catalog.Metric{
		{Name: m + "jain", Unit: "ratio", Most: 1, Better: +1, Formula: "(sum x)^2 / (n * sum x^2), x_g = A_g/F_g",
			Doc: "Jain's index of the cost admitted per " + of + " over its fair share, over the whole span; 1 is even. No data if fewer than two of them have demand."},
		{Name: m + "min", Unit: "ratio", Better: +1, Formula: "min of x_g = A_g/F_g", Doc: "Cost admitted over the fair share, of the " + of + " with the lowest such ratio. The fair share is max-min where a limit is shared, otherwise what the reference admits."},
		{Name: m + "max", Unit: "ratio", Better: -1, Formula: "max of x_g = A_g/F_g", Doc: "Cost admitted over the fair share, of the " + of + " with the highest such ratio."},
	}
}

// yardstick is the rule for the fair share F_g of a tenant or client g.
type yardstick uint8

const (
	// sharedKey: all flows share one key. F_g is the max-min fair share of g's
	// demand in the total admitted.
	sharedKey yardstick = iota
	// ownLimit: g has a limit of its own, a request may fall under several keys or
	// none, or keys count requests that have costs. F_g is what the reference admits
	// to g.
	ownLimit
	// sumOfKeys: F_g is the sum over keys. Under a key that g shares, it is the
	// max-min fair share of g's demand in what is admitted under that key; under
	// a key at which g alone has demand, it is what the reference admits.
	sumOfKeys
)

func (c *Config) yardstick(tenants bool) yardstick {
	switch {
	case len(c.Policies) > 0 && !c.OneKey, tenants && c.TenantIsKey:
		return ownLimit
	case c.OneKey && c.Keys > 1 && c.Policies[0].Requests && c.LargestCost > 1:
		return ownLimit
	case c.Keys > 1:
		return sumOfKeys
	}
	return sharedKey
}

// flowTotals is the cost of one tenant or client over the span. carried was
// waiting when the span began; the demand is offered + carried. It has four fields
// because Go keeps no larger struct in registers.
type flowTotals struct{ offered, admitted, rejected, carried int64 }

func (t flowTotals) demand() int64 { return t.offered + t.carried }

// fairnessMeter compares the cost admitted for each tenant or client over the
// span with its fair share.
type fairnessMeter struct {
	of         string
	rule       yardstick
	costs      flowCosts
	references []int64 // by flow, if the rule is ownLimit and tenants are not keys
	backlogs   backlogs
	windows    *windowMeter // holds the totals of keys
	column     func(*Flow) []int32
	isKey      bool // tenants are keys: windows holds their totals

	byKey  *keyShares   // if the rule is sumOfKeys
	shares []float64    // by flow, once byKey is divided
	pairs  *pairSeconds // of the secondsMeter, if the rule is sumOfKeys

	fair *fairDivision // set once the span is over
}

func tenantColumn(f *Flow) []int32 { return f.Tenant }
func clientColumn(f *Flow) []int32 { return f.Client }

func newTenantFairness(r *Recorder) Reporter {
	m := &fairnessMeter{of: "tenant", column: tenantColumn, isKey: r.cfg.TenantIsKey}
	r.tenants = m
	return m.build(r, r.cfg.Tenants)
}

func newClientFairness(r *Recorder) Reporter {
	m := &fairnessMeter{of: "client", column: clientColumn}
	r.clients = m
	return m.build(r, r.cfg.Clients)
}

// build completes the meter, which receives the flow unless it is not needed or a
// secondsMeter passes its sums on.
func (m *fairnessMeter) build(r *Recorder, flows int) Reporter {
	m.windows = r.windows
	if r.cfg.OneKey {
		m.windows = r.policies[0].windows
	}
	m.rule = r.cfg.yardstick(m.isKey)
	if m.isKey {
		return reportOnly{m}
	}
	m.costs = newFlowCosts(flows)
	switch {
	case flows == 1 && m.of == "client":
		return reportOnly{m}
	case flows == 1:
		m.rule = sharedKey
		return m
	case m.rule == ownLimit:
		m.references = make([]int64, flows)
	case m.rule == sumOfKeys:
		m.byKey = &keyShares{demands: demands.New(r.cfg.Keys, flows, r.cfg.Memory), meters: []*fairnessMeter{m}}
	case r.cfg.Full:
		return reportOnly{m}
	}
	return m
}

func (m *fairnessMeter) Flow(f *Flow) {
	ids := m.column(f)
	if !f.early {
		m.costs.add(ids, f.Offered, f.Admitted, f.Sum)
	}
	if m.references != nil && !f.early {
		for i, id := range ids {
			m.references[id] += f.Reference[i]
		}
	}
	if m.byKey != nil && m.byKey.meters[0] == m {
		m.byKey.add(f, ids)
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
	if m.isKey {
		return len(m.windows.keys.keys)
	}
	return len(m.costs.counts)
}

// totals returns a flow's cost over the span, once that is closed.
func (m *fairnessMeter) totals(id int) flowTotals {
	if m.isKey {
		return m.windows.totals(int32(id))
	}
	t, b := m.costs.of(id), m.backlogs.of(id)
	return flowTotals{t.offered, t.admitted, t.offered + b.carried - t.admitted - b.now, b.carried}
}

// reference returns the cost that the reference admits for a flow, if the rule is
// ownLimit.
func (m *fairnessMeter) reference(id int) int64 {
	switch {
	case m.references != nil:
		return m.references[id]
	case m.isKey:
		return m.windows.keys.totals(int32(id)).reference
	}
	return 0
}

// fairDivision holds the fair shares of all flows and what follows from them. With a
// million flows each pass over all of them counts, so there are two: one for the sums,
// and one for the shares.
type fairDivision struct {
	rule    yardstick
	flows   int64         // with demand
	total   int64         // admitted
	sum     results.Share // of all flows
	largest ranking       // of flows by demand
	level   fairLevel     // sharedKey
	shares  []float64     // sumOfKeys: by flow; nil if they are not known

	even     evenness // of x_g
	others   float64  // the fair shares of all flows but the largest
	shareOf0 ranking  // flows with demand and no share, the first ones
	without  int      // their number
}

// divide returns the division, once the span is closed.
func (m *fairnessMeter) divide() *fairDivision {
	if m.fair != nil {
		return m.fair
	}
	d := &fairDivision{rule: m.rule, sum: results.Share{Tenant: results.Others}}
	m.fair = d
	var demands []int64 // of flows that share one key
	if m.rule == sharedKey {
		demands = make([]int64, m.size())
	}
	for id := range m.size() {
		t := m.totals(id)
		d.sum.Offered += t.offered
		d.sum.Admitted += t.admitted
		d.sum.Rejected += t.rejected
		demand := t.demand()
		if demand > 0 {
			d.flows++
			d.largest.add(int32(id), demand, largestShares)
		}
		if m.rule == sharedKey {
			demands[id] = demand
		}
	}
	d.total = d.sum.Admitted
	switch {
	case m.rule == sharedKey:
		var groups demandGroups
		groups.set(demands)
		d.level = groups.level(d.total)
	case m.byKey != nil:
		m.byKey.divide()
		d.shares = m.shares
	}
	m.compare(d)
	return d
}

// compare adds up the shares of the flows with demand, and what is admitted for them over
// these.
func (m *fairnessMeter) compare(d *fairDivision) {
	least := int64(0)
	if n := len(d.largest); n > 0 {
		least = d.largest[n-1].size
	}
	for id := range m.size() {
		t := m.totals(id)
		demand := t.demand()
		if demand <= 0 {
			continue
		}
		reference := m.reference(id)
		share := d.share(id, demand, reference)
		if demand < least || !d.largest.has(int32(id)) {
			d.others += share
		}
		if share == 0 {
			d.without++
			d.shareOf0.add(int32(id), 1, largestShares)
		}
		if x, ok := d.ratio(id, t.admitted, demand, reference); ok {
			d.even.add(x)
		}
	}
}

// share returns the fair share of a flow.
func (d *fairDivision) share(id int, demand, reference int64) float64 {
	switch {
	case d.rule == ownLimit:
		return float64(reference)
	case d.rule == sharedKey:
		return d.level.of(demand)
	case d.shares == nil:
		return 0
	}
	return d.shares[id]
}

// ratio returns the cost admitted for a flow with demand over its fair share. ok
// is false if that is 0.
func (d *fairDivision) ratio(id int, admitted, demand, reference int64) (x float64, ok bool) {
	switch {
	case d.rule == sharedKey && d.total > 0:
		return d.level.ratio(admitted, demand), true
	case d.rule == ownLimit && reference > 0:
		return ratio(1, admitted, reference), true
	}
	share := d.share(id, demand, reference)
	return float64(admitted) / share, share > 0
}

// incomparable returns the reason why the cost admitted for the flows with demand
// cannot be compared, or "".
func (m *fairnessMeter) incomparable() string {
	d := m.divide()
	switch {
	case d.flows == 0 && m.size() > 1:
		return noTraffic
	case d.flows < 2:
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
	if m.byKey != nil && m.byKey.demands.Reason() != "" {
		return m.byKey.demands.Reason()
	}
	name, e := "fairness_"+m.of+"_run_", &m.divide().even
	if e.n == 0 {
		return "the fair share of every " + m.of + " is 0"
	}
	emit(name+"jain", Number(e.jain()))
	emit(name+"min", Number(e.low))
	emit(name+"max", Number(e.high))
	return ""
}

// largestShares is the number of tenants that Shares lists one by one.
const largestShares = 12

// Shares returns the tenants with the largest demand, largest first, equal
// demands by id, then all others as one. name returns the name of a tenant.
func (r *Recorder) Shares(name func(id int) string) []results.Share {
	m := r.tenants
	d := m.divide()
	rest := d.sum
	rest.Fair = d.others
	shares := []results.Share{}
	for _, k := range d.largest {
		id := int(k.key)
		t := m.totals(id)
		shares = append(shares, results.Share{Tenant: name(id), Offered: t.offered, Admitted: t.admitted, Rejected: t.rejected, Fair: d.share(id, t.demand(), m.reference(id))})
		rest.Offered -= t.offered
		rest.Admitted -= t.admitted
		rest.Rejected -= t.rejected
	}
	if d.flows == int64(len(d.largest)) {
		return shares
	}
	return append(shares, rest)
}

// Yardstick states how the fair shares of tenants follow from the flow of cost:
// "max-min", "reference" or "sum over keys".
func (r *Recorder) Yardstick() string {
	return [...]string{sharedKey: "max-min", ownLimit: "reference", sumOfKeys: "sum over keys"}[r.tenants.rule]
}

// WithoutShare returns the number of tenants that have demand and a fair share of
// 0, which fairness leaves out, and the first of them.
func (r *Recorder) WithoutShare() (first []int32, count int) {
	m := r.tenants
	if m.rule == sharedKey || m.incomparable() != "" || m.byKey != nil && m.byKey.demands.Reason() != "" {
		return nil, 0
	}
	d := m.divide()
	for _, k := range d.shareOf0 {
		first = append(first, k.key)
	}
	return first, d.without
}
