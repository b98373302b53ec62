package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/compare"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

func (a *app) reportCommand() *cobra.Command {
	var out output
	var drawn inputs.KeyFlags
	c := &cobra.Command{
		Use:   "report RESULTS.json",
		Short: "show a results document again: tables, files, plots",
		Example: `  limitgauge report results.json --format markdown
  limitgauge run --format json --no-plots | limitgauge report - --columns over_limit_pct,burst_excess
  limitgauge report results.json --plots plots --key tenant-7`,
		Args:              usage.Arguments(1, 1),
		ValidArgsFunction: documents(1),
	}
	out.flags(c, "")
	drawn.Flags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.checkDocuments(&out, args); err != nil {
			return err
		}
		if known, err := a.reportSweep(c.Context(), args[0], &out, drawn.Keys); known {
			return err
		}
		d, err := inputs.LoadDocument(a.Host, args[0])
		if err != nil {
			return err
		}
		if err := drawn.Check(d, args[0]); err != nil {
			return err
		}
		out.keys = drawn.Keys
		return out.write(c.Context(), a, d)
	}
	return c
}

// compareFields lists what the tables, rows and columns of a comparison can
// stand for.
var compareFields = []string{"scenario", "algorithm", "metric", "file"}

func (a *app) compareCommand() *cobra.Command {
	var out output
	var metrics, tables, rows, columns []string
	var base string
	c := &cobra.Command{
		Use:   "compare A.json [B.json...]",
		Short: "compare results documents, or the algorithms of one document",
		Long: `Compare shows each metric as value ± half its 95 % interval, the change from the
first column, and p, the probability of a change this large by chance alone.
~ marks a change that may be chance. Where documents have the same
seeds and traffic, replications are compared in pairs.

Tables, rows and columns can each stand for one of scenario, algorithm, metric
and file. By default the columns are files if there are several documents, and
algorithms if there is one.`,
		Example: `  limitgauge compare before.json after.json
  limitgauge compare results.json --base token-bucket
  limitgauge compare a.json b.json c.json --rows algorithm --tables scenario,metric`,
		Args:              usage.Arguments(1, -1),
		ValidArgsFunction: documents(-1),
	}
	out.fileFlags(c, "tables", "table", "markdown")
	f := c.Flags()
	f.StringSliceVar(&metrics, "metrics", nil, "`METRICS` to compare, instead of those with which the tables of run begin")
	f.StringSliceVar(&tables, "tables", nil, "a table of its own for each `FIELD`")
	f.StringSliceVar(&rows, "rows", nil, "a row for each `FIELD`")
	f.StringSliceVar(&columns, "col", nil, "a column for each `FIELD`; one field at most")
	f.StringVar(&base, "base", "", "the `COLUMN` with which the others are compared; the first unless given")
	c.RunE = func(_ *cobra.Command, args []string) error {
		out.columns = metrics
		o := compare.Options{Metrics: metrics, Base: base}
		for _, fields := range []struct {
			flag  string
			names []string
			to    *[]compare.Field
		}{{"tables", tables, &o.Tables}, {"rows", rows, &o.Rows}, {"col", columns, &o.Col}} {
			parsed, err := compare.ParseFields(fields.names)
			if err != nil {
				return usage.Errorf("--%s: %w", fields.flag, err)
			}
			*fields.to = parsed
		}
		if err := a.checkDocuments(&out, args); err != nil {
			return err
		}
		documents, err := a.loadDocuments(args)
		if err != nil {
			return err
		}
		tables, err := compare.Tables(documents, args, o, measure.Metrics())
		if err != nil {
			return usage.Wrong(err)
		}
		return out.deliver(a, func(w io.Writer, format string) error { return a.renderTables(w, tables, format) })
	}
	return c
}

// checkDocuments returns an error if a command would replace a document that it
// reads.
func (a *app) checkDocuments(out *output, names []string) error {
	_, err := inputs.Claim(a.Host, &inputs.Running{}, out.Adds, inputs.Names("the results document", names...))
	return err
}

func (a *app) loadDocuments(names []string) ([]*results.Document, error) {
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return nil, inputs.ErrStdinTwice
	}
	return lists.Try(names, func(name string) (*results.Document, error) { return inputs.LoadDocument(a.Host, name) })
}
