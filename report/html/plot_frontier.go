package html

import (
	"fmt"
	"html/template"
	"math"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/layout"
	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	frontierWidth, frontierHeight = 560.0, 380.0
	frontierLeft, frontierRight   = 62.0, 16.0
	frontierTop, frontierBottom   = 28.0, 50.0
)

// quantity is what an axis of the frontier shows.
type quantity struct {
	metric, name, axis string
	missing            string // names the strip of the rows without a figure
}

var (
	overLimit      = quantity{"over_limit_pct", "over-limit", "over-limit, %", "no data"}
	burstExcess    = quantity{"burst_excess", "burst excess", "burst excess, requests", "no data"}
	serverCalls    = quantity{"server_calls_per_s", "server calls", "calls to the limiter's servers per second", "none"}
	underAdmission = quantity{"under_admission_pct", "under-admission", "under-admission, %", "no data"}
)

// frontier draws what accuracy costs, a labelled point for each algorithm: how
// far over the limit against the calls to the limiter's servers, where there
// are any, and against how much of what is due is refused.
func frontier(rows []results.Result, labels []string) *figure {
	if len(rows) < 2 {
		return nil
	}
	const title = "Frontier: what accuracy costs"
	up := overLimit
	if !differ(rows, up.metric) {
		up = burstExcess
	}
	if !differ(rows, up.metric) {
		return &figure{Title: title, Note: "Nothing to draw: no two rows differ in over-limit or in burst excess."}
	}
	fig := &figure{
		Title: title,
		Note:  "A point for each algorithm, lower left is better: where no other point is both lower and further left, no other is better on both.",
		Legend: []legendItem{
			{swatch(func(d *drawing) { d.path("reference", "M11 0l6 6 -6 6 -6-6Z") }), "reference"}, {swatchDot("point"), "algorithm"}, {swatchLine("whisker"), "95 % interval"},
		},
		Grid: "large",
	}
	if known(rows, serverCalls.metric) > 0 {
		fig.Plots = append(fig.Plots, scatter(rows, labels, up, serverCalls))
	}
	if differ(rows, underAdmission.metric) {
		fig.Plots = append(fig.Plots, scatter(rows, labels, up, underAdmission))
	}
	if len(fig.Plots) == 0 {
		return &figure{Title: title, Note: "Nothing to draw: there are no servers to call, and no two rows differ in under-admission."}
	}
	return fig
}

// known counts the rows that have the figure.
func known(rows []results.Result, metric string) (n int) {
	for _, r := range rows {
		if r.Summary(metric).Mean != nil {
			n++
		}
	}
	return n
}

// differ reports whether two rows have different figures.
func differ(rows []results.Result, metric string) bool {
	var first *float64
	for _, r := range rows {
		switch s := r.Summary(metric); {
		case s.Mean == nil:
		case first == nil:
			first = s.Mean
		case *s.Mean != *first:
			return true
		}
	}
	return false
}

func scatter(rows []results.Result, labels []string, up, across quantity) template.HTML {
	d := newDrawing(frontierWidth, frontierHeight)
	base, right := frontierHeight-frontierBottom, frontierWidth-frontierRight
	xs, ys := make([]*float64, len(rows)), make([]*float64, len(rows))
	for i, r := range rows {
		xs[i], ys[i] = r.Summary(across.metric).Mean, r.Summary(up.metric).Mean
	}
	x, y := layout.NewScale(xs, frontierLeft, right), layout.NewScale(ys, base, frontierTop)
	x.Inset, y.Inset = 12, 12
	drawAxes(d, x, y, up, across)
	spots := make([]layout.Spot, len(rows))
	for i := range rows {
		spots[i] = layout.Spot{X: x.At(xs[i]), Y: y.At(ys[i]), Label: labels[i]}
	}
	var taken []layout.Box
	for i, r := range rows {
		h, v := whiskers(x, y, r.Summary(across.metric), r.Summary(up.metric))
		taken = append(taken, around(h, spots[i]), around(v, spots[i]))
	}
	placed := layout.Place(spots, layout.Box{Left: frontierLeft + 2, Top: frontierTop - 12, Right: right, Bottom: base}, taken, labelText)
	for _, l := range placed {
		if l.Leader {
			d.line("leader", l.FromX, l.FromY, l.ToX, l.ToY)
		}
	}
	for i, r := range rows { // the reference first, so that its larger mark shows behind another
		sx, sy := r.Summary(across.metric), r.Summary(up.metric)
		d.mark(fmt.Sprintf("%s: %s %s; %s %s", labels[i], up.name, inWords(sy), across.name, inWords(sx)), func() {
			h, v := whiskers(x, y, sx, sy)
			for _, w := range []layout.Box{h, v} {
				if w != (layout.Box{}) {
					d.line("whisker", w.Left, w.Top, w.Right, w.Bottom)
				}
			}
			if r.Reference {
				diamond(d, "reference", spots[i].X, spots[i].Y)
			} else {
				d.circle("point", spots[i].X, spots[i].Y, 5)
			}
		})
	}
	for _, l := range placed {
		for i, words := range l.Lines {
			d.text("label", l.X, l.Y+labelText.Pitch*float64(i)+labelText.Pitch-3, words)
		}
	}
	return d.done("plot", fmt.Sprintf("%s against %s, a point for each algorithm; the table has the figures", up.name, across.name))
}

