package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// tunedParts is the grid of a search: one part for each scenario that a setting serves,
// with the same axes in the same order.
type tunedParts struct {
	grid    *scenarios.Grid
	checked *scenarios.Grid // with the axes that each scenario has
	n       int
}

// scenarios returns the scenarios, each once.
func (p *tunedParts) scenarios() (list []scenarios.Scenario) {
	all := p.grid.File.Scenarios
	for i := 0; i < len(all); i += len(all) / p.n {
		list = append(list, all[i])
	}
	return list
}

// axes returns the axes of a part.
func (p *tunedParts) axes() []scenarios.Axis {
	all := p.grid.File.Scenarios
	return slices.Concat(lists.Map(all[:len(all)/p.n], func(s scenarios.Scenario) []scenarios.Axis { return s.Axes })...)
}

// grid loads the grid of the scenarios that one setting serves.
func (t *tuneFlags) grid(a *app, c *cobra.Command, files *inputs.FileSet, run sim.Options) (*tunedParts, error) {
	o := t.Overrides(c)
	o.Only = t.scenarios
	if alone, err := t.optionGrid(a, c, files.Source, o, run); alone != nil || err != nil {
		return alone, err
	}
	grid, err := files.Grid(t.vary, o)
	if err != nil {
		return nil, err
	}
	if err := t.known(grid.File.Scenarios); err != nil {
		return nil, err
	}
	checked, err := grid.Joined(func(s *scenarios.Scenario) bool {
		tried := t.tried(s)
		promised := len(t.promises) > 0 || slices.ContainsFunc(tried, func(name string) bool { return len(expectationsOf(s, name)) > 0 })
		if len(s.Axes) == 0 && len(tried) > 0 && !promised && !t.Quiet {
			fmt.Fprintf(a.Err, "note: %s has no axes and no promise: it is left out\n", scenarios.Clip(s.Name))
		}
		return len(tried) > 0 && (promised || len(s.Axes) > 0)
	})
	if err != nil {
		return nil, usage.Wrong(err)
	}
	parts := &tunedParts{checked.Padded(), checked, len(checked.File.Scenarios)}
	axes := parts.axes()
	if i := slices.IndexFunc(axes, func(axis scenarios.Axis) bool { return axis.Of == "replications" }); i >= 0 {
		return nil, usage.Errorf("%s varies the replications, which are no setting of a limiter: leave the axis out", scenarios.Clip(axes[i].Name))
	}
	return parts, nil
}

// tried returns the algorithms of a scenario that may be tried.
func (t *tuneFlags) tried(s *scenarios.Scenario) []string {
	return lists.Where(algorithmsOf(s), func(name string) bool { return len(t.algorithms) == 0 || slices.Contains(t.algorithms, name) })
}

func algorithmsOf(s *scenarios.Scenario) []string {
	return lists.Map(s.Algorithms, func(one scenarios.Algorithm) string { return one.Name })
}

// known returns an error if --algorithm names one that no scenario compares.
func (t *tuneFlags) known(list []scenarios.Scenario) error {
	all := lists.Distinct(slices.Concat(lists.Map(list, func(s scenarios.Scenario) []string { return algorithmsOf(&s) })...))
	for _, name := range t.algorithms {
		if !slices.Contains(all, name) {
			names := lists.Map(list, func(s scenarios.Scenario) string { return scenarios.Clip(s.Name) })
			return usage.Errorf("--algorithm %s: not one of those of %s (%s)%s", name, strings.Join(names, ", "), strings.Join(all, ", "), scenarios.Suggest(name, all))
		}
	}
	return nil
}
