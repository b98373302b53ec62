package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/sim"
)

func (a *app) validateCommand() *cobra.Command {
	var effective bool
	var o scenarios.Overrides
	c := &cobra.Command{
		Use:               "validate [FILE | SUITE | -]...",
		Short:             "report every problem of scenario files, without running them",
		Args:              usage.Arguments(0, -1),
		ValidArgsFunction: suiteOrFile(-1),
	}
	c.Flags().BoolVar(&effective, "effective", false, "print the file with every default written out")
	inputs.SetFlag(c, &o.Sets)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = []string{inputs.FileArgument(nil)}
		}
		var problems []scenarios.Problem
		var unread []error
		for _, name := range args {
			src, err := inputs.ReadSource(a.Host, name)
			if err != nil {
				unread = append(unread, err)
				continue
			}
			f, found := scenarios.LoadSound(src.Name, src.Text, src.Dir, a.Catalog(), o)
			if found, err = inputs.Further(c.Context(), a.Host, f, found); err != nil {
				return err
			}
			cells := 0
			if len(found) == 0 {
				if cells, found, err = a.checkCells(c.Context(), f, src, o); err != nil {
					return err
				}
			}
			problems = append(problems, found...)
			switch {
			case len(found) > 0:
			case effective:
				a.Out.Write(f.Effective())
			case cells > 0:
				fmt.Fprintf(a.Out, "%s: %s, %s of a sweep, no problems\n", src.Name, format.Count(len(f.Scenarios), "scenario"), format.Count(cells, "cell"))
			default:
				fmt.Fprintf(a.Out, "%s: %s, no problems\n", src.Name, format.Count(len(f.Scenarios), "scenario"))
			}
			if len(found) == 0 {
				a.warn(f)
			}
		}
		if len(problems) > 0 {
			unread = append(unread, &sim.Invalid{Problems: problems})
		}
		return errors.Join(unread...)
	}
	return c
}

// checkCells returns the problems of the cells of a file that has no other problems, and
// how many cells it has.
func (a *app) checkCells(ctx context.Context, f *scenarios.File, src inputs.Source, o scenarios.Overrides) (cells int, found []scenarios.Problem, err error) {
	if !slices.ContainsFunc(f.Scenarios, func(s scenarios.Scenario) bool { return len(s.Axes) > 0 }) {
		return 0, nil, nil
	}
	grid, found, err := scenarios.LoadGrid(src.Name, src.Text, src.Dir, a.Catalog(), nil, o)
	if err != nil {
		return 0, nil, usage.Wrong(err)
	}
	if len(found) > 0 {
		return 0, found, nil
	}
	found, err = sweep.Check(ctx, grid, sweep.Options{Run: sim.Options{AllowExec: true, Programs: a.MakeFleet}})
	return grid.Len(), found, err
}

// warn prints each warning of a file once.
func (a *app) warn(f *scenarios.File) {
	warnings := slices.Concat(lists.Map(f.Scenarios, func(s scenarios.Scenario) []scenarios.Problem { return s.Warnings })...)
	for _, w := range lists.Distinct(warnings) {
		fmt.Fprintf(a.Err, "warning: %s\n", w)
	}
}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print a JSON Schema of the scenario language, for editors",
		Long: `Schema prints a JSON Schema (draft 7) of scenario files, with which an editor with
a YAML language server completes and checks them. Scenario files written by
limitgauge init name the schema in their first line:

  # yaml-language-server: $schema=` + scenarios.SchemaURL + `

Without a network connection, or for exactly this version, save the output of this
command and name that file, relative to the scenario file:

  # yaml-language-server: $schema=scenario.schema.json`,
		Example: "  limitgauge schema > scenario.schema.json",
		Args:    usage.Arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.Out.Write(scenarios.Schema(a.Catalog()))
			return err
		},
	}
}
