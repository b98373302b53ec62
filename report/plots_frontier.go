package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/limitgauge/limitgauge/report/layout"
	"github.com/limitgauge/limitgauge/sim/results"
)

// frontierPage shows what accuracy costs, a point for each algorithm: how far
// over the limit, and how much of what is due is refused, against the calls to
// the limiter's servers. A panel in which no point is off the axis is left out.
// A scenario in which fewer than two rows ask servers, or that has no panel, has
// no such picture.
func frontierPage(doc *results.Document, s results.Scenario) *page {
	const across = "server_calls_per_s"
	rows := doc.Rows(s.Name)
	calling := 0
	for _, r := range rows {
		if x := r.Summary(across).Mean; x != nil && *x > 0 {
			calling++
		}
	}
	if calling < 2 {
		return nil
	}
	p := &page{
		title:    s.Name + ": what accuracy costs",
		subtitle: subtitle(s, replications(rows)) + "; lower left is better",
		legend: []entry{
			{"reference: the exact limiter", diamondMark},
			{"algorithm", dotMark},
			{"95 % interval", whiskerMark},
		},
	}
	labels := results.Labels(rows)
	for _, up := range []struct{ metric, name, axis string }{
		{"over_limit_pct", "over-limit", "over-limit, % of the limit, mean of saturated windows"},
		{"under_admission_pct", "under-admission", "under-admission, % of what the reference admits"},
	} {
		if !somewhere(rows, up.metric) {
			p.subtitle += "; no " + up.name
			continue
		}
		panel := newPanel(up.name + " against server calls")
		panel.HideAxes()
		panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = 0, 1, 0, 1
		panel.Add(frontier{rows, labels, across, up.metric, "calls to the limiter's servers per second", up.axis})
		p.panels = append(p.panels, panel)
	}
	if p.columns = len(p.panels); p.columns == 0 {
		return nil
	}
	return p
}

// somewhere reports whether a row has more than 0 of the metric.
func somewhere(rows []results.Result, metric string) bool {
	return slices.ContainsFunc(rows, func(r results.Result) bool {
		x := r.Summary(metric).Mean
		return x != nil && *x > 0
	})
}

// frontier draws one figure of each row against another. Its axes are its own,
// because figures of 0 and missing ones have places on them too.
type frontier struct {
	rows               []results.Result
	labels             []string
	acrossName         string
	upName             string
	acrossAxis, upAxis string
}

func (f frontier) Plot(c draw.Canvas, _ *plot.Plot) {
	const left, bottom, right, top = 44, 34, 8, 6
	c.Min.X, c.Min.Y, c.Max.X, c.Max.Y = c.Min.X+left, c.Min.Y+bottom, c.Max.X-right, c.Max.Y-top
	xs, ys := make([]*float64, len(f.rows)), make([]*float64, len(f.rows))
	for i, r := range f.rows {
		xs[i], ys[i] = r.Summary(f.acrossName).Mean, r.Summary(f.upName).Mean
	}
	// Lengths below are points, with y downwards from the top of the frame.
	width, height := float64(c.Max.X-c.Min.X), float64(c.Max.Y-c.Min.Y)
	x, y := layout.NewScale(xs, 0, width), layout.NewScale(ys, height, 0)
	x.Inset, y.Inset = 12, 12
	point := func(x, y float64) vg.Point { return vg.Point{X: c.Min.X + vg.Length(x), Y: c.Max.Y - vg.Length(y)} }
	f.axes(c, x, y, point)

	spots := make([]layout.Spot, len(f.rows))
	var taken []layout.Box
	for i, r := range f.rows {
		spots[i] = layout.Spot{X: x.At(xs[i]), Y: y.At(ys[i]), Label: f.labels[i]}
		if lo, hi, ok := whiskerSpan(y, r.Summary(f.upName)); ok {
			c.StrokeLine2(whiskerLine, point(spots[i].X, lo).X, point(0, lo).Y, point(spots[i].X, hi).X, point(0, hi).Y)
			taken = append(taken, layout.Box{Left: spots[i].X - 3, Top: hi, Right: spots[i].X + 3, Bottom: lo})
		}
	}
	for i, r := range f.rows { // the reference first: another may hide it
		at := point(spots[i].X, spots[i].Y)
		if r.Reference {
			drawDiamond(c, at)
		} else {
			drawDot(c, at.X, at.Y, 3.5)
		}
	}
	label := style(sans(tickSize), black)
	label.YAlign = draw.YTop
	words := layout.Text{
		Pitch: 9.5,
		Width: func(words string) float64 { return float64(label.Width(words)) },
		Fit:   func(words string) string { return fitted(label, words, 150) },
	}
	frame := layout.Box{Left: 2, Top: -4, Right: width, Bottom: height}
	for _, l := range layout.Place(spots, frame, taken, words) {
		if l.Leader {
			from, to := point(l.FromX, l.FromY), point(l.ToX, l.ToY)
			c.StrokeLine2(gridLine, from.X, from.Y, to.X, to.Y)
		}
		for i, line := range l.Lines {
			c.FillText(label, point(l.X, l.Y+words.Pitch*float64(i)), line)
		}
	}
}

