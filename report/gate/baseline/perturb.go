package baseline

import (
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// perturb returns a copy of the document with one figure of one row changed in
// each replication, and its mean and interval recomputed. The copy shares
// everything else with the original, which it does not change.
func perturb(doc *results.Document, at int, metric string, change func(float64) float64) *results.Document {
	copied := *doc
	copied.Results = slices.Clone(doc.Results)
	row := &copied.Results[at]
	row.Metrics = maps.Clone(row.Metrics)
	was := row.Metrics[metric]
	values := lists.Map(was.Replicates(), change)
	if len(values) == 0 {
		values = append(values, change(*was.Mean))
	}
	row.Metrics[metric] = results.Summarize(values)
	return &copied
}
