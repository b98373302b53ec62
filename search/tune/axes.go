package tune

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim/results"
)

// axes finds, unless each was changed alone, the axes that changed no figure, and of those
// that changed one of the algorithm that is shown, the ones at whose end that setting lies.
func (d *Document) axes(found *search.Found, c Candidates) {
	d.AtEnd, d.Unmoved = []string{}, []string{}
	var unmoved []string // of the algorithm that is shown
	if found.Parts == nil {
		with := lists.Where(found.Seen, func(s *search.Candidate) bool { return s.NoData == "" })
		at := lists.Map(with, func(s *search.Candidate) []string { return append(c.Values(s.Number), c.Algorithm(s.Number)) })
		figures := lists.Map(with, func(s *search.Candidate) string {
			return fmt.Sprint(s.Costs[0], lists.Map(s.Figures, func(list []float64) float64 { return list[0] })) // on the replication that all have
		})
		d.Unmoved = append(d.Unmoved, results.Unmoved(d.Axes, at, figures)...)
		if s := d.shown(); s != nil {
			var atOf [][]string
			var figuresOf []string
			for k, one := range with {
				if c.Algorithm(one.Number) == s.Algorithm {
					atOf, figuresOf = append(atOf, at[k]), append(figuresOf, figures[k])
				}
			}
			unmoved = results.Unmoved(d.Axes, atOf, figuresOf)
		}
	}
	for i, a := range d.Axes {
		if d.end(a, i) != "" && !slices.Contains(unmoved, a.Name) {
			d.AtEnd = append(d.AtEnd, a.Name)
		}
	}
}

// shown returns the answer, or without one the setting nearest to the promise, nil if there
// is neither.
func (d *Document) shown() *Setting { return cmp.Or(d.Answer, d.Nearest) }

// end returns which end of an axis of numbers the setting that is shown lies at, or "".
func (d *Document) end(a results.Axis, axis int) string {
	s := d.shown()
	if s == nil || len(a.Numbers) < 2 || s.At[axis] == "" {
		return ""
	}
	switch a.Numbers[slices.Index(a.Values, s.At[axis])] {
	case slices.Min(a.Numbers):
		return "least"
	case slices.Max(a.Numbers):
		return "largest"
	}
	return ""
}

// axesText says which ends the setting that is shown lies at, and which axes change nothing.
func (d *Document) axesText() (lines []string) {
	for i, a := range d.Axes {
		if slices.Contains(d.AtEnd, a.Name) {
			lines = append(lines, fmt.Sprintf("end of an axis: %s is the %s value of %s; what lies beyond was not tried", d.shown().At[i], d.end(a, i), a.Name))
		}
	}
	for _, name := range d.Unmoved {
		lines = append(lines, fmt.Sprintf("no effect: settings that differ by %s alone have equal figures, in cost and promise", name))
	}
	return lines
}
