package results

import (
	"cmp"
	"slices"
)

// CostTotals are the metrics that tell what the costs of rows count.
var CostTotals = []string{"offered_cost", "offered_requests"}

// CostUnit returns what the costs of these rows count: "requests" if every request
// costs one token, otherwise "tokens". Rows without totals count requests.
func CostUnit(rows []Result) string {
	costs := func(r Result) bool {
		cost, requests := r.Summary(CostTotals[0]).Mean, r.Summary(CostTotals[1]).Mean
		return cost != nil && requests != nil && *cost != *requests
	}
	if slices.ContainsFunc(rows, costs) {
		return "tokens"
	}
	return "requests"
}

// CostUnit returns what the costs of these rows of the scenario count beside its limit,
// also if they are of one policy and have no totals. A limit of requests counts these,
// whatever they cost. Beside several limits it is the unit of costs.
func (s *Scenario) CostUnit(rows []Result) string {
	if len(s.Policies) > 1 {
		return CostUnit(rows)
	}
	return cmp.Or(s.Policy.Counts, CostUnit(rows))
}

// LimitUnit returns what figures against the limit count in these rows of the scenario. Of
// several policies that count costs and requests, one figure can be of either.
func (s *Scenario) LimitUnit(rows []Result) string {
	unit := s.CostUnit(rows)
	if unit == "tokens" && len(s.Policies) > 1 && slices.ContainsFunc(s.Policies, func(p Policy) bool { return p.Counts == "requests" }) {
		return "tokens or requests"
	}
	return unit
}

// CostUnit returns what costs count beside the limit in a part of one scenario.
func (d *Document) CostUnit() string { return d.Scenarios[0].CostUnit(d.Results) }
