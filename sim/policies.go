package sim

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// limitOf returns the limit that a policy's limiters enforce.
func limitOf(p *scenarios.Policy) counting.Limit {
	return counting.Limit{Count: p.Limit.Count, Window: p.Limit.Per, Burst: p.Burst}
}

// referenceLimit returns the limit of a policy's reference, which figures are measured against.
func referenceLimit(p *scenarios.Policy) counting.Limit {
	r := &p.Reference
	return counting.Limit{Count: r.Limit.Count, Window: r.Limit.Per, Burst: r.Burst}
}

// policyField returns the path of policy i in a scenario.
func policyField(s *scenarios.Scenario, i int) string {
	if len(s.Further) == 0 {
		return ".policy"
	}
	return fmt.Sprintf(".policies[%d]", i)
}

// numberPolicies returns the policies with the ranges of their keys.
func (p *plan) numberPolicies() []engine.Policy {
	if !p.traffic.MultiPolicy() {
		return nil
	}
	var list []engine.Policy
	for i, policy := range p.scenario.Policies() {
		from, to := p.traffic.KeysOf(i)
		list = append(list, engine.Policy{Name: policy.Name, Limit: limitOf(&policy), From: from, To: to, MaxCost: p.maxCostOf(i), Requests: policy.Requests})
	}
	return list
}

// maxCostOf returns the largest cost of a request under a policy.
func (p *plan) maxCostOf(policy int) int64 {
	if p.scenario.Policies()[policy].Requests {
		return 1
	}
	return p.traffic.MaxCostOf(policy)
}

// tenantIsKey reports whether the totals of keys are those of tenants, which are costs.
func (p *plan) tenantIsKey() bool {
	return p.traffic.TenantIsKey() && !(p.scenario.Policy.Requests && p.traffic.MaxCost() > 1)
}

// shortestWindow returns the shortest window of the policies, in ns.
func (p *plan) shortestWindow() int64 {
	shortest := p.limit.Window
	for _, policy := range p.scenario.Policies() {
		shortest = min(shortest, policy.Limit.Per, policy.Reference.Limit.Per)
	}
	return shortest
}

func (p *plan) policyNames() []string {
	return lists.Map(p.scenario.Policies(), func(policy scenarios.Policy) string { return policy.Name })
}

func describePolicy(p *scenarios.Policy) results.Policy {
	limit := referenceLimit(p)
	text := fmt.Sprintf("%s, burst %d", p.Limit, p.Burst)
	if p.Reference.Own {
		text += ", measured against " + p.Reference.String()
	}
	exact, counts := "", ""
	if kind := p.Reference.Kind; exactKinds[kind].kind != measure.TokenBucket {
		exact = kind
	}
	if p.Requests {
		counts = "requests"
	}
	return results.Policy{
		Name: p.Name, Limit: limit.Count, WindowNs: limit.Window, Burst: limit.Burst,
		Text: text, RatePerS: p.Reference.Limit.PerSecond(), Per: p.Per, Exact: exact, Counts: counts,
	}
}

// describePolicies returns the policies of the document if requests carry
// descriptors.
func (p *plan) describePolicies() []results.Policy {
	if !p.traffic.MultiPolicy() {
		return nil
	}
	var list []results.Policy
	for i, policy := range p.scenario.Policies() {
		described := describePolicy(&policy)
		described.Keys = int64(p.policies[i].To - p.policies[i].From)
		list = append(list, described)
	}
	return list
}

// measuredPolicies returns the limits that the recorder measures keys against
// if requests carry descriptors.
func (p *plan) measuredPolicies(s *engine.Setting) []measure.Policy {
	var list []measure.Policy
	for i, policy := range p.policies {
		m := p.measuredPolicy(s, &p.scenario.Policies()[i], p.maxCostOf(i))
		m.From, m.To, m.Requests = policy.From, policy.To, policy.Requests
		list = append(list, m)
	}
	return list
}

func (p *plan) measuredPolicy(s *engine.Setting, of *scenarios.Policy, largestCost int64) measure.Policy {
	limit := referenceLimit(of)
	return measure.Policy{
		Kind: exactKinds[of.Reference.Kind].kind, Limit: limit.Count, Window: limit.Window, Burst: limit.Burst, Changes: s.Changes(limit, engine.Whole),
		LargestCost: largestCost, Steps: p.steps(limit),
	}
}

// byPolicy returns a row's figures by policy, in multi-policy scenarios.
func (p *plan) byPolicy(r row, finished []*measured) []results.Result {
	if len(p.policies) < 2 {
		return nil
	}
	var list []results.Result
	for i, name := range p.policyNames() {
		trials := make([]*measured, len(finished))
		for k, m := range finished {
			trials[k] = m.byPolicy[i]
		}
		list = append(list, p.result(r, name, trials))
	}
	return list
}

