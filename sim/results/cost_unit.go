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

// CostUnit returns what figures against the limit count in these rows of the scenario,
// also if they are of one policy and have no totals. A limit of requests counts these,
// whatever they cost. The figures of several policies together count costs.
func (s *Scenario) CostUnit(rows []Result) string {
	if len(s.Policies) > 1 {
		return CostUnit(rows)
	}
	return cmp.Or(s.Policy.Counts, CostUnit(rows))
}

// CostUnit returns what figures against the limit count in a part of one scenario.
func (d *Document) CostUnit() string { return d.Scenarios[0].CostUnit(d.Results) }
