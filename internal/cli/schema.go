package cli

import (
	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

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
