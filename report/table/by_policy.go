package table

import (
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// ByPolicy returns the table of one scenario with a row for each policy and
// algorithm. A row shows the cost offered to and admitted for the keys of its
// policy, whichever policy rejected a request. With one policy the table has no
// rows.
func ByPolicy(part *results.Document, columns []string, registry []catalog.Metric) Table {
	s := part.Scenarios[0]
	t := Table{Title: s.Name + ", each policy by itself", Columns: []Column{{Header: "policy"}, {Header: "algorithm"}}, Fewer: fewerColumns}
	alone := part.PerPolicy()
	every := slices.Concat(lists.Map(alone, func(doc *results.Document) []results.Result { return doc.Results })...)
	registry = InUnitsOf(s.LimitUnit(part.Results), part.Results, registry)
	columns, leftOut := withFigures(every, measuredOf(alone, columns))
	if len(columns) == 0 {
		return t
	}
	t.Columns = append(t.Columns, heads(columns, registry)...)
	var all []results.Result
	var labels []string
	for i, doc := range alone {
		rows := doc.Rows(doc.Scenarios[0].Name)
		for k, label := range results.Labels(rows) {
			t.Rows = append(t.Rows, append([]string{s.Policies[i].Name, label}, cells(rows[k], columns)...))
			labels = append(labels, label+" under "+s.Policies[i].Name)
		}
		all = append(all, rows...)
	}
	t.withoutNames()
	t.More = noDataNotes(all, labels, columns, leftOut, registry)
	return t
}

// measuredOf returns the given columns that policies are measured by. Without
// columns it starts from the headline metrics, the worst key if a policy has
// several keys, and the long-run admitted cost.
func measuredOf(alone []*results.Document, columns []string) []string {
	if len(columns) == 0 {
		columns = append(catalog.Headline(), "admitted_over_limit")
		for _, metric := range []string{equalKeys, WorstKey} {
			if slices.ContainsFunc(alone, func(doc *results.Document) bool { return results.HasFigure(doc.Results, metric) }) {
				columns = slices.Insert(columns, 1, metric)
			}
		}
	}
	i := slices.IndexFunc(alone, func(doc *results.Document) bool { return len(doc.Results) > 0 })
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		_, measured := alone[i].Results[0].Metrics[name]
		return !measured
	})
}
