package cli

import "github.com/spf13/cobra"

func (a *app) reportCommand() *cobra.Command {
	var out output
	c := &cobra.Command{
		Use:   "report RESULTS.json",
		Short: "show a results document again: tables, files, plots",
		Example: `  limitgauge report results.json --format markdown
  limitgauge run --format json --no-plots | limitgauge report - --columns over_limit_pct,burst_excess`,
		Args:              arguments(1, 1),
		ValidArgsFunction: documents(1),
	}
	out.flags(c, "")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := out.check(); err != nil {
			return err
		}
		d, err := a.loadDocument(args[0])
		if err != nil {
			return err
		}
		return out.write(c.Context(), a, d)
	}
	return c
}
