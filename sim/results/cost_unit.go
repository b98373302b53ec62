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

// CostUnit returns what the costs of a part of one scenario count, also if it holds one
// policy, whose rows have no totals.
func (d *Document) CostUnit() string {
	return cmp.Or(d.Scenarios[0].Policy.Counts, CostUnit(d.Results))
}
