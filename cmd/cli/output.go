package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/figure/png"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/search/answer"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// output holds the flags that select how a results document is shown.
type output struct {
	format  string
	file    string
	html    string
	plots   string
	noPlots bool
	notes   bool
	columns []string

	formats    []string // values of --format
	keys       []string // if not empty, draw the timelines of these keys alone
	rejections bool     // also show the keys rejected most
}

// extensions lists the extensions of files that select a format.
var extensions = []struct{ extension, format string }{
	{".json", "json"}, {".csv", "csv"}, {".md", "markdown"}, {".txt", "table"}, {".jsonl", "jsonl"}, {".xml", "junit"}, {".yaml", "yaml"},
}

func (o *output) flags(c *cobra.Command, plots string) {
	o.fileFlags(c, "results", "table", "markdown", "csv", "json")
	o.htmlFlag(c)
	f := c.Flags()
	f.StringVar(&o.plots, "plots", plots, "draw PNG plots into `DIR`")
	f.BoolVar(&o.noPlots, "no-plots", false, "draw no plots")
	f.BoolVar(&o.notes, "notes", false, "show a line for each row, and every note: the worst replication, missing data, expectations that hold")
	f.StringSliceVar(&o.columns, "columns", nil, "`METRICS` to show in tables and CSV, instead of the headline ones in tables and all in CSV")
}

func (o *output) htmlFlag(c *cobra.Command) {
	c.Flags().StringVar(&o.html, "html", "", "also write a report to read in a browser, one file that needs no network, to `FILE`")
}

// fileFlags adds the flags that select in which formats a command shows what it
// shows, and where.
func (o *output) fileFlags(c *cobra.Command, what string, formats ...string) {
	o.formats = formats
	var known []string
	for _, e := range extensions {
		if slices.Contains(formats, e.format) {
			known = append(known, e.extension)
		}
	}
	f, last := c.Flags(), len(formats)-1
	f.StringVar(&o.format, "format", "table", fmt.Sprintf("print the %s as `FORMAT`: %s or %s", what, strings.Join(formats[:last], ", "), formats[last]))
	f.StringVarP(&o.file, "output", "o", "", fmt.Sprintf("also write the %s to `FILE`: as its extension says (%s), else as --format does", what, strings.Join(known, ", ")))
	c.RegisterFlagCompletionFunc("format", fixed(formats))
}

// full returns the metrics that are of the full set, which is then measured.
func full(metrics []string) []string {
	return lists.Where(metrics, func(name string) bool {
		metric := catalog.Find(measure.Metrics(), name)
		return metric != nil && metric.Full
	})
}

// checkMetrics checks the names of metrics.
func checkMetrics(given []string) error {
	known := catalog.Names(measure.Metrics())
	if i := slices.IndexFunc(given, func(name string) bool { return !slices.Contains(known, name) }); i >= 0 {
		return usage.Errorf("no metric is called %q%s; see limitgauge list metrics", given[i], scenarios.Suggest(given[i], known))
	}
	return nil
}

// Adds checks the flags, and adds their files to those that a command writes.
func (o *output) Adds(files *inputs.FileSet) error {
	if err := cmp.Or(usage.Choice("format", o.format, o.formats), checkMetrics(o.columns),
		usage.NotDirectory("-o ", o.file), usage.NotDirectory("--html ", o.html)); err != nil {
		return err
	}
	files.Writes("-o", o.file)
	files.Writes("--html", o.html)
	if o.noPlots || o.plots == "" {
		return nil
	}
	if info, err := os.Stat(o.plots); err == nil && !info.IsDir() {
		return usage.Errorf("--plots %s: is a file, want a directory", o.plots)
	}
	files.Plots = o.plots
	if o.html == "" {
		files.Writes("--plots", filepath.Join(o.plots, pageName))
	}
	return nil
}

// showsTimelines reports whether plots, an HTML page or a results document are
// asked for.
func (o *output) showsTimelines() bool {
	return o.plots != "" && !o.noPlots || o.html != "" || o.format == "json" || o.file != "" && o.fileFormat() == "json"
}

// fileFormat returns the format of the -o file: that of its extension, else
// --format. The extension .json does not override a benchmark format, which is
// JSON too.
func (o *output) fileFormat() string {
	extension := strings.ToLower(filepath.Ext(o.file))
	if extension == ".json" && strings.HasPrefix(o.format, "benchmark") {
		return o.format
	}
	for _, e := range extensions {
		if slices.Contains(o.formats, e.format) && (e.extension == extension || e.format == "markdown" && extension == ".markdown") {
			return e.format
		}
	}
	return o.format
}

// deliver renders to the -o file and to stdout. The file comes first, because
// the program ends when the reader of stdout closes it (| head). Each is
// written even if the other fails.
func (o *output) deliver(a *app, render func(w io.Writer, format string) error) error {
	var fileErr error
	if o.file != "" && o.file != "-" {
		fileErr = a.writeFile(o.file, func(w io.Writer) error { return render(w, o.fileFormat()) })
	}
	return errors.Join(fileErr, render(a.Out, o.format))
}

