package figure

import "github.com/limitgauge/limitgauge/internal/format"

// Canvas draws primitives. Lengths are pixels with y growing downwards.
type Canvas interface {
	// Fill fills a polygon.
	Fill(p Paint, polygon []Point)
	// Stroke draws lines through points.
	Stroke(p Paint, lines ...[]Point)
	// Circle draws a disc, or a ring in the paint of a line.
	Circle(p Paint, at Point, radius float64)
	// Write writes text.
	Write(t Text)
	// Width returns the width of text in a font.
	Width(f Font, words string) float64
	// Group draws a group. Its title appears when the pointer is in the area. A
	// picture has no pointer and ignores title and area.
	Group(title string, area Box, draw func())
}

// Point is a position.
type Point struct{ X, Y float64 }

// Box is a rectangle, from its upper left to its lower right corner.
type Box struct{ Left, Top, Right, Bottom float64 }

// Overlaps reports whether two boxes overlap.
func (b Box) Overlaps(o Box) bool {
	return b.Left < o.Right && o.Left < b.Right && b.Top < o.Bottom && o.Top < b.Bottom
}

func (b Box) within(o Box) bool {
	return b.Left >= o.Left && b.Top >= o.Top && b.Right <= o.Right && b.Bottom <= o.Bottom
}

// Corners returns the corners of the box in the order of a polygon.
func (b Box) Corners() []Point {
	return []Point{{b.Left, b.Top}, {b.Right, b.Top}, {b.Right, b.Bottom}, {b.Left, b.Bottom}}
}

// Paint is the meaning of a mark. A canvas selects the look of each paint.
type Paint int

const (
	Offered Paint = iota
	Admitted
	Excess // admitted above the limit
	Algorithm
	Reference
	Limit
	FairShare
	Interval
	ReferenceLine
	ShaperLine // the line of a reference shaper
	IdealLine  // dashed: the earliest finish, the best fixed limit, growth in proportion
	Grid
	AxisLine
	Divider
	Leader
	Strip
	Fault // the span of a fault
	firstSeries
)

// Series returns the paint of line i, from 0.
func Series(i int) Paint { return firstSeries + Paint(i) }

// IsSeries returns the number of the line of a paint. ok is false if the paint
// is not that of a numbered line.
func (p Paint) IsSeries() (i int, ok bool) { return int(p - firstSeries), p >= firstSeries }

// HeatLevels is the number of shades of a heat map.
const HeatLevels = 10

const firstBand = -100

// Heat returns the paint of a shade of a heat map, from 0, the lightest.
func Heat(level int) Paint { return Paint(-1 - level) }

// IsHeat returns the shade of a paint. ok is false if it is not one of a heat map.
func (p Paint) IsHeat() (level int, ok bool) { return -1 - int(p), p < 0 && p > firstBand }

// BandOf returns the paint of the band around line i, from 0.
func BandOf(i int) Paint { return Paint(firstBand - i) }

// IsBand returns the number of the line of a band. ok is false if the paint is not that
// of a band.
func (p Paint) IsBand() (i int, ok bool) { return firstBand - int(p), p <= firstBand }

// Font is a size, a weight and a colour of text.
type Font int

const (
	TitleText    Font = iota // 13 px, bold
	LabelText                // 12 px
	SmallText                // 11 px, soft
	HeadingText              // 19 px, bold, for a picture
	SubtitleText             // 12 px, soft, for a picture
)

// Text is one line of text.
type Text struct {
	Font    Font
	Words   string
	At      Point   // on the baseline
	Align   float64 // share of the width left of At: 0, 0.5 or 1
	Upright bool    // read from bottom to top
}

// Fit removes the middle of a text that is wider than the limit. The sign of what is missing
// stays in any case.
func Fit(c Canvas, f Font, words string, limit float64) string {
	// No letter is narrower than a pixel. Without this first cut a name of a
	// megabyte would be measured again and again.
	words = format.Shorten(format.Clean(words), int(limit))
	for n := format.Width(words) - 1; n > 0 && c.Width(f, words) > limit; n-- {
		words = format.Shorten(words, n)
	}
	return words
}
