package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/sim/measure"
)

func (a *app) reportCommand() *cobra.Command {
	var out output
	c := &cobra.Command{
		Use:   "report RESULTS.json",
		Short: "show a results document again: tables, files, plots",
		Example: `  limitgauge report results.json --format markdown
  limitgauge run --format json --no-plots | limitgauge report - --columns over_limit_pct,burst_excess`,
		Args: arguments(1, 1),
	}
	out.flags(c, "")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := out.check(); err != nil {
			return err
		}
		d, err := a.loadDocument(args[0])
		if err != nil {
			return err
		}
		return out.write(a, d)
	}
	return c
}

func (a *app) compareCommand() *cobra.Command {
	var out output
	var columns []string
	c := &cobra.Command{
		Use:     "compare A.json B.json",
		Short:   "show two results documents side by side",
		Example: `  limitgauge compare before.json after.json`,
		Args:    arguments(2, 2),
	}
	out.fileFlags(c)
	c.Flags().StringSliceVar(&columns, "metrics", report.Headline(), "`METRICS` to compare")
	c.RegisterFlagCompletionFunc("metrics", completer(metricNames))
	c.RunE = func(_ *cobra.Command, args []string) error {
		out.columns = columns
		if err := out.check(); err != nil {
			return err
		}
		if args[0] == "-" && args[1] == "-" {
			return errStdinTwice
		}
		before, err := a.loadDocument(args[0])
		if err != nil {
			return err
		}
		after, err := a.loadDocument(args[1])
		if err != nil {
			return err
		}
		t := report.Compare(before, after, [2]string{args[0], args[1]}, columns, measure.Metrics())
		return out.deliver(a, func(w io.Writer, format string) error { return renderTable(w, t, format) })
	}
	return c
}
