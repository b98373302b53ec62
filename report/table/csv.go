package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// CSV writes every figure of the document in long form and full precision: one
// line for each scenario, policy, algorithm and metric. Metrics are in the order
// of the registry, then by name. A figure without data has empty cells and a
// reason. The rows of a scenario over all its policies come before those of each
// policy. columns, if not empty, are the only metrics, in their order. The last
// column names the key of a figure of the worst key.
func CSV(w io.Writer, doc *results.Document, columns []string, registry []catalog.Metric) error {
	out := csv.NewWriter(w) // keeps its first error
	out.Write(append([]string{"scenario"}, csvColumns...))
	csvLines(doc, columns, registry, func(scenario string, cells []string) {
		out.Write(append([]string{scenario}, cells...))
	})
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

// csvColumns names the columns of a line after its scenario.
var csvColumns = []string{
	"policy", "algorithm", "reference", "exact", "metric", "unit",
	"mean", "lo", "hi", "replications", "seed", "reason", "key",
}

// csvLines calls write with each line of a document.
func csvLines(doc *results.Document, columns []string, registry []catalog.Metric, write func(scenario string, cells []string)) {
	for _, part := range doc.PerScenario() {
		s := part.Scenarios[0]
		for _, r := range append(part.Rows(s.Name), part.ByPolicy...) {
			names := columns
			if len(names) == 0 {
				names = InOrder(maps.Keys(r.Metrics), registry)
			}
			for _, name := range names {
				m, key := r.Summary(name), ""
				if name == WorstKey {
					key = r.WorstKey
				}
				write(s.Name, []string{
					r.Policy, r.Algorithm,
					strconv.FormatBool(r.Reference), strconv.FormatBool(r.Exact),
					name, UnitOf(name, registry),
					format.Precise(m.Mean), format.Precise(m.Lo), format.Precise(m.Hi),
					strconv.Itoa(r.Replications), strconv.FormatUint(s.Seed, 10), m.Reason, key,
				})
			}
		}
	}
}

// InOrder lists metrics in the order of the registry, then all others by name.
func InOrder(metrics iter.Seq[string], registry []catalog.Metric) []string {
	place := make(map[string]int, len(registry)) // below 0, where all others are
	for i, m := range registry {
		place[m.Name] = i - len(registry)
	}
	names := slices.Sorted(metrics)
	slices.SortStableFunc(names, func(a, b string) int { return place[a] - place[b] })
	return names
}
