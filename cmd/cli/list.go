package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
)

func (a *app) listCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:       "list [" + strings.Join(describe.Kinds, " | ") + "]",
		Short:     "list algorithms, patterns, faults, metrics, shipped scenarios, and words of the sources and of the output",
		Args:      usage.Arguments(0, 1),
		ValidArgs: describe.Kinds,
	}
	c.Flags().StringVar(&format, "format", "table", "print as `FORMAT`: table or markdown")
	c.RegisterFlagCompletionFunc("format", fixed([]string{"table", "markdown"}))
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := usage.Choice("format", format, []string{"table", "markdown"}); err != nil {
			return err
		}
		wanted := describe.Kinds
		if len(args) == 1 {
			if !slices.Contains(describe.Kinds, args[0]) {
				return usage.Errorf("cannot list %q%s: one of %s", args[0], scenarios.Suggest(args[0], describe.Kinds), strings.Join(describe.Kinds, ", "))
			}
			wanted = args
		}
		return listKinds(a.Out, a.Catalog(), wanted, format)
	}
	return c
}

func listKinds(w io.Writer, all catalog.Catalog, wanted []string, format string) error {
	tables := lists.Map(wanted, func(kind string) table.Table { return listing(all, kind) })
	if format == "markdown" {
		return table.WriteAll(w, tables, table.Markdown)
	}
	return table.WriteAll(w, tables, renderListing)
}

// renderListing writes columns. The last one is prose and wraps at the width of
// the output.
func renderListing(w io.Writer, t table.Table) error {
	const width = 100
	last := len(t.Columns) - 1
	widths := make([]int, last)
	for _, row := range t.Rows {
		for i := range widths {
			widths[i] = max(widths[i], len(row[i]))
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", t.Title)
	for _, row := range t.Rows {
		start := "  "
		for i := range widths {
			start += fmt.Sprintf("%-*s  ", widths[i], row[i])
		}
		text := usage.Wrap(row[last], strings.Repeat(" ", len(start)), width)
		out.WriteString(start + text[min(len(start), len(text)):])
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// listing returns the table of a kind.
func listing(all catalog.Catalog, kind string) table.Table {
	if kind == "metrics" {
		return table.Table{Title: kind, Columns: []table.Column{{Header: "name"}, {Header: "unit"}, {Header: "set"}, {Header: "description"}},
			Rows: lists.Map(measure.Metrics(), func(m catalog.Metric) []string { return []string{m.Name, m.Unit, catalog.MetricSet(m.Full), m.Doc} })}
	}
	t := descriptions(kind, nil)
	for _, s := range describe.Subjects(all, kind) {
		t.Rows = append(t.Rows, []string{s.Name, s.Summary})
	}
	return t
}

// descriptions returns a table of names and what they stand for.
func descriptions(title string, rows [][]string) table.Table {
	return table.Table{Title: title, Columns: []table.Column{{Header: "name"}, {Header: "description"}}, Rows: rows}
}
