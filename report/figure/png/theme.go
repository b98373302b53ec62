package png

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"

	"github.com/limitgauge/limitgauge/report/figure"
)

// The palette of Okabe and Ito, whose colours people with common colour
// blindness can distinguish. Its yellow is omitted, because it is too light on
// white.
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
	paleGrey = color.NRGBA{R: 0xf5, G: 0xf6, B: 0xf8, A: 0xff}
	white    = color.White
)

// style is the look of a paint. An area has no line width.
type style struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
}

var styles = map[figure.Paint]style{
	figure.Offered:       {color: paleSky},
	figure.Admitted:      {color: blue},
	figure.Algorithm:     {color: blue},
	figure.Reference:     {color: grey},
	figure.Strip:         {color: paleGrey},
	figure.Limit:         {vermillion, 1.7, []vg.Length{6.7, 4}},
	figure.FairShare:     {vermillion, 2.7, nil},
	figure.Interval:      {black, 1.5, nil},
	figure.ReferenceLine: {black, 2.7, nil},
	figure.ShaperLine:    {black, 2.7, []vg.Length{8, 3.3}},
	figure.Grid:          {gridGrey, 0.8, nil},
	figure.AxisLine:      {textGrey, 0.9, nil},
	figure.Divider:       {textGrey, 0.8, []vg.Length{2, 3}},
	figure.Leader:        {gridGrey, 0.8, nil},
}

// styleOf returns the look of a paint. Lines differ by colour, then by dashes.
func styleOf(p figure.Paint) style {
	i, ok := p.IsSeries()
	if !ok {
		return styles[p]
	}
	colors := []color.Color{blue, vermillion, green, orange, purple, sky}
	dashes := [][]vg.Length{nil, {8, 3.3}, {2, 2.7}}
	return style{colors[i%len(colors)], 2, dashes[i/len(colors)%len(dashes)]}
}

// face is a font with a colour.
type face struct {
	font.Face
	color color.Color
}

// fonts has Liberation Sans, which is part of the plot library.
var fonts = font.NewCache(liberation.Collection())

var faces = map[figure.Font]face{
	figure.HeadingText:  {sans(18.7, bold), black},
	figure.SubtitleText: {sans(12, regular), textGrey},
	figure.TitleText:    {sans(12.7, bold), black},
	figure.LabelText:    {sans(11.5, regular), black},
	figure.SmallText:    {sans(11, regular), textGrey},
}

// The two weights of Liberation Sans.
var (
	regular = font.Font{Typeface: "Liberation", Variant: "Sans"}
	bold    = font.Font{Typeface: "Liberation", Variant: "Sans", Weight: 3}
)

func sans(size font.Length, weight font.Font) font.Face { return fonts.Lookup(weight, size) }

func (c *canvas) Width(f figure.Font, words string) float64 {
	one := faces[f]
	return float64(one.Width(ones(words)))
}

func (c *canvas) Write(t figure.Text) {
	f := faces[t.Font]
	c.SetColor(f.color)
	at, back := flip(t.At), vg.Length(t.Align*c.Width(t.Font, t.Words))
	if !t.Upright {
		at.X -= back
		c.FillString(f.Face, at, ones(t.Words))
		return
	}
	// Rotated text is sharp at whole pixels only.
	at.X, at.Y, back = vg.Length(math.Round(float64(at.X))), vg.Length(math.Round(float64(at.Y))), vg.Length(math.Round(float64(back)))
	c.Push()
	c.Translate(at)
	c.Rotate(math.Pi / 2)
	c.FillString(f.Face, vg.Point{X: -back}, ones(t.Words))
	c.Pop()
}

// ones inserts a space of zero width between adjacent ones. Otherwise the font
// draws them so close together that 11.8 is hard to read.
func ones(words string) string {
	for strings.Contains(words, "11") {
		words = strings.ReplaceAll(words, "11", "1\u200b1")
	}
	return words
}
