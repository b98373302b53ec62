package figure

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/results"
)

// guard shows how many requests are in flight in the guarded backend over time.
func guard(part *results.Document, m Medium) *Figure {
	series := seriesOf(part, m, func(one results.Series) bool { return len(one.Inflight) > 0 })
	if len(series.all) == 0 {
		return nil
	}
	top := int64(1)
	for _, one := range series.all {
		top = max(top, slices.Max(one.Inflight))
	}
	f := series.figure("Load inside the guarded backend", "at the end of each bin", "Requests in flight",
		Entry{"requests in flight", Admitted, Area})
	for _, one := range series.all {
		p := series.panel(one, "requests in flight", float64(top))
		p.Title += fmt.Sprintf(": at most %d", slices.Max(one.Inflight))
		p.Alt = p.Title + " requests in flight in the backend"
		p.add(Admitted, one, scaled(one.Inflight, 1))
		p.Readout.Format = "%s in flight"
		f.Panels = append(f.Panels, p)
	}
	return f
}
