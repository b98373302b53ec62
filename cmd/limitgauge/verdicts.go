package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/report/verdicts"
)

// gateError is how a gate with this outcome ends the program. What is neither
// passed nor failed is unevaluated, whatever it is called.
func gateError(outcome gate.Status) error {
	switch outcome {
	case gate.Passed:
		return nil
	case gate.Failed:
		return codeError(exitGateFailed)
	}
	return codeError(exitUnevaluated)
}

// showVerdicts writes verdicts to stdout, to the file asked for and, in the
// format github, to the job's summary.
func (a *app) showVerdicts(o *output, v gate.Verdicts) error {
	err := o.deliver(a, func(w io.Writer, format string) error {
		if format == "github" {
			return verdicts.Render(w, a.inWorkspace(v), format)
		}
		return verdicts.Render(w, v, format)
	})
	if note := verdicts.LeftOut(v, o.format); note != "" {
		fmt.Fprintln(a.err, note)
	}
	if path, _ := a.lookup("GITHUB_STEP_SUMMARY"); o.format == "github" && path != "" {
		err = errors.Join(err, a.appendSummary(path, a.inWorkspace(v)))
	}
	return err
}

// inWorkspace names scenario files as GitHub does, by their path from the root
// of the checkout, where they lie in it.
func (a *app) inWorkspace(v gate.Verdicts) gate.Verdicts {
	root, _ := a.lookup("GITHUB_WORKSPACE")
	if root == "" {
		return v
	}
	v.List = slices.Clone(v.List)
	for i := range v.List {
		v.List[i].File = pathFrom(root, v.List[i].File)
	}
	return v
}

// pathFrom is file relative to root, with slashes; file itself where it is not
// below root.
func pathFrom(root, file string) string {
	if file == "" {
		return ""
	}
	whole, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	path, err := filepath.Rel(root, whole)
	if err != nil || path == ".." || strings.HasPrefix(path, ".."+string(filepath.Separator)) {
		return file
	}
	return filepath.ToSlash(path)
}

// appendSummary adds the verdicts to a job's summary, which other steps of the
// same job step may have written to. Where what is there leaves no room, the
// verdicts are left out with a warning.
func (a *app) appendSummary(path string, v gate.Verdicts) (err error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("write the job summary: %w", err)
	}
	defer func() {
		if closed := f.Close(); err == nil && closed != nil {
			err = fmt.Errorf("write the job summary: %w", closed)
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("write the job summary: %w", err)
	}
	var text strings.Builder
	if err := verdicts.WriteSummary(&text, v, verdicts.MaxSummary-int(min(info.Size(), verdicts.MaxSummary))); err != nil {
		fmt.Fprintf(a.err, "warning: the job summary is full, the verdicts are not in it: %v\n", err)
		return nil
	}
	if _, err := io.WriteString(f, text.String()); err != nil {
		return fmt.Errorf("write the job summary: %w", err)
	}
	return nil
}
