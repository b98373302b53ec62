package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// output is the flags that say how a results document is shown.
type output struct {
	format  string
	file    string
	plots   string
	noPlots bool
	columns []string

	rejections bool // also show the keys rejected most
}

var formats = []string{"table", "markdown", "csv", "json"}

func (o *output) flags(c *cobra.Command, plots string) {
	o.fileFlags(c)
	f := c.Flags()
	f.StringVar(&o.plots, "plots", plots, "draw PNG plots into `DIR`")
	f.BoolVar(&o.noPlots, "no-plots", false, "draw no plots")
	f.StringSliceVar(&o.columns, "columns", nil, "`METRICS` to show in tables, instead of the headline ones")
	c.RegisterFlagCompletionFunc("columns", completer(metricNames))
}

func (o *output) fileFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.format, "format", "table", "what to print: `table`, markdown, csv or json")
	f.StringVarP(&o.file, "output", "o", "", "also write the results to `FILE`; .json, .csv, .md and .txt say the format, else --format does; - is stdout")
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

func (o *output) check() error {
	if !slices.Contains(formats, o.format) {
		return usagef("unknown format %q: one of %s", o.format, strings.Join(formats, ", "))
	}
	for _, name := range o.columns {
		if !slices.Contains(metricNames(), name) {
			return usagef("unknown metric %q%s; see limitgauge list metrics", name, scenarios.Suggest(name, metricNames()))
		}
	}
	return nil
}

// fileFormat is the format of -o: its extension's, else --format.
func (o *output) fileFormat() string {
	switch strings.ToLower(filepath.Ext(o.file)) {
	case ".json":
		return "json"
	case ".csv":
		return "csv"
	case ".md", ".markdown":
		return "markdown"
	case ".txt":
		return "table"
	}
	return o.format
}

// deliver renders to stdout and to the file asked for; -o - is stdout alone.
func (o *output) deliver(a *app, render func(w io.Writer, format string) error) error {
	if err := render(a.out, o.format); err != nil {
		return err
	}
	if o.file == "" || o.file == "-" {
		return nil
	}
	if err := report.WriteFile(o.file, func(w io.Writer) error { return render(w, o.fileFormat()) }); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.err, "wrote %s\n", o.file)
	return err
}

// write shows a document: on stdout, in the file asked for, and as plots.
func (o *output) write(a *app, d *results.Document) error {
	err := o.deliver(a, func(w io.Writer, format string) error { return o.render(w, d, format) })
	if err != nil || o.plots == "" || o.noPlots {
		return err
	}
	paths, err := report.Plots(d, o.plots)
	for _, path := range paths {
		fmt.Fprintf(a.err, "wrote %s\n", path)
	}
	return err
}

func (o *output) render(w io.Writer, d *results.Document, format string) error {
	switch format {
	case "json":
		return report.RenderJSON(w, d)
	case "csv":
		return report.RenderCSV(w, d, measure.Metrics())
	}
	for i, t := range o.tables(d) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := renderTable(w, t, format); err != nil {
			return err
		}
	}
	return nil
}

// tables are what a person sees of a document, in reading order.
func (o *output) tables(d *results.Document) []report.Table {
	var tables []report.Table
	if len(d.Input) > 0 {
		tables = append(tables, report.Inputs(d))
	}
	for _, s := range d.Scenarios {
		tables = append(tables, report.Comparison(d, s.Name, o.columns, measure.Metrics()))
		if o.rejections {
			tables = append(tables, report.Rejections(d, s.Name))
		}
	}
	return tables
}

func renderTable(w io.Writer, t report.Table, format string) error {
	if format == "markdown" {
		return report.RenderMarkdown(w, t)
	}
	return report.RenderText(w, t)
}
