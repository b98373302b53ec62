// Package svg draws the panels of a figure as inline SVG elements. They have
// classes, so that the style sheet of a page sets the colours for light mode,
// dark mode and print.
//
// The package makes no promise: it can change at any time.
package svg

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/figure"
)

// Panels draws each panel of a figure as an SVG element of the figure's size.
// The frames have the same position in all elements.
func Panels(f *figure.Figure) []string {
	show := figure.Show{Rows: true, X: !f.Shared, Y: !f.Shared, Corner: f.Shared}
	var in figure.Insets
	for i := range f.Panels {
		one := f.Panels[i].Insets(&canvas{}, show)
		in = figure.Insets{Left: max(in.Left, one.Left), Top: max(in.Top, one.Top), Right: max(in.Right, one.Right), Bottom: max(in.Bottom, one.Bottom)}
	}
	list := make([]string, len(f.Panels))
	for i := range f.Panels {
		p := &f.Panels[i]
		c := &canvas{}
		p.Draw(c, figure.Box{Right: f.Width, Bottom: f.Height}, in, show)
		frame := fmt.Sprintf("%s %s %s %s", num(in.Left), num(in.Top), num(f.Width-in.Right), num(f.Height-in.Bottom))
		list[i] = `<svg class="plot" viewBox="0 0 ` + num(f.Width) + " " + num(f.Height) + `" role="img"` +
			attribute("aria-label", p.Alt) + readout(p.Readout, frame) + ">" + c.b.String() + "</svg>"
	}
	return list
}

// readout returns the values that the page's script shows under the pointer. In
// a list of values, an empty value repeats the previous one.
func readout(r *figure.Readout, frame string) string {
	if r == nil {
		return ""
	}
	text := attribute("data-frame", frame) + attribute("data-name", r.Name) + attribute("data-format", r.Format) +
		attribute("data-start", strconv.FormatInt(r.StartNs, 10)) + attribute("data-step", strconv.FormatInt(r.StepNs, 10))
	if format.IsDate(r.StartNs) {
		text += attribute("data-date", "1")
	}
	lists := make([]string, len(r.Values))
	for i, values := range r.Values {
		words := make([]string, len(values))
		last := ""
		for k, v := range values {
			if word := short(v); word != last {
				words[k], last = word, word
			}
		}
		lists[i] = strings.Join(words, " ")
	}
	return text + attribute("data-values", strings.Join(lists, ";"))
}

// short writes a value as in a readout: as a whole number from 1000 on,
// otherwise with four digits.
func short(v float64) string {
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Sample draws the sample of a legend's entry.
func Sample(e figure.Entry) string {
	c := &canvas{}
	e.Draw(c, figure.Box{Left: 0, Top: 1, Right: 22, Bottom: 11})
	return `<svg class="swatch" viewBox="0 0 22 12" aria-hidden="true">` + c.b.String() + `</svg>`
}

// canvas collects the elements of a drawing.
type canvas struct{ b strings.Builder }

var classes = map[figure.Paint]string{
	figure.Offered: "offered", figure.Admitted: "admitted", figure.Excess: "excess", figure.Algorithm: "algorithm", figure.Reference: "reference",
	figure.Limit: "limit", figure.FairShare: "fair", figure.Interval: "whisker",
	figure.ReferenceLine: "line line-reference", figure.ShaperLine: "line line-shaper", figure.IdealLine: "line line-ideal",
	figure.Grid: "rule", figure.AxisLine: "axis", figure.Divider: "divider", figure.Leader: "leader", figure.Strip: "strip", figure.Fault: "fault",
}

const lineClasses = 12 // the style sheet has line0 to line11

const bandClasses = 4 // band0 to band3

func class(p figure.Paint) string {
	if i, ok := p.IsSeries(); ok {
		return "line line" + strconv.Itoa(i%lineClasses)
	}
	if level, ok := p.IsHeat(); ok {
		return "heat heat" + strconv.Itoa(level)
	}
	if i, ok := p.IsBand(); ok {
		return "band band" + strconv.Itoa(i%bandClasses)
	}
	return classes[p]
}

func (c *canvas) Fill(p figure.Paint, polygon []figure.Point) {
	c.path(class(p), trace(nil, polygon), "Z")
}

func (c *canvas) Stroke(p figure.Paint, lines ...[]figure.Point) {
	var d []byte
	for _, line := range lines {
		d = trace(d, line)
	}
	c.path(class(p), d, "")
}

func (c *canvas) path(class string, d []byte, end string) {
	fmt.Fprintf(&c.b, `<path class="%s" d="%s%s"/>`, class, d, end)
}

// trace appends a line to the data of a path. It omits a point that is between
// its two neighbouring points on a vertical or horizontal line.
func trace(d []byte, line []figure.Point) []byte {
	var x, y string // the current position of the path
	start, command := 0, byte(0)
	for i, p := range line {
		nextX, nextY := num(p.X), num(p.Y)
		next := byte('L')
		switch {
		case i == 0:
			next = 'M'
		case nextX == x && nextY == y:
			continue
		case nextY == y:
			next = 'H'
		case nextX == x:
			next = 'V'
		}
		if next == command && (next == 'H' || next == 'V') {
			d = d[:start] // the previous point is on the line, or the line turns back at it
		}
		start, command = len(d), next
		d = append(d, next)
		if next != 'V' {
			d = append(d, nextX...)
		}
		if next == 'L' || next == 'M' {
			d = append(d, ' ')
		}
		if next != 'H' {
			d = append(d, nextY...)
		}
		x, y = nextX, nextY
	}
	return d
}

func (c *canvas) Circle(p figure.Paint, at figure.Point, radius float64) {
	name := class(p)
	if strings.HasPrefix(name, "line") {
		name = "dot " + strings.TrimPrefix(name, "line ")
	}
	fmt.Fprintf(&c.b, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`, name, num(at.X), num(at.Y), num(radius))
}

func (c *canvas) Write(t figure.Text) {
	name := map[figure.Font]string{figure.TitleText: "name", figure.LabelText: "label", figure.SmallText: "tick"}[t.Font]
	switch {
	case t.Align > 0.5:
		name += " end"
	case t.Align > 0:
		name += " middle"
	}
	x, y := num(t.At.X), num(t.At.Y)
	turn := ""
	if t.Upright {
		turn = ` transform="rotate(-90 ` + x + " " + y + `)"`
	}
	fmt.Fprintf(&c.b, `<text class="%s" x="%s" y="%s"%s>%s</text>`, name, x, y, turn, html.EscapeString(t.Words))
}

// Width estimates the width of text, because the reader's fonts are not known.
func (c *canvas) Width(f figure.Font, words string) float64 {
	glyph := map[figure.Font]float64{figure.TitleText: 7.4, figure.LabelText: 7.8, figure.SmallText: 6}[f]
	return glyph * float64(utf8.RuneCountInString(words))
}

func (c *canvas) Group(title string, area figure.Box, draw func()) {
	fmt.Fprintf(&c.b, `<g class="mark"><title>%s</title><rect class="hit" x="%s" y="%s" width="%s" height="%s"/>`, html.EscapeString(title),
		num(area.Left), num(area.Top), num(area.Right-area.Left), num(area.Bottom-area.Top))
	draw()
	c.b.WriteString("</g>")
}

func attribute(name, value string) string {
	return " " + name + `="` + html.EscapeString(value) + `"`
}

// num writes a length, rounded to a tenth of a pixel.
func num(x float64) string {
	x = math.Round(x*10) / 10
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return "0"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
