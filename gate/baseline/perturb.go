package baseline

import (
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/stats"
)

// rowOf finds the row that a verdict is about, as the evaluator does: a row of
// the reference only where no algorithm has its name. It is -1 for none.
func rowOf(doc *results.Document, v gate.Verdict) int {
	reference := -1
	for i, r := range doc.Results {
		if r.Scenario != v.Scenario || r.Algorithm != v.Algorithm {
			continue
		}
		if !r.Reference {
			return i
		}
		if reference < 0 {
			reference = i
		}
	}
	return reference
}

// spoil is a copy of the document in which one figure of one row is another in
// each replication, with mean and interval to match. The original shares all
// else with the copy, and is left alone.
func perturb(doc *results.Document, at int, metric string, change func(float64) float64) *results.Document {
	copied := *doc
	copied.Results = slices.Clone(doc.Results)
	row := &copied.Results[at]
	row.Metrics = maps.Clone(row.Metrics)
	was := row.Metrics[metric]
	values := make([]float64, 0, len(was.Values))
	for _, x := range was.Values {
		if x != nil {
			values = append(values, change(*x))
		}
	}
	if len(values) == 0 {
		values = append(values, change(*was.Mean))
	}
	interval := stats.OfMean(values)
	if len(values) == 1 {
		interval.Half = 0 // as the document itself has it
	}
	lo, hi := interval.Lo(), interval.Hi()
	now := results.Summary{Mean: &interval.Mean, Lo: &lo, Hi: &hi}
	for i := range values {
		now.Values = append(now.Values, &values[i])
	}
	row.Metrics[metric] = now
	return &copied
}
