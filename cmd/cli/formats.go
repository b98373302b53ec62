package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

func (a *app) formatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "list the log formats that replay reads",
		Long: `Formats lists the log formats that replay and the trace pattern read: who writes
them, the time of arrival and the key that they take.`,
		Args: usage.Arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return renderListing(a.Out, formatTable()) },
	}
}

// formatTable lists all log formats: two rows for each.
func formatTable() table.Table {
	t := descriptions("log formats", nil)
	for _, f := range logs.AllFormats {
		t.Rows = append(t.Rows, []string{f.Name, f.By}, []string{"", "time: " + f.Time + "; key: " + f.Key})
	}
	return t
}

// explainFormats prints as what each log is read, and why. The error is that of
// the first log that is refused.
func (a *app) explainFormats(c *cobra.Command, p *replaying, args []string) error {
	o, err := p.options(c, args)
	if err != nil {
		return err
	}
	o.Stdin = a.In
	o.Hide = c.Flags().Changed("hash-keys")
	list, err := logs.Explain(c.Context(), o)
	if err != nil {
		return err
	}
	for _, e := range list {
		if failed := showExplanation(a.Out, e); failed != nil {
			return failed
		}
		err = cmp.Or(err, e.Err)
	}
	return err
}

// options returns how the flags read logs.
func (p *replaying) options(c *cobra.Command, args []string) (logs.Options, error) {
	files, err := logs.Expand(args)
	if err != nil {
		return logs.Options{}, err
	}
	entry, err := p.entry(c, files)
	if err != nil {
		return logs.Options{}, err
	}
	text, err := json.Marshal(map[string]any{"version": 1, "scenarios": []any{map[string]any{
		"name": "replay", "policy": map[string]any{"limit": "1/s"}, "traffic": []any{entry}, "algorithms": p.compared()[:1],
	}}})
	if err != nil {
		return logs.Options{}, err
	}
	f, problems := scenarios.Load("replay", text, ".", sim.Catalog())
	if len(problems) > 0 {
		return logs.Options{}, flagProblems(problems, replayFlag)
	}
	o, err := logs.OptionsFrom(f.Scenarios[0].Traffic[0].Options, ".")
	o.Shared = p.Shared
	return o, err
}

// onLogs reads the logs of a command, uses them and shows the progress of both, unless it is
// quiet.
func (a *app) onLogs(ctx context.Context, o logs.Options, command string, quiet bool, use func(*logs.Recording) error) error {
	progress := &sim.Progress{}
	o.Progress = func(bytes, total int64) { progress.ReadBytes.Store(bytes); progress.TotalBytes.Store(total) }
	defer a.ShowRun(progress, quiet)()
	r, err := logs.Read(ctx, o)
	if foreign, ok := errors.AsType[*logs.Foreign](err); ok {
		foreign.Command = command
	}
	if err != nil {
		return err
	}
	defer r.Close()
	return use(r)
}

// showExplanation prints the scores of the formats on one file, and the
// decision.
func showExplanation(w io.Writer, e logs.Explanation) error {
	t := table.Table{
		Title:   fmt.Sprintf("%s, %s sampled", e.File, format.Count(e.Sampled, "line")),
		Columns: []table.Column{{Header: "format"}, {Header: "share that fits"}, {Header: "first reason against it"}},
	}
	for _, s := range e.Scores {
		why := cmp.Or(s.Why, "every sampled record fits")
		if s.Why != "" && s.Line > 0 {
			why = fmt.Sprintf("line %d: %s", s.Line, why)
		}
		t.Rows = append(t.Rows, []string{s.Format.Name, fmt.Sprintf("%3d %%", s.Percent()), why})
	}
	if err := renderListing(w, t); err != nil {
		return err
	}
	var notes []string
	if len(e.Peeled) > 0 {
		notes = append(notes, "taken off each line: "+strings.Join(e.Peeled, " in "))
	}
	if e.Err == nil {
		notes = append(notes, e.Choice.String())
	} else {
		notes = append(notes, "refused")
	}
	notes = append(notes, lists.Map(e.Choice.Others, func(o logs.Candidate) string { return "other candidate: " + o.String() })...)
	notes = append(notes, lists.Map(e.Choice.Warnings, func(text string) string { return "warning: " + text })...)
	_, err := fmt.Fprintf(w, "%s\n", strings.Join(notes, "\n"))
	return err
}
