package tune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/report/figure"
)

// Plot returns the settings of a document as data of a figure. Settings that do not have
// the metric of the tightest promise are left out.
func Plot(d *Document) figure.Tuned {
	t := figure.Tuned{
		Title: d.Scenario, Setting: fmt.Sprintf("seed %d", d.Seed), Cost: d.Least.Name, Metric: d.Tightest.Metric + d.in(d.Tightest.Scenario), Threshold: d.Tightest.Threshold,
	}
	for _, s := range d.Settings {
		if i := s.index(d.Tightest); i >= 0 {
			t.Points = append(t.Points, figure.TunedPoint{
				Name: d.Name(&s), Label: d.label(&s), Cost: s.Cost, Figure: s.Figures[i].Mean, Front: s.Front, Answer: d.isAnswer(s), Kept: s.Verdict == Kept, Broken: s.Verdict == Broken,
			})
		}
	}
	return t
}

// label names a setting by its axes and values, after its algorithm if there are several.
func (d *Document) label(s *Setting) string {
	var parts []string
	if slices.ContainsFunc(d.Settings, func(other Setting) bool { return other.Algorithm != s.Algorithm }) {
		parts = append(parts, s.Algorithm)
	}
	for i, text := range s.At {
		if text != "" {
			parts = append(parts, d.Axes[i].Name+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}