// whiskers are the lines that a point's intervals span, across and up; empty
// where there is no interval, or none that a logarithmic scale could show.
func whiskers(x, y layout.Scale, sx, sy results.Summary) (across, up layout.Box) {
	atX, atY := x.At(sx.Mean), y.At(sy.Mean)
	if sx.Spread() > 0 && !(x.Log && *sx.Mean <= 0) {
		across = layout.Box{Left: x.Of(max(*sx.Lo, x.Lo)), Top: atY, Right: x.Of(*sx.Hi), Bottom: atY}
	}
	if sy.Spread() > 0 && !(y.Log && *sy.Mean <= 0) {
		up = layout.Box{Left: atX, Top: y.Of(*sy.Hi), Right: atX, Bottom: y.Of(max(*sy.Lo, y.Lo))}
	}
	return across, up
}

// around is the room that a whisker b takes at its point.
func around(b layout.Box, s layout.Spot) layout.Box {
	if b == (layout.Box{}) {
		b = layout.Box{Left: s.X, Top: s.Y, Right: s.X, Bottom: s.Y}
	}
	return layout.Box{Left: b.Left - 3, Top: b.Top - 3, Right: b.Right + 3, Bottom: b.Bottom + 3}
}

func diamond(d *drawing, class string, x, y float64) {
	d.path(class, fmt.Sprintf("M%s %sl8 8 -8 8 -8-8Z", num(x), num(y-8)))
}

func drawAxes(d *drawing, x, y layout.Scale, up, across quantity) {
	base, right := y.From, x.To
	d.text("name", frontierLeft, 14, up.name+" against "+across.name)
	last := math.Inf(-1)
	for _, t := range report.ScaleTicks(x, 6) {
		at := x.Of(t.Value)
		d.line("grid", at, frontierTop, at, base)
		if at-last > widthOf(t.Label)+8 {
			d.text("tick middle", at, base+14, t.Label)
			last = at
		}
	}
	last = math.Inf(1)
	for _, t := range report.ScaleTicks(y, 6) {
		at := y.Of(t.Value)
		d.line("grid", frontierLeft, at, right, at)
		if last-at > 14 {
			d.text("tick end", frontierLeft-6, at+4, t.Label)
			last = at
		}
	}
	if x.None {
		d.rect("strip", x.From, frontierTop, layout.Strip, base-frontierTop)
		d.text("tick middle", x.At(nil), base+14, across.missing)
	}
	if y.None {
		d.rect("strip", frontierLeft, base-layout.Strip, right-frontierLeft, layout.Strip)
		d.text("tick end", frontierLeft-6, y.At(nil)+4, up.missing)
	}
	if x.Zeros {
		d.line("divider", x.Start(), frontierTop, x.Start(), base)
		d.text("tick middle", x.Of(0), base+14, "0")
	}
	if y.Zeros {
		d.line("divider", frontierLeft, y.Start(), right, y.Start())
		d.text("tick end", frontierLeft-6, y.Of(0)+4, "0")
	}
	d.path("axis", "M"+num(frontierLeft)+" "+num(frontierTop)+"V"+num(base)+"H"+num(right))
	d.text("tick middle", (frontierLeft+right)/2, base+36, x.Name(across.axis))
	d.upright("tick middle", 12, (frontierTop+base)/2, y.Name(up.axis))
}
