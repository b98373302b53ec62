package main

import (
	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/scenarios"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print a JSON Schema of the scenario language, for editors",
		Long: `Schema prints a JSON Schema (draft 7) of scenario files. Save it and name it in the
first line of a scenario file, and an editor with a YAML language server completes
and checks while you type:

  # yaml-language-server: $schema=scenario.schema.json`,
		Example: "  limitgauge schema > scenario.schema.json",
		Args:    arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(scenarios.Schema(words()))
			return err
		},
	}
}
