package cli

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/figure/png"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size"
)

// showSized writes a document on stdout, in the requested file, and as a plot.
func (a *app) showSized(d *size.Document, out *output) error {
	err := out.deliver(a, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return size.Encode(w, d)
		case "csv":
			return size.CSV(w, d)
		}
		if err := a.renderTables(w, size.Tables(d), format); err != nil {
			return err
		}
		return size.WritePolicies(w, d, format == "markdown")
	})
	if err == nil && out.plots != "" {
		err = a.plotSized(d, out.plots)
	}
	if err == nil && d.Best() == nil {
		fmt.Fprintln(a.Err, "limitgauge: no setting: the log cannot decide any; the answer says why")
		return codeError(exitUnevaluated)
	}
	return err
}

// plotSized draws the settings as size.png in a folder.
func (a *app) plotSized(d *size.Document, dir string) error {
	var list []figure.Size
	x, allowance := "window, s", "least count"
	unit, name := unitOfRates(d)
	for i, s := range d.Settings {
		p := figure.Size{Name: s.String(), X: float64(s.WindowNs) / 1e9, Allowance: float64(s.Allowance()), Most: float64(s.MostPerMinute), Passes: math.NaN(), Best: d.Recommended != nil && i == *d.Recommended}
		if s.Burst != nil {
			x, allowance = "rate, per "+name, "least burst"
			p.X = units.Rate{Count: s.Count, Per: s.WindowNs}.PerSecond() * unit
		}
		if s.AbuserPassesPct != nil {
			p.Passes = *s.AbuserPassesPct
		}
		list = append(list, p)
	}
	goal := fmt.Sprintf("at most %s of the %s refused", d.Goal.AtMost, d.Goal.Of)
	f := figure.Sizes("What "+strings.Join(d.Input.Files, ", ")+" needs", goal, x, allowance, list)
	if f == nil {
		fmt.Fprintln(a.Err, "note: no plot of fewer than two settings")
		return nil
	}
	return a.writeFile(filepath.Join(dir, "size.png"), func(w io.Writer) error { return png.Write(w, f) })
}

// unitOfRates returns the unit of time, in seconds and by name, in which a figure shows
// rates: the one of the recommended rate, or a second.
func unitOfRates(d *size.Document) (seconds float64, name string) {
	if best := d.Best(); best != nil {
		switch best.WindowNs {
		case 60e9:
			return 60, "minute"
		case 3600e9:
			return 3600, "hour"
		}
	}
	return 1, "second"
}