// collectPolicies adds what a finished trial measured by policy.
func (p *plan) collectPolicies(m *measured, s *rowRun, replication int) {
	for i, r := range s.recorder.Policies() {
		m.byPolicy = append(m.byPolicy, &measured{figures: r.Figures(), worst: p.worst(r.WorstKey())})
		if m.row.recorded {
			p.limitRecorded(m.byPolicy[i].figures, &p.scenario.Policies()[i])
		}
		if replication != 0 {
			continue
		}
		series := p.seriesOf(s, r.Series())
		drawLimit(&series, s.setting, &p.scenario.Policies()[i], r.KeysSeen())
		all := &m.first.Series[0]
		if p.alwaysOnce(i) && (all.LimitPerBin == 0 || series.LimitPerBin < all.LimitPerBin) {
			all.LimitPerBin, all.LimitChanges = series.LimitPerBin, series.LimitChanges
		}
		if len(p.policies) > 1 {
			m.first.PolicySeries = append(m.first.PolicySeries, results.PolicySeries{Policy: p.policies[i].Name, Series: series})
		} else if p.policies[i].Requests { // the row's own series has their cost
			all.Offered, all.Admitted = series.Offered, series.Admitted
		}
	}
}

// alwaysOnce reports whether every request carries exactly one key of a policy.
func (p *plan) alwaysOnce(policy int) bool {
	return !slices.ContainsFunc(p.scenario.Traffic, func(t scenarios.Traffic) bool {
		d := t.Descriptors
		return d != nil && (d[policy].Applies.Num < d[policy].Applies.Den || d[policy].Count > 1)
	})
}

// exactKinds holds the counter and the kind that each value of a policy's
// reference means.
var exactKinds = map[string]struct {
	counter string
	kind    measure.Kind
}{
	"token-bucket": {"token-bucket", measure.TokenBucket},
	"sliding-log":  {"sliding-window-log", measure.SlidingLog},
	"fixed-window": {"fixed-window", measure.FixedWindow},
}

// newReference returns the exact limiter of all policies together. It admits a
// request if the exact limiter of every policy that applies admits it. A
// rejected request charges no policy.
func (p *plan) newReference(s *engine.Setting) (engine.Decider, error) {
	exact, err := p.newExact(s)
	if err != nil {
		return nil, err
	}
	if all, several := exact.(*counting.Concat); several {
		return engine.NewJointDecider(counting.Joint{ChargeNone: true}, all), nil
	}
	return engine.NewTableDecider(exact), nil
}

// newExact returns the counters of the references of all policies: a Concat if
// requests carry descriptors.
func (p *plan) newExact(s *engine.Setting) (counting.Table, error) {
	all := &counting.Concat{}
	for i, policy := range p.scenario.Policies() {
		from, to := p.traffic.KeysOf(i)
		table, err := p.newExactOf(s, &policy, i, int(to-from))
		if err != nil {
			return nil, err
		}
		if !s.MultiPolicy() {
			return table, nil
		}
		if policy.Requests {
			table = counting.PerRequest{Table: table}
		}
		all.Add(table, int(to-from))
	}
	return all, nil
}

// newExactOf returns the counter of one policy's reference for some keys.
func (p *plan) newExactOf(s *engine.Setting, policy *scenarios.Policy, i, keys int) (counting.Table, error) {
	limit := referenceLimit(policy)
	return counting.NewChanging(exactKinds[policy.Reference.Kind].counter, p.exactLimit(limit, i), p.exactChanges(s, limit, i), nil, keys)
}

// isReference reports whether an algorithm is the reference itself: one counter that all
// callers ask without delay, and that is the same to the last bit before it has keys. The
// same arrivals then get the same verdicts, which need not be computed twice.
func (p *plan) isReference(s *engine.Setting, a *scenarios.Algorithm) bool {
	if s.MultiPolicy() || s.Settles || p.workers() || len(p.scenario.Faults) > 0 || p.scenario.RetriesOf(a) != nil {
		return false
	}
	own := limiters.CounterOf(s, a)
	exact, err := p.newExactOf(s, &p.scenario.Policy, 0, 0)
	return own != nil && err == nil && reflect.DeepEqual(own, exact)
}

// exactCounter returns the counters that the recorder charges, nil if costs are known
// on arrival. The reference has checked that there are such counters.
func (p *plan) exactCounter(s *engine.Setting) counting.Table {
	if !p.traffic.Settles() {
		return nil
	}
	exact, err := p.newExact(s)
	if err != nil {
		panic(err)
	}
	return exact
}

// exactLimit returns a policy's limit with a burst that admits its largest
// request.
func (p *plan) exactLimit(limit counting.Limit, policy int) counting.Limit {
	limit.Burst = max(limit.Burst, p.maxCostOf(policy), 1)
	return limit
}
