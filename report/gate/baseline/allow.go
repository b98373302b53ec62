package baseline

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// matches reports whether a pattern names the cell: SCENARIO, SCENARIO/ALGORITHM or
// SCENARIO/ALGORITHM/METRIC, where * stands for any characters of one name, also for
// slashes in it. A pattern with more slashes than it needs names the cell if it can
// be divided at some of them so that every part names its own.
func (c *Cell) matches(pattern string) bool {
	return divides(pattern, c.Scenario, c.Algorithm, c.Metric.Name)
}

// divides reports whether a pattern is that of the first name, or can be divided at
// a slash into one of the first name and one of the others.
func divides(pattern string, names ...string) bool {
	if catalog.Matches(pattern, names[0]) {
		return true
	}
	if len(names) == 1 {
		return false
	}
	for i, r := range pattern {
		if r == '/' && catalog.Matches(pattern[:i], names[0]) && divides(pattern[i+1:], names[1:]...) {
			return true
		}
	}
	return false
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
			names = append(names, cell.Scenario, cell.Scenario+"/"+cell.Algorithm, cell.Scenario+"/"+cell.Algorithm+"/"+cell.Metric.Name)
		}
		return fmt.Errorf("--allow-unevaluated=%s names no metric that is compared with the baseline%s; want SCENARIO, SCENARIO/ALGORITHM or SCENARIO/ALGORITHM/METRIC, with * for any characters of one name",
			format.ShellQuote(pattern), scenarios.Suggest(pattern, names))
	}
	return nil
}
