package tuning

import (
	"fmt"

	"github.com/limitgauge/limitgauge/report/figure"
)

// Plot returns the settings of a document as data of a figure. Settings that do not have
// the metric of the tightest promise are left out.
func Plot(d *Document) figure.Tuned {
	t := figure.Tuned{
		Title: d.Scenario, Setting: fmt.Sprintf("seed %d", d.Seed), Cost: d.Least.Name, Metric: d.Tightest.Metric, Threshold: d.Tightest.Threshold,
	}
	for _, s := range d.Settings {
		if i := s.index(d.Tightest.Metric); i >= 0 {
			t.Points = append(t.Points, figure.TunedPoint{
				Name: d.Name(&s), Cost: s.Cost, Figure: s.Figures[i].Mean, Front: s.Front, Answer: d.isAnswer(s), Kept: s.Verdict == Kept, Broken: s.Verdict == Broken,
			})
		}
	}
	return t
}
