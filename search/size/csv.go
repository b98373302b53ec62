package size

import (
	"encoding/csv"
	"io"
	"strconv"
)

// CSV writes a row for each setting.
func CSV(w io.Writer, d *Document) error {
	c := csv.NewWriter(w)
	c.Write([]string{"algorithm", "limit", "count", "window_ns", "burst", "least", "recommended", "refused_requests", "refused_requests_pct", "refused_cost",
		"refused_keys", "refused_keys_pct", "abuser_passes_pct", "most_per_minute", "refused_most"})
	for i, s := range d.Settings {
		burst, passes, who := "", "", ""
		if s.Burst != nil {
			burst = whole(*s.Burst)
		}
		if s.AbuserPassesPct != nil {
			passes = strconv.FormatFloat(*s.AbuserPassesPct, 'g', -1, 64)
		}
		if len(s.Who) > 0 {
			who = s.Who[0].Key
		}
		c.Write([]string{d.Algorithm, s.Limit, whole(s.Count), whole(s.WindowNs), burst, strconv.FormatBool(s.Least), strconv.FormatBool(d.Recommended != nil && i == *d.Recommended),
			whole(s.RefusedRequests), strconv.FormatFloat(s.RefusedRequestsPct, 'g', -1, 64), whole(s.RefusedCost), whole(s.RefusedKeys), strconv.FormatFloat(s.RefusedKeysPct, 'g', -1, 64),
			passes, whole(s.MostPerMinute), who})
	}
	c.Flush()
	return c.Error()
}
