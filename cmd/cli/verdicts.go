package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/report/verdicts"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// gateError returns the error for a gate's outcome. An outcome that is neither
// passed nor failed counts as unevaluated.
func gateError(outcome gate.Status) error {
	switch outcome {
	case gate.Passed:
		return nil
	case gate.Failed:
		return usage.Code(usage.ExitGateFailed)
	}
	return usage.Code(usage.ExitUnevaluated)
}

// showVerdicts writes verdicts to stdout, to the -o file, with the document to the
// --html file and, in format github, to the job summary.
func (a *app) showVerdicts(o *output, d *results.Document, v gate.Verdicts) error {
	var htmlErr error
	if o.html != "" {
		htmlErr = a.writeFile(o.html, func(w io.Writer) error { return html.WriteGate(w, d, v, measure.Metrics()) })
	}
	err := o.deliver(a, func(w io.Writer, format string) error {
		switch format {
		case "github":
			return verdicts.Render(w, a.inWorkspace(v), format)
		case "table":
			return verdicts.TextIn(a.Width(w))(w, v)
		}
		return verdicts.Render(w, v, format)
	})
	err = errors.Join(htmlErr, err)
	if note := verdicts.LeftOut(v, o.format); note != "" {
		fmt.Fprintln(a.Err, note)
	}
	if path := a.summary(o); path != "" {
		err = errors.Join(err, a.appendSummary(path, a.inWorkspace(v)))
	}
	return err
}

const summaryVariable = "GITHUB_STEP_SUMMARY"

// summary returns the file of the job summary, or "" if none is asked for.
func (a *app) summary(o *output) string {
	if o.format != "github" {
		return ""
	}
	path, _ := a.Lookup(summaryVariable)
	return path
}

// inWorkspace replaces the paths of scenario files inside the checkout by paths
// relative to its root, as GitHub names files.
func (a *app) inWorkspace(v gate.Verdicts) gate.Verdicts {
	root, _ := a.Lookup("GITHUB_WORKSPACE")
	if root == "" {
		return v
	}
	v.List = slices.Clone(v.List)
	for i := range v.List {
		v.List[i].File = pathFrom(root, v.List[i].File)
	}
	return v
}

// pathFrom returns file relative to root, with slashes, or file itself if it is
// not below root.
func pathFrom(root, file string) string {
	if file == "" {
		return ""
	}
	whole, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	path, err := filepath.Rel(root, whole)
	if err != nil || !filepath.IsLocal(path) {
		return file
	}
	return filepath.ToSlash(path)
}

// appendSummary appends the verdicts to the job summary. Other commands of the
// same step may already have written to it. If it is full, appendSummary prints
// a warning and appends nothing.
func (a *app) appendSummary(path string, v gate.Verdicts) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write the job summary: %w", err)
		}
	}()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := verdicts.WriteSummary(&text, v, verdicts.MaxSummary-int(min(info.Size(), verdicts.MaxSummary))); err != nil {
		fmt.Fprintf(a.Err, "warning: the job summary is full, the verdicts are not in it: %v\n", err)
		return nil
	}
	_, err = io.WriteString(f, text.String())
	return err
}
