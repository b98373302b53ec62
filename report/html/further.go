package html

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// further is the table of all other metrics of a scenario, with a line for each
// metric and a column for each row of the comparison.
type further struct {
	Labels []string
	Rows   []furtherRow
	None   []string // metrics without a value in any row, with the reason
}

type furtherRow struct {
	Definition definition
	Cells      []cell
}

func newFurther(rows []results.Result, labels []string, g *glossary) *further {
	f := &further{Labels: labels}
	shown := table.ColumnsFor(rows)
	var without []string // reasons, in order
	missing := map[string][]string{}
	for _, name := range metricsOf(rows, g.registry) {
		if slices.Contains(shown, name) {
			continue
		}
		var cells []cell
		any, reason := false, ""
		for _, r := range rows {
			s := r.Summary(name)
			any = any || s.Mean != nil
			if reason == "" {
				reason = s.Reason
			}
			cells = append(cells, newCell(s))
		}
		if any {
			f.Rows = append(f.Rows, furtherRow{g.use(name), cells})
			continue
		}
		if missing[reason] == nil {
			without = append(without, reason)
		}
		missing[reason] = append(missing[reason], name)
	}
	for _, reason := range without {
		f.None = append(f.None, reason+": "+strings.Join(missing[reason], ", "))
	}
	if len(f.Rows) == 0 {
		return nil
	}
	return f
}

// metricsOf lists the metrics of all rows in the order of the registry, then by
// name.
func metricsOf(rows []results.Result, registry []catalog.Metric) []string {
	all := results.Result{Metrics: map[string]results.Summary{}}
	for _, r := range rows {
		for name, s := range r.Metrics {
			all.Metrics[name] = s
		}
	}
	return table.MetricOrder(all, registry)
}
