package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/figure/png"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/search/tune"
	"github.com/limitgauge/limitgauge/search/tune/search"
)

// showTuning reports the progress of a search until stop is called.
func (a *app) showTuning(checked *sweep.Progress, p *search.Progress) (stop func()) {
	return a.showMoments(10*time.Second, func(time.Duration) moment {
		used, budget := p.Used.Load(), p.Budget.Load()
		if budget == 0 {
			return moment{-1, fmt.Sprintf("%d cells checked", checked.Checked.Load())}
		}
		text := fmt.Sprintf("%s of at most %d", format.Count(used, "replication"), budget)
		if held := p.Held.Load(); held > 0 {
			text += fmt.Sprintf(", %s on fresh seeds", format.Count(held, "setting"))
		}
		return moment{-1, text}
	})
}

// showTuned writes the answer on stdout, in the requested file, and as a plot. Its error
// has the exit code of the outcome.
func (a *app) showTuned(_ context.Context, d *tune.Document, out *output) error {
	var err error
	if d.File == "" && out.fileFormat() == "yaml" {
		fmt.Fprintln(a.Err, "note: no file is written, because no setting is known to keep the promise")
		out.file = ""
	}
	err = out.deliver(a, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return tune.Encode(w, d)
		case "csv":
			return tune.CSV(w, d)
		case "yaml":
			_, err := io.WriteString(w, d.File)
			return err
		}
		if err := tune.WriteSetting(w, d, format == "markdown"); err != nil {
			return err
		}
		return a.renderTables(w, tune.Tables(d), format)
	})
	if err == nil && out.plots != "" && !out.noPlots {
		err = a.plotTuned(d, out.plots)
	}
	switch d.Outcome {
	case tune.Kept:
		return err
	case tune.Broken:
		fmt.Fprintf(a.Err, "limitgauge: %s\n", d.Reason)
		return errors.Join(err, codeError(exitGateFailed))
	}
	fmt.Fprintf(a.Err, "limitgauge: %s\n", d.Reason)
	return errors.Join(err, codeError(exitUnevaluated))
}

// plotTuned draws the front as tune.png in a folder.
func (a *app) plotTuned(d *tune.Document, dir string) error {
	f := figure.Front(tune.Plot(d))
	if f == nil {
		fmt.Fprintln(a.Err, "note: no plot of fewer than two settings")
		return nil
	}
	return a.writeFile(filepath.Join(dir, "tune.png"), func(w io.Writer) error { return png.Write(w, f) })
}
