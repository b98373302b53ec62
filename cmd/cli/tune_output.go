package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/search/tune"
	"github.com/limitgauge/limitgauge/search/tune/search"
)

// showTuning reports the progress of a search until stop is called.
func (a *app) showTuning(checked *sweep.Progress, p *search.Progress) (stop func()) {
	return a.Show(10*time.Second, func(time.Duration) terminal.Moment {
		used, budget := p.Used.Load(), p.Budget.Load()
		if budget == 0 {
			return terminal.Moment{Share: -1, Text: fmt.Sprintf("%d cells checked", checked.Checked.Load())}
		}
		text := fmt.Sprintf("%s of at most %d", format.Count(used, "run"), budget)
		if held := p.Held.Load(); held > 0 {
			text += fmt.Sprintf(", %s on fresh seeds", format.Count(held, "setting"))
		}
		return terminal.Moment{Share: -1, Text: text}
	})
}

// showTuned writes the answer on stdout, in the requested file, and as a plot. Its error
// has the exit code of the outcome. The scenarios are from a file that from holds.
func (a *app) showTuned(d *tune.Document, out *output, from *scenarios.File) error {
	switch {
	case out.fileFormat() != "yaml":
	case d.File == "":
		fmt.Fprintln(a.Err, "note: no file is written, because no setting is known to keep the promise")
		out.file = ""
	default:
		a.noteElsewhere(out.file, []byte(d.File), from)
	}
	err := out.showAnswer(a, d, "tune.png", func() *figure.Figure { return figure.Front(tune.Plot(d)) })
	if d.Outcome == tune.Kept {
		return err
	}
	fmt.Fprintf(a.Err, "limitgauge: %s\n", d.Reason)
	code := usage.ExitUnevaluated
	if d.Outcome == tune.Broken {
		code = usage.ExitGateFailed
	}
	return errors.Join(err, usage.Code(code))
}

// noteElsewhere says of a scenario file that it does not find what it names, if its folder is
// not that of the file from which it is made.
func (a *app) noteElsewhere(file string, text []byte, from *scenarios.File) {
	if file == "" || report.Stream(file) != nil || sameFolder(filepath.Dir(file), from.Dir) {
		return
	}
	if slices.ContainsFunc(scenarios.Words(text, "file", "files", "exec"), func(name string) bool {
		found, _ := filepath.Glob(filepath.Join(from.Dir, name))
		return !filepath.IsAbs(name) && len(found) > 0
	}) {
		fmt.Fprintf(a.Err, "note: %s names logs and programs as seen from the folder %s: put it there before you run it\n", file, from.Dir)
	}
}

// sameFolder reports whether two names stand for one folder that exists.
func sameFolder(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}
