package html

import (
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/report/layout"
)

// drawing collects the elements of one inline SVG. Lengths are CSS pixels of
// its view box; looks come from classes, so that the page's style sheet decides
// on colours in light, dark and print.
type drawing struct {
	b             strings.Builder
	width, height float64
}

func newDrawing(width, height float64) *drawing { return &drawing{width: width, height: height} }

// attribute is one attribute of the svg element itself.
type attribute struct{ name, value string }

// done closes the drawing; label is what a screen reader says instead of it.
func (d *drawing) done(class, label string, extra ...attribute) template.HTML {
	var b strings.Builder
	b.WriteString(`<svg class="` + class + `" viewBox="0 0 ` + num(d.width) + " " + num(d.height) + `" role="img" aria-label="` + escape(label) + `"`)
	for _, a := range extra {
		b.WriteString(" " + a.name + `="` + escape(a.value) + `"`)
	}
	b.WriteString(">" + d.b.String() + "</svg>")
	return template.HTML(b.String())
}

// mark groups what is drawn by its body under a title, which browsers show when
// the pointer rests on it.
func (d *drawing) mark(title string, body func()) {
	d.b.WriteString(`<g class="mark"><title>` + escape(title) + `</title>`)
	body()
	d.b.WriteString("</g>")
}

func (d *drawing) rect(class string, x, y, w, h float64) {
	d.b.WriteString(`<rect class="` + class + `" x="` + num(x) + `" y="` + num(y) + `" width="` + num(max(w, 0)) + `" height="` + num(max(h, 0)) + `"/>`)
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.path(class, "M"+num(x1)+" "+num(y1)+"L"+num(x2)+" "+num(y2))
}

func (d *drawing) path(class, data string) {
	d.b.WriteString(`<path class="` + class + `" d="` + data + `"/>`)
}

func (d *drawing) circle(class string, x, y, r float64) {
	d.b.WriteString(`<circle class="` + class + `" cx="` + num(x) + `" cy="` + num(y) + `" r="` + num(r) + `"/>`)
}

// text writes words with their baseline at y; the class says how they align.
func (d *drawing) text(class string, x, y float64, words string) {
	d.b.WriteString(`<text class="` + class + `" x="` + num(x) + `" y="` + num(y) + `">` + escape(words) + `</text>`)
}

// upright writes words that are read from bottom to top, centred at (x, y).
func (d *drawing) upright(class string, x, y float64, words string) {
	at := num(x) + " " + num(y)
	d.b.WriteString(`<text class="` + class + `" x="` + num(x) + `" y="` + num(y) + `" transform="rotate(-90 ` + at + `)">` + escape(words) + `</text>`)
}

// num writes a length to a tenth of a pixel, which no eye can tell from more.
func num(x float64) string {
	x = math.Round(x*10) / 10
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return "0"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// escape makes text from a document safe inside elements and attributes.
func escape(text string) string { return html.EscapeString(text) }

// glyph is the width of an average character of the small text in drawings.
const glyph = 6.4

// widthOf estimates how wide small text is drawn.
func widthOf(words string) float64 { return glyph * float64(len([]rune(words))) }

// fit takes the middle out of words that would be wider than the limit.
func fit(words string, limit float64) string {
	runes := []rune(words)
	most := max(3, int(limit/glyph))
	if len(runes) <= most {
		return words
	}
	head := (most - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(most-1-head):])
}

// labelText is how labels beside points are drawn.
var labelText = layout.Text{
	Pitch: 13,
	Width: widthOf,
	Fit:   func(words string) string { return fit(words, 170) },
}
