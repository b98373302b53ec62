package results

import "strings"

// upgrade turns a document of schema version 1 into one of this version. Version
// 1 measured burst_excess over the whole run, which is accumulated_excess now, and
// compared every tenant with its share of all that was admitted. Figures by that
// yardstick are left out.
func upgrade(d *Document) {
	d.SchemaVersion = SchemaVersion
	for i := range d.Scenarios {
		for k := range d.Scenarios[i].Expectations {
			e := &d.Scenarios[i].Expectations[k]
			if e.Metric == "burst_excess" {
				e.Metric = "accumulated_excess"
			}
		}
	}
	for _, rows := range [][]Result{d.Results, d.ByPolicy} {
		for _, r := range rows {
			if burst, ok := r.Metrics["burst_excess"]; ok {
				r.Metrics["accumulated_excess"] = burst
			}
			for name := range r.Metrics {
				if strings.HasPrefix(name, "burst_excess") || strings.HasPrefix(name, "fairness_") {
					delete(r.Metrics, name)
				}
			}
		}
	}
}
