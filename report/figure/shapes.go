package figure

import (
	"math"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// Mark is a group of shapes with a title for the pointer.
type Mark struct {
	Title  string
	X, Y   float64 // the position at which the pointer finds it: near a point, or anywhere in row Y
	Shapes []Shape
}

// Shape is a part of a mark, in the values of the panel's axes.
type Shape interface{ draw(f *frame) }

// Steps fills the area under steps of equal width that start at 0.
type Steps struct {
	Paint   Paint
	Step    float64
	Heights []float64
}

// Line connects points.
type Line struct {
	Paint  Paint
	Points []Point
}

// Polygon fills the area inside points.
type Polygon struct {
	Paint  Paint
	Points []Point
}

// Words writes text around a point, if a text is narrower than a width on the X axis.
type Words struct {
	At      Point
	Text    string
	Longest string // the text that must fit, so that all of a panel are written or none
	Width   float64
}

// Bar is a horizontal bar in a row.
type Bar struct {
	Paint    Paint
	Row      float64
	From, To float64
	Half     float64 // half of its height, as a share of the height of a row
	Most     float64 // the maximum of half of its height, in pixels
}

// Upright is a vertical line in a row.
type Upright struct {
	Paint  Paint
	Row, X float64
	Half   float64 // as for a bar
	Most   float64
}

// Whisker is the interval from Lo to Hi, along X or along Y.
type Whisker struct {
	X, Y, Lo, Hi float64
	AlongY       bool
}

// Spot is a point: a diamond for the reference, otherwise a dot. Its label is
// placed beside it, if possible on its left if Before is true.
type Spot struct {
	Paint  Paint
	X, Y   float64
	Radius float64
	Label  string
	Before bool
}

// Value writes a value in a row, right of X.
type Value struct {
	Row, X float64
	Words  string
	Soft   bool // the text states that there is no value
}

func (s Steps) draw(f *frame) {
	path := []Point{{f.x(0), f.y(0)}}
	for i, h := range s.Heights {
		if i > 0 && h == s.Heights[i-1] {
			continue // the previous step continues
		}
		x := f.x(float64(i) * s.Step)
		if i > 0 {
			path = append(path, Point{x, f.y(s.Heights[i-1])})
		}
		path = append(path, Point{x, f.y(h)})
	}
	end := f.x(float64(len(s.Heights)) * s.Step)
	f.Fill(s.Paint, append(path, Point{end, f.y(s.Heights[len(s.Heights)-1])}, Point{end, f.y(0)}))
}

func (l Line) draw(f *frame) {
	path := f.all(l.Points)
	f.Stroke(l.Paint, path)
	for i := 1; i < len(path); i++ {
		f.taken = append(f.taken, boxesAlong(path[i-1], path[i])...)
	}
}

// boxesAlong returns small boxes that cover a straight line, for labels to avoid.
func boxesAlong(from, to Point) (list []Box) {
	const step = 8.0 // pixels
	n := math.Ceil(math.Hypot(to.X-from.X, to.Y-from.Y) / step)
	for i := range int(n) {
		x, y := from.X+(to.X-from.X)*(float64(i)+0.5)/n, from.Y+(to.Y-from.Y)*(float64(i)+0.5)/n
		list = append(list, Box{x - step/2, y - step/2, x + step/2, y + step/2})
	}
	return list
}

func (p Polygon) draw(f *frame) {
	f.Fill(p.Paint, f.all(p.Points))
}

// all returns where points of the panel's axes are in the picture.
func (f *frame) all(points []Point) []Point {
	return lists.Map(points, func(p Point) Point { return f.at(p.X, p.Y) })
}

func (w Words) draw(f *frame) {
	at := f.at(w.At.X, w.At.Y)
	if f.Width(SmallText, w.Longest)+4 <= f.x(w.At.X+w.Width/2)-f.x(w.At.X-w.Width/2) {
		f.Write(Text{Font: LabelText, Words: w.Text, At: Point{at.X, at.Y + 4}, Align: 0.5})
	}
}

// half returns half of a height in a row, in pixels.
func (f *frame) half(share, most float64) float64 {
	return min(share*math.Abs(f.y(1)-f.y(0)), most)
}

func (b Bar) draw(f *frame) {
	from, to, y, half := f.x(b.From), f.x(b.To), f.y(b.Row), f.half(b.Half, b.Most)
	f.Fill(b.Paint, Box{min(from, to), y - half, max(from, to), y + half}.Corners())
}

func (u Upright) draw(f *frame) {
	x, y, half := f.x(u.X), f.y(u.Row), f.half(u.Half, u.Most)
	f.Stroke(u.Paint, []Point{{x, y - half}, {x, y + half}})
}

func (w Whisker) draw(f *frame) {
	from, to := f.at(w.Lo, w.Y), f.at(w.Hi, w.Y)
	if w.AlongY {
		from, to = f.at(w.X, w.Lo), f.at(w.X, w.Hi)
	}
	f.taken = append(f.taken, drawWhisker(f, from, to, w.AlongY))
}

// drawWhisker draws an interval with caps at its ends and returns its box.
func drawWhisker(c Canvas, from, to Point, alongY bool) Box {
	cap := Point{0, 4}
	if alongY {
		cap = Point{4, 0}
	}
	across := func(p Point) []Point { return []Point{{p.X - cap.X, p.Y - cap.Y}, {p.X + cap.X, p.Y + cap.Y}} }
	c.Stroke(Interval, []Point{from, to}, across(from), across(to))
	return Box{min(from.X, to.X) - 3, min(from.Y, to.Y) - 3, max(from.X, to.X) + 3, max(from.Y, to.Y) + 3}
}

func (s Spot) draw(f *frame) {
	at := f.at(s.X, s.Y)
	drawSpot(f, s.Paint, at, s.Radius)
	if s.Label != "" {
		f.spots = append(f.spots, labelled{at.X, at.Y, s.Label, s.Before})
		return
	}
	f.taken = append(f.taken, Box{at.X - s.Radius, at.Y - s.Radius, at.X + s.Radius, at.Y + s.Radius})
}

func drawSpot(c Canvas, p Paint, at Point, r float64) {
	if p == Reference {
		r *= 1.4 // the same area as a dot, and visible behind one
		c.Fill(p, []Point{{at.X - r, at.Y}, {at.X, at.Y - r}, {at.X + r, at.Y}, {at.X, at.Y + r}})
		return
	}
	c.Circle(p, at, r)
}

func (v Value) draw(f *frame) {
	font := LabelText
	if v.Soft {
		font = SmallText
	}
	f.Write(Text{Font: font, Words: v.Words, At: Point{f.x(v.X) + 6, f.y(v.Row) + 4}})
}

// Sample is the shape with which a legend shows a paint.
type Sample int

const (
	Area Sample = iota
	LineSample
	UprightSample
	SpotSample
	WhiskerSample
)

// Draw draws the entry's sample into a box.
func (e Entry) Draw(c Canvas, b Box) {
	middle := Point{(b.Left + b.Right) / 2, (b.Top + b.Bottom) / 2}
	switch e.Sample {
	case Area:
		c.Fill(e.Paint, b.Corners())
	case LineSample:
		c.Stroke(e.Paint, []Point{{b.Left, middle.Y}, {b.Right, middle.Y}})
	case UprightSample:
		c.Stroke(e.Paint, []Point{{middle.X, b.Top}, {middle.X, b.Bottom}})
	case SpotSample:
		drawSpot(c, e.Paint, middle, 4.5)
	case WhiskerSample:
		drawWhisker(c, Point{b.Left + 2, middle.Y}, Point{b.Right - 2, middle.Y}, false)
	}
}
