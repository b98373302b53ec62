package main

import (
	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print a JSON Schema of the scenario language, for editors",
		Long: `Schema prints a JSON Schema (draft 7) of scenario files: an editor with a YAML
language server completes and checks by it while you type. Scenario files that
limitgauge init writes name it, in the head of the file, by an address that
stays the same:

  # yaml-language-server: $schema=` + scenarios.SchemaURL + `

Without a network, or for the words of exactly this program, save what this
command prints and name that, relative to the scenario file:

  # yaml-language-server: $schema=scenario.schema.json`,
		Example: "  limitgauge schema > scenario.schema.json",
		Args:    arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(scenarios.Schema(sim.Catalog()))
			return err
		},
	}
}
