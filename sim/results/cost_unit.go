package results

import "slices"

// CostUnit returns what the costs of these rows count: "requests" if every request
// costs one token, otherwise "tokens". Rows without totals count requests.
func CostUnit(rows []Result) string {
	costs := func(r Result) bool {
		cost, requests := r.Summary("offered_cost").Mean, r.Summary("offered_requests").Mean
		return cost != nil && requests != nil && *cost != *requests
	}
	if slices.ContainsFunc(rows, costs) {
		return "tokens"
	}
	return "requests"
}
