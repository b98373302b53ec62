package figure

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
)

// guard shows how many requests are in flight in the guarded backend over time.
func guard(doc *results.Document, s results.Scenario, m Medium) *Figure {
	all, layout, more := seriesOf(doc, s, m, func(one results.Series) bool { return len(one.Inflight) > 0 })
	if len(all) == 0 {
		return nil
	}
	top := int64(1)
	for _, one := range all {
		top = max(top, slices.Max(one.Inflight))
	}
	f := &Figure{
		Title:    "Load inside the guarded backend",
		Subtitle: "first replication, at the end of each bin of " + format.Span(all[0].BinNs) + more,
		Note:     "Requests in flight. All panels have the same axes.",
		Legend:   []Entry{{"requests in flight", Admitted, Area}},
		Shared:   true, Columns: layout.columns, Width: 360, Height: 150,
	}
	for _, one := range all {
		p := layout.panel(one, float64(top))
		p.Y.Label = "requests in flight"
		p.Title += fmt.Sprintf(": at most %d", slices.Max(one.Inflight))
		p.Alt = p.Title + " requests in flight in the backend"
		heights := make([]float64, len(one.Inflight))
		for i, n := range one.Inflight {
			heights[i] = float64(n)
		}
		p.add(Admitted, one, heights)
		p.Readout.Format = "%s in flight"
		f.Panels = append(f.Panels, p)
	}
	return f
}
