package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// quantity is a metric on an axis of the frontier.
type quantity struct{ metric, name, axis, missing string }

var (
	overAdmission  = quantity{"over_admission_pct", "over-admission", "over-admission, % of what the reference admits", "no data"}
	serverCalls    = quantity{"server_calls_per_s", "server calls", "calls to the limiter's servers per second", "none"}
	underAdmission = quantity{"under_admission_pct", "under-admission", "under-admission, % of what the reference admits", "no data"}
)

// frontier shows the trade-off between accuracy and cost, with a labelled point
// for each algorithm. Its panels plot over-admission, under-admission and burst
// excess against the calls to the limiter's servers, and over-admission against
// under-admission, whose sum is the distance from the reference. It leaves out
// a metric that is the same for all algorithms. There is a picture of it if at
// least two rows call servers.
func frontier(part *results.Document, _ Medium) *Figure {
	rows := part.Rows(part.Scenarios[0].Name)
	if len(rows) < 2 {
		return nil
	}
	burstExcess := quantity{"burst_excess", "burst excess", "burst excess, " + part.Scenarios[0].LimitUnit(rows), "no data"}
	f := &Figure{
		Title:    "What accuracy costs",
		Subtitle: replications(rows) + "; lower left is better",
		Note:     "A point for each algorithm: where no other point is both lower and further left, no other is better on both. Closest to the reference is the least over-admission plus under-admission.",
		Legend:   rowsLegend(rows, SpotSample),
		Width:    560, Height: 380,
	}
	known := count(rows, serverCalls, func(float64) bool { return true }) > 0
	overDiffers, underDiffers := differ(rows, overAdmission), differ(rows, underAdmission)
	for _, one := range []struct {
		up, across quantity
		shown      bool
	}{
		{overAdmission, serverCalls, overDiffers && known},
		{underAdmission, serverCalls, underDiffers && known},
		{burstExcess, serverCalls, differ(rows, burstExcess) && known},
		{overAdmission, underAdmission, overDiffers && underDiffers},
	} {
		if one.shown {
			f.Panels = append(f.Panels, scatter(rows, one.up, one.across))
		}
	}
	f.PageOnly = count(rows, serverCalls, positive) < 2 || count(rows, overAdmission, positive)+count(rows, underAdmission, positive) == 0
	if f.Columns = min(2, len(f.Panels)); f.Columns == 0 {
		f.Subtitle, f.Legend, f.PageOnly = "", nil, true
		f.Note = "Nothing to draw: no two rows differ in over-admission, under-admission or burst excess, or there are no servers to call."
	}
	return f
}

func positive(x float64) bool { return x > 0 }

// count returns the number of rows with a value that is wanted.
func count(rows []results.Result, q quantity, wanted func(float64) bool) int {
	return lists.Count(rows, func(r results.Result) bool {
		s := r.Summary(q.metric)
		return s.Mean != nil && wanted(*s.Mean)
	})
}

// differ reports whether two rows have different values.
func differ(rows []results.Result, q quantity) bool {
	first := math.NaN()
	return count(rows, q, func(x float64) bool {
		if math.IsNaN(first) {
			first = x
		}
		return x != first
	}) > 0
}

func scatter(rows []results.Result, up, across quantity) Panel {
	xs, ys := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		xs[i], ys[i] = r.Summary(across.metric).OrNaN(), r.Summary(up.metric).OrNaN()
	}
	p := Panel{
		Title: up.name + " against " + across.name,
		Alt:   fmt.Sprintf("%s against %s, a point for each algorithm; the table has the figures", up.name, across.name),
		X:     fitAxis(across.axis, across.missing, withIntervals(xs, rows, across)),
		Y:     fitAxis(up.axis, up.missing, withIntervals(ys, rows, up)),
	}
	p.X.Inset, p.Y.Inset = 12, 12
	var whiskers Mark // below all spots
	p.Marks = make([]Mark, 1, 1+len(rows))
	for i, r := range rows { // the reference first: it stays visible behind another spot
		x, y := r.Summary(across.metric), r.Summary(up.metric)
		if drawable(p.X, x) {
			whiskers.Shapes = append(whiskers.Shapes, Whisker{Y: ys[i], Lo: max(*x.Lo, p.X.Lo), Hi: *x.Hi})
		}
		if drawable(p.Y, y) {
			whiskers.Shapes = append(whiskers.Shapes, Whisker{X: xs[i], Lo: max(*y.Lo, p.Y.Lo), Hi: *y.Hi, AlongY: true})
		}
		p.Marks = append(p.Marks, Mark{
			Title: fmt.Sprintf("%s: %s %s; %s %s", r.Label(), up.name, InWords(y), across.name, InWords(x)),
			X:     xs[i], Y: ys[i], Shapes: []Shape{Spot{Paint: paintOf(r), X: xs[i], Y: ys[i], Radius: 5, Label: r.Label()}},
		})
	}
	p.Marks[0] = whiskers
	return p
}

// withIntervals returns values with the upper ends of the rows' intervals, so that
// an axis does not cut them.
func withIntervals(values []float64, rows []results.Result, q quantity) []float64 {
	values = slices.Clone(values)
	for _, r := range rows {
		if s := r.Summary(q.metric); hasWidth(s) && *s.Mean > 0 {
			values = append(values, *s.Hi)
		}
	}
	return values
}

// drawable reports whether an axis can show a summary's interval.
func drawable(a Axis, s results.Summary) bool { return hasWidth(s) && !(a.Log && *s.Mean <= 0) }
