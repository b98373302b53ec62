package html

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
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

func newFurther(s results.Scenario, rows []results.Result, labels []string, g *glossary) *further {
	f := &further{Labels: labels}
	shown, _ := table.ColumnsFor(s, rows)
	var missing groups.Groups[string, string] // metrics by reason
	all := map[string]results.Summary{}
	for _, r := range rows {
		maps.Copy(all, r.Metrics)
	}
	for _, name := range table.InOrder(maps.Keys(all), g.registry) {
		if slices.Contains(shown, name) {
			continue
		}
		var cells []cell
		any, reason := false, ""
		for _, r := range rows {
			s := r.Summary(name)
			any = any || s.Mean != nil
			reason = cmp.Or(reason, s.Reason)
			cells = append(cells, newCell(s))
		}
		if any {
			f.Rows = append(f.Rows, furtherRow{g.use(name), cells})
			continue
		}
		missing.Add(reason, name)
	}
	f.None = lists.Map(missing.Keys, func(reason string) string { return reason + ": " + strings.Join(missing.Of[reason], ", ") })
	if len(f.Rows) == 0 {
		return nil
	}
	return f
}
