package report

import (
	"image/color"
	"image/png"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// page is one picture: title and subtitle, a legend in a strip of its own, so
// that it covers no data, and below it panels in a grid.
type page struct {
	title, subtitle string
	legend          []entry
	panels          []*plot.Plot // row by row
	columns         int
}

// entry is one item of a legend: a sample of the mark and what it stands for.
type entry struct {
	label string
	mark  func(c draw.Canvas)
}

// maxPanels is how many algorithms a grid of small multiples still shows
// readably; the table has the rest.
const maxPanels = 15

// gridColumns is how many columns n panels of a time axis need: one while there
// is height, for width is what such a panel is read by.
func gridColumns(n int) int {
	switch {
	case n <= 3:
		return 1
	case n <= 8:
		return 2
	}
	return 3
}

// write draws the page as PNG. The same page gives the same bytes.
func (p *page) write(w io.Writer) error {
	img := vgimg.NewWith(vgimg.UseWH(pageWidth, pageHeight), vgimg.UseDPI(pageDPI))
	c := draw.Crop(draw.New(img), pageMargin, -pageMargin, pageMargin, -pageMargin)

	title := style(sansBold(titleSize), black)
	title.YAlign = draw.YTop
	c.FillText(title, vg.Point{X: c.Min.X, Y: c.Max.Y}, fitted(title, p.title, c.Max.X-c.Min.X))
	c.Max.Y -= 1.35 * titleSize

	subtitle := style(sans(textSize), textGrey)
	subtitle.YAlign = draw.YTop
	c.FillText(subtitle, vg.Point{X: c.Min.X, Y: c.Max.Y}, fitted(subtitle, p.subtitle, c.Max.X-c.Min.X))
	c.Max.Y -= 1.7 * textSize

	c.Max.Y -= drawLegend(c, p.legend) + 6
	p.drawPanels(c)
	fast := png.Encoder{CompressionLevel: png.BestSpeed} // in two thirds of the time, for 3 % more bytes
	return fast.Encode(w, img.Image())
}

// drawLegend draws the entries from the top left, in as many lines as they
// need, and returns the height they took.
func drawLegend(c draw.Canvas, entries []entry) vg.Length {
	const swatch, gap, between, line = 22, 5, 18, 15
	label := style(sans(textSize), black)
	label.YAlign = draw.YCenter
	x, y := c.Min.X, c.Max.Y
	for _, e := range entries {
		words := fitted(label, e.label, (c.Max.X-c.Min.X)/2)
		size := swatch + gap + label.Width(words)
		if x > c.Min.X && x+size > c.Max.X {
			x, y = c.Min.X, y-line
		}
		box := c
		box.Min, box.Max = vg.Point{X: x, Y: y - line + 2}, vg.Point{X: x + swatch, Y: y - 2}
		e.mark(box)
		c.FillText(label, vg.Point{X: x + swatch + gap, Y: y - line/2}, words)
		x += size + between
	}
	if len(entries) == 0 {
		return 0
	}
	return c.Max.Y - y + line
}

func (p *page) drawPanels(c draw.Canvas) {
	rows := (len(p.panels) + p.columns - 1) / p.columns
	grid := make([][]*plot.Plot, rows)
	for i := range grid {
		grid[i] = make([]*plot.Plot, p.columns)
		copy(grid[i], p.panels[i*p.columns:min((i+1)*p.columns, len(p.panels))])
	}
	tiles := draw.Tiles{Rows: rows, Cols: p.columns, PadX: 14, PadY: 8}
	for i, row := range plot.Align(grid, tiles, c) {
		for j, area := range row {
			if panel := grid[i][j]; panel != nil {
				panel.Title.Text = fitted(panel.Title.TextStyle, panel.Title.Text, area.Max.X-area.Min.X)
				panel.Draw(area)
			}
		}
	}
}

// outer labels the axes of a grid of panels that share both: x under the lowest
// row, y left of the first column.
func (p *page) outer(x, y string) {
	lowest := (len(p.panels) - 1) / p.columns * p.columns
	for i, panel := range p.panels {
		if i >= lowest {
			panel.X.Label.Text = x
		}
		if i%p.columns == 0 {
			panel.Y.Label.Text = y
		}
	}
}

// Marks for legends.

func fillMark(fill color.Color) func(draw.Canvas) {
	return func(c draw.Canvas) { fillBox(c, c.Min.X, c.Max.X, c.Center().Y, (c.Max.Y-c.Min.Y)/2, fill) }
}

func lineMark(l draw.LineStyle) func(draw.Canvas) {
	return func(c draw.Canvas) {
		y := c.Center().Y
		c.StrokeLine2(l, c.Min.X, y, c.Max.X, y)
	}
}

func uprightMark(l draw.LineStyle) func(draw.Canvas) {
	return func(c draw.Canvas) {
		x := c.Center().X
		c.StrokeLine2(l, x, c.Min.Y, x, c.Max.Y)
	}
}

func whiskerMark(c draw.Canvas) {
	drawWhisker(c, c.Min.X+2, c.Max.X-2, c.Center().Y)
}

// fillBox fills a bar from x to x, so far above and below y.
func fillBox(c draw.Canvas, from, to, y, half vg.Length, fill color.Color) {
	c.FillPolygon(fill, []vg.Point{{X: from, Y: y - half}, {X: to, Y: y - half}, {X: to, Y: y + half}, {X: from, Y: y + half}})
}

func dotMark(c draw.Canvas) { drawDot(c, c.Center().X, c.Center().Y, 4) }

func drawDot(c draw.Canvas, x, y, radius vg.Length) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: admittedColor, Radius: radius, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
}

// drawWhisker draws an interval along x with caps at its ends.
func drawWhisker(c draw.Canvas, from, to, y vg.Length) {
	const cap = 3
	c.StrokeLine2(whiskerLine, from, y, to, y)
	c.StrokeLine2(whiskerLine, from, y-cap, from, y+cap)
	c.StrokeLine2(whiskerLine, to, y-cap, to, y+cap)
}
