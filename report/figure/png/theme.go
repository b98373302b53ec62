package png

import (
	"image/color"
	"math"
	"strings"
	"sync"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"

	"github.com/limitgauge/limitgauge/report/figure"
)

// The palette of Okabe and Ito, whose colours people with common colour
// blindness can distinguish. Its yellow is omitted, because it is too light on
// white.
var (
	black      = rgb(0x222222)
	orange     = rgb(0xe69f00)
	sky        = rgb(0x56b4e9)
	green      = rgb(0x009e73)
	blue       = rgb(0x0072b2)
	vermillion = rgb(0xd55e00)
	purple     = rgb(0xcc79a7)

	paleSky  = rgb(0xbfe0f5)
	grey     = rgb(0x8c8c8c)
	textGrey = rgb(0x555555)
	gridGrey = rgb(0xe4e4e4)
	paleGrey = rgb(0xf5f6f8)
	white    = color.White

	paleYellow = rgb(0xfdeeb8)
	crimson    = rgb(0xe3256b)
)

// rgb returns an opaque colour.
func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// style is the look of a paint. An area has no line width.
type style struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
}

var styles = map[figure.Paint]style{
	figure.Offered:       {color: paleSky},
	figure.Admitted:      {color: blue},
	figure.Excess:        {color: crimson},
	figure.Algorithm:     {color: blue},
	figure.Reference:     {color: grey},
	figure.Strip:         {color: paleGrey},
	figure.Fault:         {color: paleYellow},
	figure.Limit:         {vermillion, 1.7, []vg.Length{6.7, 4}},
	figure.FairShare:     {vermillion, 2.7, nil},
	figure.Interval:      {black, 1.5, nil},
	figure.ReferenceLine: {black, 2.7, nil},
	figure.ShaperLine:    {grey, 2.7, nil},
	figure.IdealLine:     {black, 2.7, []vg.Length{8, 3.3}},
	figure.Grid:          {gridGrey, 0.8, nil},
	figure.AxisLine:      {textGrey, 0.9, nil},
	figure.Divider:       {textGrey, 0.8, []vg.Length{2, 3}},
	figure.Leader:        {textGrey, 0.8, nil},
}

// styleOf returns the look of a paint. Lines differ by colour, then by dashes.
func styleOf(p figure.Paint) style {
	colors := []color.NRGBA{blue, vermillion, green, orange, purple, sky}
	if level, ok := p.IsHeat(); ok {
		return style{color: lighter(blue, 0.04+0.56*float64(level)/(figure.HeatLevels-1))}
	}
	if i, ok := p.IsBand(); ok {
		c := colors[i%len(colors)]
		c.A = 0x30
		return style{color: c}
	}
	i, ok := p.IsSeries()
	if !ok {
		return styles[p]
	}
	dashes := [][]vg.Length{nil, {8, 3.3}, {2, 2.7}}
	return style{colors[i%len(colors)], 2, dashes[i/len(colors)%len(dashes)]}
}

// lighter mixes a part of a colour with white.
func lighter(c color.NRGBA, part float64) color.NRGBA {
	mix := func(x uint8) uint8 { return uint8(math.Round(255 - part*(255-float64(x)))) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 0xff}
}

// face is a font with a colour.
type face struct {
	font.Face
	color color.Color
}

// faces returns the fonts, all of Liberation Sans, which is part of the plot library. They are
// read when they are used first, because most commands draw nothing.
var faces = sync.OnceValue(func() map[figure.Font]face {
	fonts := font.NewCache(liberation.Collection())
	sans := func(size font.Length, weight font.Font) font.Face { return fonts.Lookup(weight, size) }
	return map[figure.Font]face{
		figure.HeadingText:  {sans(18.7, bold), black},
		figure.SubtitleText: {sans(12, regular), textGrey},
		figure.TitleText:    {sans(12.7, bold), black},
		figure.LabelText:    {sans(11.5, regular), black},
		figure.SmallText:    {sans(11, regular), textGrey},
	}
})

// The two weights of Liberation Sans.
var (
	regular = font.Font{Typeface: "Liberation", Variant: "Sans"}
	bold    = font.Font{Typeface: "Liberation", Variant: "Sans", Weight: 3}
)

func (c *canvas) Width(f figure.Font, words string) float64 {
	one := faces()[f]
	return float64(one.Width(ones(words)))
}

func (c *canvas) Write(t figure.Text) {
	f := faces()[t.Font]
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
