package figure

import "math"

// Show selects which labels a panel writes.
type Show struct {
	Rows     bool // names of rows
	X, Y     bool // labels of the axes
	Corner   bool // the label of the X axis is at the right end of the title's line
	Centered bool // the title is centered
}

// Insets are the distances between a panel's box and its frame, in pixels.
type Insets struct{ Left, Top, Right, Bottom float64 }

const (
	longestRow = 200.0 // width limit for the name of a row, in pixels
	tickLength = 3.0
)

// Insets returns the space that a panel needs around its frame.
func (p *Panel) Insets(c Canvas, show Show) Insets {
	in := Insets{Left: 8, Top: 24, Right: 12, Bottom: 20}
	if show.X && !show.Corner && p.X.Label != "" {
		in.Bottom += 16
	}
	widest := 0.0
	for _, t := range p.Y.Ticks {
		widest = max(widest, c.Width(SmallText, t.Label))
	}
	widest = max(widest, c.Width(SmallText, p.Y.Missing))
	if show.Rows {
		for _, name := range p.Y.Rows {
			widest = max(widest, min(c.Width(LabelText, name), longestRow))
		}
	}
	if in.Left = max(in.Left, math.Ceil(widest+8)); show.Y && p.Y.Label != "" {
		in.Left += 18
	}
	return in
}

// frame is the state of drawing a panel.
type frame struct {
	Canvas
	box   Box // of the data
	outer Box // with labels
	panel *Panel
	spots []labelled
	taken []Box
	bands []labelled // names of bands
}

func (f *frame) x(v float64) float64 { return f.panel.X.At(v, f.box.Left, f.box.Right) }

func (f *frame) y(v float64) float64 {
	if len(f.panel.Y.Rows) > 0 {
		return f.panel.Y.At(v, f.box.Top, f.box.Bottom)
	}
	return f.panel.Y.At(v, f.box.Bottom, f.box.Top)
}

func (f *frame) at(x, y float64) Point { return Point{f.x(x), f.y(y)} }

// Draw draws a panel into a box with a frame inside the insets.
func (p *Panel) Draw(c Canvas, outer Box, in Insets, show Show) {
	f := &frame{Canvas: c, panel: p, outer: outer, box: Box{
		outer.Left + in.Left, outer.Top + in.Top, outer.Right - in.Right, outer.Bottom - in.Bottom,
	}}
	f.title(show)
	f.scale(p.X, true)
	if len(p.Y.Rows) == 0 {
		f.scale(p.Y, false)
	} else if show.Rows {
		f.rows()
	}
	f.Stroke(AxisLine, []Point{{f.box.Left, f.box.Top}, {f.box.Left, f.box.Bottom}, {f.box.Right, f.box.Bottom}})
	middle := Point{(f.box.Left + f.box.Right) / 2, (f.box.Top + f.box.Bottom) / 2}
	if show.X && !show.Corner {
		f.Write(Text{Font: SmallText, Words: Fit(f, SmallText, p.X.Label, f.outer.Right-f.box.Left), At: Point{middle.X, f.box.Bottom + 31}, Align: 0.5})
	}
	if show.Y {
		f.Write(Text{Font: SmallText, Words: Fit(f, SmallText, p.Y.Label, f.outer.Bottom-f.outer.Top), At: Point{outer.Left + 11, middle.Y}, Align: 0.5, Upright: true})
	}
	for _, m := range p.Marks {
		f.mark(m)
	}
	f.bandNames()
	f.labels()
}

func (f *frame) title(show Show) {
	at, align, room := Point{f.box.Left, f.outer.Top + 14}, 0.0, f.outer.Right-f.box.Left
	if show.Centered {
		at.X, align = (f.box.Left+f.box.Right)/2, 0.5
	}
	if show.Corner {
		f.Write(Text{Font: SmallText, Words: f.panel.X.Label, At: Point{f.box.Right, at.Y}, Align: 1})
		room -= f.Width(SmallText, f.panel.X.Label) + 12
	}
	f.Write(Text{Font: TitleText, Words: Fit(f, TitleText, f.panel.Title, room), At: at, Align: align})
}

