package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

func (a *app) validateCommand() *cobra.Command {
	var effective bool
	c := &cobra.Command{
		Use:               "validate [FILE | SUITE | -]...",
		Short:             "report every problem of scenario files, without running them",
		Args:              arguments(0, -1),
		ValidArgsFunction: suiteOrFile(-1),
	}
	c.Flags().BoolVar(&effective, "effective", false, "print the file with every default written out")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = []string{fileArgument(nil)}
		}
		var problems []scenarios.Problem
		var unread []error
		for _, name := range args {
			src, err := a.readSource(name)
			if err != nil {
				unread = append(unread, err)
				continue
			}
			f, found := scenarios.Load(src.name, src.text, src.dir, sim.Catalog())
			if len(found) == 0 {
				if found, err = sim.Check(c.Context(), f, a.In); err != nil {
					return err
				}
			}
			problems = append(problems, found...)
			switch {
			case len(found) > 0:
			case effective:
				a.Out.Write(f.Effective())
			default:
				fmt.Fprintf(a.Out, "%s: %s, no problems\n", src.name, plural(len(f.Scenarios), "scenario"))
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

// warn prints each warning of a file once.
func (a *app) warn(f *scenarios.File) {
	var printed []scenarios.Problem
	for i := range f.Scenarios {
		for _, w := range f.Scenarios[i].Warnings {
			if !slices.Contains(printed, w) {
				printed = append(printed, w)
				fmt.Fprintf(a.Err, "warning: %s\n", w)
			}
		}
	}
}

func (a *app) initCommand() *cobra.Command {
	var force bool
	var template string
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "write a scenario file to start from",
		Long: `Init writes one of the scenario files that ship with the program, with comments,
to FILE (default scenarios.yaml; - is standard output). Its first line names the
schema of the scenario language, so that an editor with a YAML language server
completes and checks the file; see limitgauge schema.

See limitgauge list scenarios for the templates.`,
		Example: `  limitgauge init
  limitgauge init log.yaml --template access-log`,
		Args:              arguments(0, 1),
		ValidArgsFunction: files(1),
	}
	c.Flags().BoolVar(&force, "force", false, "replace the file if it is there")
	c.Flags().StringVar(&template, "template", "basic", "write the template called `NAME`")
	c.RunE = func(_ *cobra.Command, args []string) error {
		suite, err := scenarios.FindTemplate(template)
		if err != nil {
			return usageError{err}
		}
		name := fileArgument(args)
		if name == "-" {
			_, err := a.Out.Write(suite.Source)
			return err
		}
		if err := notDirectory("", name); err != nil {
			return err
		}
		if !force && isThere(name) {
			return usagef("%s is already there; --force replaces it", name)
		}
		err = report.WriteFile(name, func(w io.Writer) error {
			_, err := w.Write(suite.Source)
			return err
		})
		if err == nil {
			fmt.Fprintf(a.Err, "wrote %s; run it with: limitgauge run %s\n", name, format.ShellQuote(name))
		}
		return err
	}
	return c
}

func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
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
		Args:    arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.Out.Write(scenarios.Schema(sim.Catalog()))
			return err
		},
	}
}
