package size

// Rows returns a row for each setting.
func (d *Document) Rows() [][]any {
	rows := [][]any{{"algorithm", "limit", "count", "window_ns", "burst", "least", "recommended", "refused_requests", "refused_requests_pct", "refused_cost",
		"refused_keys", "refused_keys_pct", "abuser_passes_pct", "most_per_minute", "refused_most"}}
	for i, s := range d.Settings {
		who := ""
		if len(s.Who) > 0 {
			who = s.Who[0].Key
		}
		rows = append(rows, []any{d.Algorithm, s.Limit, s.Count, s.WindowNs, s.Burst, s.Least, d.Recommended != nil && i == *d.Recommended, s.RefusedRequests,
			s.RefusedRequestsPct, s.RefusedCost, s.RefusedKeys, s.RefusedKeysPct, s.AbuserPassesPct, s.MostPerMinute, who})
	}
	return rows
}
