package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size"
)

// showSized writes a document on stdout, in the requested file, and as a plot.
func (a *app) showSized(d *size.Document, out *output) error {
	out.warn(a, d.Warnings)
	err := out.showAnswer(a, d, "size.png", func() *figure.Figure { return sizedFigure(d) })
	if err == nil && d.Best() == nil {
		fmt.Fprintln(a.Err, "limitgauge: no setting: the log cannot decide any; the answer says why")
		return usage.Code(usage.ExitUnevaluated)
	}
	return err
}

// sizedFigure returns the settings as a figure.
func sizedFigure(d *size.Document) *figure.Figure {
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
	return figure.Sizes("What "+strings.Join(d.Input.Files, ", ")+" needs", goal, x, allowance, list)
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
