package baseline

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// names returns what a pattern can name the cell by: SCENARIO, SCENARIO/ALGORITHM and
// SCENARIO/ALGORITHM/METRIC.
func (c *Cell) names() []string {
	row := c.Scenario + "/" + c.Algorithm
	return []string{c.Scenario, row, row + "/" + c.Metric.Name}
}

// matches reports whether a pattern, in which * stands for any characters, names the cell.
func (c *Cell) matches(pattern string) bool {
	return slices.ContainsFunc(c.names(), func(name string) bool { return catalog.Matches(pattern, name) })
}

// allowed reports whether a pattern names the cell, so that it may stay unevaluated.
func (c *Cell) allowed(patterns []string) bool { return slices.ContainsFunc(patterns, c.matches) }

// unusedPattern returns an error for the first pattern of AllowUnevaluated that names
// no cell.
func (c Comparison) unusedPattern() error {
	for _, pattern := range c.options.AllowUnevaluated {
		if slices.ContainsFunc(c.Cells, func(cell Cell) bool { return cell.matches(pattern) }) {
			continue
		}
		names := make([]string, 0, len(c.Cells))
		for _, cell := range c.Cells {
			names = append(names, cell.names()...)
		}
		return fmt.Errorf("--allow-unevaluated=%s names no metric that is compared with the baseline%s; want SCENARIO, SCENARIO/ALGORITHM or SCENARIO/ALGORITHM/METRIC, with * for any characters",
			format.ShellQuote(pattern), scenarios.Suggest(pattern, names))
	}
	return nil
}
