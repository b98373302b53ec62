package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// noTraffic is the reason if nothing happened that could be measured.
const noTraffic = "no traffic"

// together returns a pool function that reports for the meters of all policies
// as one.
func together[M Reporter](figures func(policies []M, emit Emit) (none string)) func([]Reporter, Emit) string {
	return func(parts []Reporter, emit Emit) string {
		policies := make([]M, len(parts))
		for i, part := range parts {
			policies[i] = part.(M)
		}
		return figures(policies, emit)
	}
}

// largestOf returns a pool function that emits the largest value of each metric
// over the policies. Policies without traffic, and those whose reference has no
// such metric, do not count. If a value is missing for another reason, the
// metric has none.
func largestOf(metrics []catalog.Metric) func([]Reporter, Emit) string {
	return func(parts []Reporter, emit Emit) string {
		pooled := make([]Value, len(metrics))
		for i, part := range parts {
			for k, v := range valuesOf(metrics, part) {
				if i > 0 {
					v = larger(pooled[k], v)
				}
				pooled[k] = v
			}
		}
		for k, m := range metrics {
			emit(m.Name, pooled[k])
		}
		return ""
	}
}

func larger(a, b Value) Value {
	switch {
	case a.NoData == noTraffic || a.NoData == noBucket:
		return b
	case b.NoData == noTraffic || b.NoData == noBucket || a.NoData != "":
		return a
	case b.NoData != "" || b.X > a.X:
		return b
	}
	return a
}
