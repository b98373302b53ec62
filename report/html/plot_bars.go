package html

import (
	"fmt"
	"html/template"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/layout"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

// headlineBars names the bars' panels.
var headlineBars = []struct{ metric, title, axis string }{
	{"over_limit_pct", "over-limit", "% over the limit, mean of saturated windows"},
	{"burst_excess", "burst excess", "requests beyond the policy's burst"},
	{"under_admission_pct", "under-admission", "% of what the reference admits"},
}

const (
	barsWidth  = 420.0
	barPitch   = 24.0
	longestBar = 150.0 // pixels of the longest row name
)

// accuracy draws the three headline figures side by side, a bar with its
// interval for each algorithm and its number beside it.
func accuracy(rows []results.Result, labels []string) *figure {
	if len(rows) == 0 {
		return nil
	}
	fig := &figure{
		Title: "How far over and under the limit",
		Note:  "Read the three together: what a limiter gains on one it pays for with another. Shorter is better.",
		Legend: []legendItem{
			{swatchFill("reference"), "reference: the exact limiter"}, {swatchFill("bar"), "algorithm"}, {swatchLine("whisker"), "95 % interval"},
		},
		Grid: "medium",
	}
	for _, b := range headlineBars {
		fig.Plots = append(fig.Plots, bars(rows, labels, b.metric, b.title, b.axis))
	}
	return fig
}

func bars(rows []results.Result, labels []string, metric, title, axis string) template.HTML {
	left := 0.0
	for _, label := range labels {
		left = max(left, min(widthOf(label), longestBar))
	}
	left += 10
	d := newDrawing(barsWidth, 26+barPitch*float64(len(rows))+36)
	base := 26 + barPitch*float64(len(rows))
	top := 0.0
	for _, r := range rows {
		if s := r.Summary(metric); s.Mean != nil {
			top = max(top, min(*s.Mean+s.Spread(), layout.LargestDraw))
		}
	}
	const numberRoom = 86.0 // right of the longest bar
	x := layout.Scale{From: left, To: barsWidth - numberRoom, Hi: top}
	if top == 0 {
		x.Hi = 1
	}
	d.text("name", left, 14, title)
	ticks := report.ScaleTicks(x, 6)
	if top == 0 {
		ticks = ticks[:1] // nothing but 0 to show
	}
	for _, t := range ticks {
		at := x.Of(t.Value)
		d.line("grid", at, 24, at, base)
		d.text("tick middle", at, base+14, t.Label)
	}
	d.text("tick middle", (x.From+x.To)/2, base+30, axis)
	for i, r := range rows {
		s := r.Summary(metric)
		y := 26 + barPitch*(float64(i)+0.5)
		d.mark(fmt.Sprintf("%s, %s: %s", labels[i], title, inWords(s)), func() {
			d.rect("hit", 0, y-barPitch/2, barsWidth, barPitch)
			d.text("row end", left-6, y+4, fit(labels[i], longestBar))
			if s.Mean == nil {
				d.text("tick", left+5, y+4, "no data")
				return
			}
			end := x.Of(*s.Mean)
			class := "bar"
			if r.Reference {
				class = "reference"
			}
			d.rect(class, left, y-7, end-left, 14)
			if s.Spread() > 0 {
				from, to := x.Of(*s.Lo), x.Of(*s.Hi)
				d.path("whisker", fmt.Sprintf("M%s %sH%sM%s %sv8M%s %sv8", num(from), num(y), num(to), num(from), num(y-4), num(to), num(y-4)))
				end = max(end, to)
			}
			d.text("value", end+5, y+4, table.Cell(s))
		})
	}
	d.line("axis", left, 24, left, base)
	return d.done("plot", title+" of each algorithm, in "+axis+"; the table has the figures")
}

// inWords spells a figure out, or says why there is none.
func inWords(s results.Summary) string {
	if s.Mean == nil {
		return "no data: " + s.Reason
	}
	text := format.Number(*s.Mean)
	if s.Spread() > 0 {
		text += fmt.Sprintf(", 95 %% interval %s to %s", format.Number(*s.Lo), format.Number(*s.Hi))
	}
	return text
}