// whiskerSpan is where a figure's interval begins and ends on a scale that runs
// upwards; ok is false where there is none to draw.
func whiskerSpan(y layout.Scale, s results.Summary) (lo, hi float64, ok bool) {
	if s.Spread() == 0 || y.Log && *s.Mean <= 0 {
		return 0, 0, false
	}
	return y.Of(max(*s.Lo, y.Lo)), y.Of(*s.Hi), true
}

// axes draws grid, frame, ticks and names around the canvas.
func (f frontier) axes(c draw.Canvas, x, y layout.Scale, point func(x, y float64) vg.Point) {
	tick := style(sans(tickSize), textGrey)
	under, beside := tick, tick
	under.XAlign, under.YAlign = draw.XCenter, draw.YTop
	beside.XAlign, beside.YAlign = draw.XRight, draw.YCenter
	mark := func(words string, at float64, s layout.Scale, last *float64) {
		across := s == x
		from, to := point(at, 0), point(at, y.From)
		where := vg.Point{X: to.X, Y: c.Min.Y - 4}
		with, room := under, float64(under.Width(words))+6
		if !across {
			from, to = point(0, at), point(x.To, at)
			where = vg.Point{X: c.Min.X - 4, Y: to.Y}
			with, room = beside, 10
		}
		c.StrokeLine2(gridLine, from.X, from.Y, to.X, to.Y)
		if math.Abs(at-*last) > room {
			c.FillText(with, where, words)
			*last = at
		}
	}
	for _, s := range []layout.Scale{x, y} {
		last := math.Inf(-1)
		if s.None {
			mark("none", s.At(nil), s, &last)
		}
		if s.Zeros {
			mark("0", s.Of(0), s, &last)
		}
		for _, t := range ScaleTicks(s, 6) {
			mark(t.Label, s.Of(t.Value), s, &last)
		}
	}
	c.StrokeLine2(axisLine, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	c.StrokeLine2(axisLine, c.Min.X, c.Min.Y, c.Min.X, c.Max.Y)
	f.names(c, x.Name(f.acrossAxis), y.Name(f.upAxis))
}

// names writes what the axes show.
func (frontier) names(c draw.Canvas, across, up string) {
	name := style(sans(textSize), textGrey)
	name.XAlign, name.YAlign = draw.XCenter, draw.YBottom
	c.FillText(name, vg.Point{X: c.Center().X, Y: c.Min.Y - 32}, fitted(name, across, c.Max.X-c.Min.X))
	upright := name
	upright.Rotation, upright.YAlign = math.Pi/2, text.YTop
	c.FillText(upright, vg.Point{X: c.Min.X - 42, Y: c.Center().Y}, fitted(name, up, c.Max.Y-c.Min.Y))
}

func diamondMark(c draw.Canvas) { drawDiamond(c, c.Center()) }

func drawDiamond(c draw.Canvas, at vg.Point) {
	const r = 5
	c.FillPolygon(referenceColor, []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y}, {X: at.X, Y: at.Y - r}})
}