// showAnswer writes the answer of a search on stdout and in the requested file. It draws
// its figure, nil if there is too little to draw, as a plot of this name.
func (o *output) showAnswer(a *app, d answer.Answer, plot string, draw func() *figure.Figure) error {
	err := o.deliver(a, func(w io.Writer, format string) error { return answer.Write(w, d, format, a.renderTables) })
	if err != nil || o.plots == "" || o.noPlots {
		return err
	}
	f := draw()
	if f == nil {
		fmt.Fprintln(a.Err, "note: no plot of fewer than two settings")
		return nil
	}
	return a.writeFile(filepath.Join(o.plots, plot), func(w io.Writer) error { return png.Write(w, f) })
}

// warn prints warnings on standard error, unless tables on the same terminal show them.
func (o *output) warn(a *app, warnings []string) {
	if a.IsTerminal(a.Out) && a.IsTerminal(a.Err) && (o.format == "table" || o.format == "markdown") {
		return
	}
	for _, text := range warnings {
		fmt.Fprintf(a.Err, "limitgauge: warning: %s\n", text)
	}
}

// write shows a document on stdout, in the requested files, and as plots.
func (o *output) write(ctx context.Context, a *app, d *results.Document) error {
	for _, s := range d.Scenarios {
		o.warn(a, lists.Map(s.Warnings, func(text string) string { return s.Name + ": " + text }))
	}
	drawn := inputs.OfKeys(d, o.keys)
	return o.present(a,
		func(w io.Writer) error { return html.Write(w, drawn, measure.Metrics()) },
		func(w io.Writer, format string) error { return o.render(a, w, d, format) },
		func() ([]string, error) { return report.Plots(ctx, drawn, o.plots) })
}

// pageName is the name of the page in a folder of plots.
const pageName = "report.html"

// present writes the page, renders to the -o file and to stdout, and draws plots, as far as
// they are asked for. Each is written even if another one fails. A page without a file of its
// own goes to the plots. The last line says what to open.
func (o *output) present(a *app, page func(io.Writer) error, render func(w io.Writer, format string) error, draw func() (paths []string, err error)) error {
	var pageErr error
	named, drawn := o.html, o.plots != "" && !o.noPlots
	if named != "" { // before stdout, whose reader may end the program
		pageErr = report.WriteFile(named, page)
	}
	err := o.deliver(a, render)
	if drawn {
		paths, plotErr := draw()
		if len(paths) > 0 {
			fmt.Fprintf(a.Err, "wrote %s to %s\n", format.Count(len(paths), "picture"), o.plots)
		}
		err = errors.Join(err, plotErr)
		if named == "" {
			named = filepath.Join(o.plots, pageName)
			pageErr = report.WriteFile(named, page)
		}
	}
	if named != "" && pageErr == nil && report.Stream(named) == nil {
		fmt.Fprintf(a.Err, "open %s in a browser\n", named)
	}
	return errors.Join(pageErr, err)
}

// besideAnswer returns an error if a file beside what a command says is standard output.
func besideAnswer(flag, name string) error {
	if report.Stream(name) == os.Stdout {
		return usage.Errorf("%s %s: the answer goes to standard output; name a file", flag, name)
	}
	return nil
}

// writeFile writes a file as a whole or not at all, and prints a line about it
// on stderr.
func (a *app) writeFile(name string, render func(io.Writer) error) error {
	err := report.WriteFile(name, render)
	if err == nil && report.Stream(name) == nil {
		fmt.Fprintf(a.Err, "wrote %s\n", name)
	}
	return err
}

// whole returns what renders a text.
func whole(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

func (o *output) render(a *app, w io.Writer, d *results.Document, format string) error {
	switch format {
	case "json":
		return results.Encode(w, d)
	case "csv":
		return table.CSV(w, d, o.columns, measure.Metrics())
	}
	return a.renderTables(w, o.tables(d), format)
}

// tables returns the tables of a document, in reading order, a summary last.
func (o *output) tables(d *results.Document) []table.Table {
	var tables []table.Table
	shown := table.Table.Short
	if o.notes {
		shown = table.Table.Full
	}
	if o.rejections {
		for _, part := range d.PerScenario() {
			tables = append(tables, table.Answer(part))
		}
	}
	if len(d.Input) > 0 {
		tables = append(tables, table.Inputs(d))
	}
	var expects []string
	for _, part := range d.PerScenario() {
		var v table.Verdicts
		v.Held, v.Open, v.Missed = gate.Evaluate(part).Lines()
		expects = append(expects, v.Text())
		tables = append(tables, shown(table.Comparison(part, o.columns, measure.Metrics(), v)))
		if t := table.ByPolicy(part, o.columns, measure.Metrics()); len(t.Rows) > 0 {
			tables = append(tables, shown(t))
		}
		if t := table.Rejections(part); o.rejections && len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	for _, c := range d.Curves {
		if t := table.Curve(d, c, measure.Metrics()); len(t.Rows)+len(t.Notes) > 0 {
			tables = append(tables, t)
		}
	}
	if t := table.Summary(d, expects); len(t.Rows) > 0 {
		tables = append(tables, t)
	}
	return tables
}

// renderTables writes tables in a format, those on standard output as wide as the
// terminal.
func (a *app) renderTables(w io.Writer, tables []table.Table, format string) error {
	if format == "markdown" {
		return table.WriteAll(w, tables, table.Markdown)
	}
	return table.WriteAll(w, tables, table.TextIn(a.Width(w)))
}
