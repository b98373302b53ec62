package report

import (
	"image/color"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A page is 1200 x 800 pixels; lengths are points, 4/3 of a pixel.
const (
	pageDPI    = 96
	pageWidth  = vg.Length(900)
	pageHeight = vg.Length(600)
	pageMargin = vg.Length(14)
)

// Font sizes in points.
const (
	titleSize = 14
	panelSize = 9.5
	textSize  = 9
	tickSize  = 8
)

// bold is golang.org/x/image/font's weight of that name.
const bold = 3

// The palette of Okabe and Ito, which people with any common colour blindness
// can tell apart; its yellow is left out as too light on white.
var (
	black      = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xff}
	orange     = color.NRGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}
	sky        = color.NRGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}
	green      = color.NRGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}
	blue       = color.NRGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}
	vermillion = color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
	purple     = color.NRGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}

	paleSky  = color.NRGBA{R: 0xbf, G: 0xe0, B: 0xf5, A: 0xff}
	grey     = color.NRGBA{R: 0x8c, G: 0x8c, B: 0x8c, A: 0xff}
	textGrey = color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xff}
	gridGrey = color.NRGBA{R: 0xe4, G: 0xe4, B: 0xe4, A: 0xff}
)

// What the colours of all plots stand for.
var (
	offeredColor   = paleSky
	admittedColor  = blue
	limitColor     = vermillion
	referenceColor = grey
)

// lineStyles tell many lines apart: by colour, and the next round by dashes.
func lineStyle(i int) draw.LineStyle {
	colors := []color.Color{blue, vermillion, green, orange, purple, sky}
	dashes := [][]vg.Length{nil, {6, 2.5}, {1.5, 2}}
	return draw.LineStyle{
		Color:  colors[i%len(colors)],
		Width:  1.5,
		Dashes: dashes[i/len(colors)%len(dashes)],
	}
}

var (
	referenceLine = draw.LineStyle{Color: black, Width: 2}
	limitLine     = draw.LineStyle{Color: limitColor, Width: 1.3, Dashes: []vg.Length{5, 3}}
	whiskerLine   = draw.LineStyle{Color: black, Width: 1.1}
	gridLine      = draw.LineStyle{Color: gridGrey, Width: 0.6}
	axisLine      = draw.LineStyle{Color: textGrey, Width: 0.7}
)

// sans is Liberation Sans, which comes with the plot library.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func sansBold(size vg.Length) font.Font {
	f := sans(size)
	f.Weight = bold
	return f
}

func style(f font.Font, c color.Color) text.Style {
	return text.Style{Font: f, Color: c, Handler: apart{plot.DefaultTextHandler}}
}

// apart draws text with room between two ones: the font sets them so close that
// in 11.8 they look like a stroke through another figure.
type apart struct{ text.Handler }

func (a apart) Box(words string, f font.Font) (width, height, depth vg.Length) {
	return a.Handler.Box(ones(words), f)
}

func (a apart) Draw(c vg.Canvas, words string, s text.Style, at vg.Point) {
	a.Handler.Draw(c, ones(words), s, at)
}

// ones puts a space of no width between neighbouring ones, whose distance the
// font then leaves alone.
func ones(words string) string {
	for strings.Contains(words, "11") {
		words = strings.ReplaceAll(words, "11", "1\u200b1")
	}
	return words
}

// fitted shortens words so that they are at most so wide in the style.
func fitted(s text.Style, words string, limit vg.Length) string {
	// No letter is narrower than a point: what is cut here would not fit, and
	// measuring a name of a megabyte again and again takes minutes.
	words = format.Shorten(format.Clean(words), max(1, int(limit)))
	for n := format.Width(words) - 1; n > 1 && s.Width(words) > limit; n-- {
		words = format.Shorten(words, n)
	}
	return words
}

// newPanel is an empty plot in the house style.
func newPanel(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text = title
	p.Title.TextStyle = style(sansBold(panelSize), black)
	p.Title.TextStyle.XAlign = draw.XCenter
	p.Title.TextStyle.YAlign = draw.YTop
	p.Title.Padding = 3
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding = 0
		axis.LineStyle = axisLine
		axis.Tick.LineStyle = axisLine
		axis.Tick.Length = 3
		axis.Label.Padding = 2
		for _, words := range []struct {
			style *text.Style
			size  vg.Length
		}{{&axis.Label.TextStyle, textSize}, {&axis.Tick.Label, tickSize}} {
			words.style.Font = sans(words.size)
			words.style.Color = textGrey
			words.style.Handler = apart{words.style.Handler}
		}
	}
	return p
}
