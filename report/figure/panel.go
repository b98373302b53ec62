package figure

import "math"

// Show selects which labels a panel writes.
type Show struct {
	Rows     bool // names of rows
	X, Y     bool // labels of the axes
	Corner   bool // the label of the X axis stands at the end of the title's line
	Centered bool // the title stands over the middle
}

// Insets are the lengths between a panel's box and its frame.
type Insets struct{ Left, Top, Right, Bottom float64 }

const (
	longestRow = 200.0 // pixels of the longest name of a row that is drawn
	tickLength = 3.0
)

// Insets measures the room that a panel needs around its frame.
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

// frame is a panel while it is drawn.
type frame struct {
	Canvas
	box   Box // of the data
	outer Box // with labels
	panel *Panel
	spots []labelled
	taken []Box
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
	f.scaleX()
	f.scaleY()
	f.rows(show.Rows)
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

// mark draws a mark, as a group where it has a title.
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
	f.Group(m.Title, area, draw)
}

// scaleX draws the strips, the grid and the ticks of the X axis.
func (f *frame) scaleX() {
	a, base := f.panel.X, f.box.Bottom
	last := math.Inf(-1) // right end of the last label
	write := func(at float64, words string) {
		width := f.Width(SmallText, words)
		left := min(max(at-width/2, f.outer.Left), f.outer.Right-width)
		if left < last+6 {
			return
		}
		f.Write(Text{Font: SmallText, Words: words, At: Point{left + width/2, base + 15}, Align: 0.5})
		last = left + width
	}
	f.strips(a, f.box.Left, f.box.Right, write, func(at float64) []Point { return []Point{{at, f.box.Top}, {at, base}} },
		func(from, to float64) Box { return Box{from, f.box.Top, to, base} })
	var grid, ticks [][]Point
	for _, t := range a.Ticks {
		at, length := f.x(t.Value), tickLength/2
		if t.Label != "" {
			length = tickLength
			grid = append(grid, []Point{{at, f.box.Top}, {at, base}})
			write(at, t.Label)
		}
		ticks = append(ticks, []Point{{at, base}, {at, base + length}})
	}
	f.lines(a, grid, ticks)
}

// scaleY draws the strips, the grid and the ticks of the Y axis.
func (f *frame) scaleY() {
	a := f.panel.Y
	last := math.Inf(1)
	write := func(at float64, words string) {
		if last-at < 12 {
			return
		}
		f.Write(Text{Font: SmallText, Words: words, At: Point{f.box.Left - 6, at + 4}, Align: 1})
		last = at
	}
	f.strips(a, f.box.Bottom, f.box.Top, write, func(at float64) []Point { return []Point{{f.box.Left, at}, {f.box.Right, at}} },
		func(from, to float64) Box { return Box{f.box.Left, to, f.box.Right, from} })
	var grid, ticks [][]Point
	for _, t := range a.Ticks {
		at, length := f.y(t.Value), tickLength/2
		if t.Label != "" {
			length = tickLength
			grid = append(grid, []Point{{f.box.Left, at}, {f.box.Right, at}})
			write(at, t.Label)
		}
		ticks = append(ticks, []Point{{f.box.Left - length, at}, {f.box.Left, at}})
	}
	f.lines(a, grid, ticks)
}

// strips draws the strips of an axis that runs from one place to another, with
// their labels.
func (f *frame) strips(a Axis, from, to float64, write func(float64, string), line func(float64) []Point, area func(from, to float64) Box) {
	if a.Missing != "" {
		f.Fill(Strip, area(from, from+math.Copysign(strip, to-from)).Corners())
		write(a.At(math.NaN(), from, to), a.Missing)
	}
	if a.Zeros {
		f.Stroke(Divider, line(a.start(from, to)))
		write(a.At(0, from, to), "0")
	}
}

func (f *frame) lines(a Axis, grid, ticks [][]Point) {
	if a.Grid && len(grid) > 0 {
		f.Stroke(Grid, grid...)
	}
	if len(ticks) > 0 {
		f.Stroke(AxisLine, ticks...)
	}
}

func (f *frame) rows(names bool) {
	if !names {
		return
	}
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
			f.Write(Text{Font: LabelText, Words: words, At: Point{l.x, l.y + labelPitch*float64(i+1) - 3}})
		}
	}
}
