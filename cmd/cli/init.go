package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func (a *app) initCommand() *cobra.Command {
	var force bool
	var template, language string
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "write a scenario file to start from",
		Long: `Init writes one of the scenario files that ship with the program, with comments,
to FILE (default scenarios.yaml; - is standard output). Its head names the
schema of the scenario language, so that an editor with a YAML language server
completes and checks the file; see limitgauge schema.

Every shipped file is a template: the short ones to start from, and the suites,
such as seastar and sql, to change a published system. limitgauge list scenarios
lists them.

The template exec writes two files: a limiter as a program of your own, and the
scenario that runs it (default limiter.yaml). --language chooses its language.`,
		Example: `  limitgauge init
  limitgauge init log.yaml --template access-log
  limitgauge init disk.yaml --template seastar
  limitgauge init --template exec --language javascript`,
		Args:              usage.Arguments(0, 1),
		ValidArgsFunction: files(1),
	}
	c.Flags().BoolVar(&force, "force", false, "replace the file if it is there")
	c.Flags().StringVar(&template, "template", "basic", "write the template or suite called `NAME`")
	c.Flags().StringVar(&language, "language", scenarios.ExecLanguages()[0],
		"write the limiter of the template exec in this `LANGUAGE`: "+catalog.Join(scenarios.ExecLanguages()))
	c.RunE = func(c *cobra.Command, args []string) error {
		suite, err := scenarios.FindTemplate(template)
		if err != nil {
			return usage.Errorf("%w; see limitgauge help init", err)
		}
		if template == scenarios.ExecName {
			return a.initExec(args, language, force)
		}
		if c.Flags().Changed("language") {
			return usage.Errorf("--language applies only to the template exec: limitgauge init --template exec --language %s", format.ShellQuote(language))
		}
		name := inputs.FileArgument(args)
		if name == "-" {
			_, err := a.Out.Write(suite.Source)
			return err
		}
		if err := mayWrite(name, force); err != nil {
			return err
		}
		if err = report.WriteFile(name, whole(suite.Source)); err == nil {
			fmt.Fprintf(a.Err, "wrote %s; run it with: limitgauge run %s\n", name, format.ShellQuote(name))
		}
		return err
	}
	return c
}

// mayWrite returns an error if a file cannot be written, or is there and force is
// not set.
func mayWrite(name string, force bool) error {
	if err := usage.NotDirectory("", name); err != nil {
		return err
	}
	if !force && inputs.IsThere(name) {
		return usage.Errorf("%s is already there; --force replaces it", name)
	}
	return nil
}