// mark draws a mark, as a group if it has a title.
func (f *frame) mark(m Mark) {
	draw := func() {
		for _, s := range m.Shapes {
			s.draw(f)
		}
	}
	if m.Title == "" {
		draw()
		return
	}
	at := f.at(m.X, m.Y)
	area := Box{at.X - 9, at.Y - 9, at.X + 9, at.Y + 9}
	if n := len(f.panel.Y.Rows); n > 0 {
		half := (f.box.Bottom - f.box.Top) / float64(n) / 2
		area = Box{f.outer.Left, at.Y - half, f.outer.Right, at.Y + half}
	}
	if f.panel.Fields {
		low, high := f.at(m.X-0.5, m.Y-0.5), f.at(m.X+0.5, m.Y+0.5)
		area = Box{low.X, high.Y, high.X, low.Y}
	}
	f.Group(m.Title, area, draw)
}

// scale draws the strips, the grid and the ticks of an axis.
func (f *frame) scale(a Axis, across bool) {
	from, to, base, far, outwards, label := f.box.Bottom, f.box.Top, f.box.Left, f.box.Right, -1.0, f.labelsBeside()
	if across {
		from, to, base, far, outwards, label = f.box.Left, f.box.Right, f.box.Bottom, f.box.Top, 1, f.labelsBelow()
	}
	line := func(at, start, end float64) []Point {
		if across {
			return []Point{{at, start}, {at, end}}
		}
		return []Point{{start, at}, {end, at}}
	}
	if a.Missing != "" {
		f.Fill(Strip, append(line(from, base, far), line(from+math.Copysign(strip, to-from), far, base)...))
		label(a.At(math.NaN(), from, to), a.Missing)
	}
	if a.Zeros {
		f.Stroke(Divider, line(a.start(from, to), base, far))
		label(a.At(0, from, to), "0")
	}
	var grid, ticks [][]Point
	for _, t := range a.Ticks {
		at, length := a.At(t.Value, from, to), tickLength/2
		if t.Label != "" {
			length = tickLength
			grid = append(grid, line(at, base, far))
			label(at, t.Label)
		}
		ticks = append(ticks, line(at, base, base+outwards*length))
	}
	if a.Grid && len(grid) > 0 {
		f.Stroke(Grid, grid...)
	}
	if len(ticks) > 0 {
		f.Stroke(AxisLine, ticks...)
	}
}

// labelsBelow returns a function that writes labels of the X axis. It omits a
// label that would touch the previous one.
func (f *frame) labelsBelow() func(at float64, words string) {
	last := math.Inf(-1) // right end of the last label
	return func(at float64, words string) {
		width := f.Width(SmallText, words)
		if left := min(max(at-width/2, f.outer.Left), f.outer.Right-width); left >= last+6 {
			f.Write(Text{Font: SmallText, Words: words, At: Point{left + width/2, f.box.Bottom + 15}, Align: 0.5})
			last = left + width
		}
	}
}

// labelsBeside returns the same function for the Y axis.
func (f *frame) labelsBeside() func(at float64, words string) {
	last := math.Inf(1)
	return func(at float64, words string) {
		if last-at >= 12 {
			f.Write(Text{Font: SmallText, Words: words, At: Point{f.box.Left - 6, at + 4}, Align: 1})
			last = at
		}
	}
}

func (f *frame) rows() {
	for i, name := range f.panel.Y.Rows {
		f.Write(Text{Font: LabelText, Words: Fit(f, LabelText, name, longestRow), At: Point{f.box.Left - 6, f.y(float64(i)) + 4}, Align: 1})
	}
}

// labels writes the labels of the spots that were drawn.
func (f *frame) labels() {
	room := f.box
	room.Left, room.Top, room.Right = room.Left+2, room.Top-12, f.outer.Right
	for _, l := range placeLabels(f, f.spots, room, f.taken) {
		if l.leader {
			f.Stroke(Leader, []Point{l.from, l.to})
		}
		for i, words := range l.lines {
			f.Write(Text{Font: LabelText, Words: words, At: Point{l.box.Left, l.box.Top + labelPitch*float64(i+1) - 3}})
		}
	}
}
