package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results"
)

// mostSweepRows limits the algorithms that figures of a sweep show, and mostGoodputRows those
// where backends have a deadline: there are two panels then.
const mostSweepRows, mostGoodputRows = 6, 11

// sweptMetric is a metric that figures of a sweep have a panel for.
type sweptMetric struct{ metric, title, axis string }

// sweepMetrics are the panels of figures of a sweep: the headline metrics, and the calls
// to servers.
var sweepMetrics = []sweptMetric{
	{"over_limit_pct", "over-limit", "% of the limit, saturated windows"},
	{"burst_excess", "burst excess", "requests beyond the policy's"},
	{"over_admission_pct", "over-admission", "% of what the reference admits"},
	{"under_admission_pct", "under-admission", "% of what the reference admits"},
	{"server_calls_per_s", "server calls", "calls to the limiter's servers per second"},
}

// goodputMetrics are the panels where backends have a deadline.
var goodputMetrics = []sweptMetric{
	{"goodput_per_s", "good answers", "per second"},
	{"answer_p99_ms", "p99 of answers", "ms from arrival to answer"},
}

// Sweeps returns builders for the figures of a sweep. A scenario with one axis has
// curves, one with two axes a heat map for each algorithm. Each has a frontier of its
// cells, where limiters call servers.
func Sweeps(sw *results.Sweep) (list []Builder) {
	for _, s := range sw.Head.Sweep {
		v := newSwept(s, sw)
		if len(v.cells) == 0 {
			continue
		}
		add := func(build Builder) {
			list = append(list, func() *Figure {
				f := build()
				if len(f.Panels) == 0 {
					return nil
				}
				first := v.cells[0].Document.Scenarios[0]
				f.Scenario, f.Setting = s.Name, fmt.Sprintf("seed %d", first.Seed)
				f.Subtitle = replications(v.rows()) + f.Subtitle
				return f
			})
		}
		switch len(s.Axes) {
		case 1:
			add(v.curves)
		case 2:
			slugs := Slugs(v.algorithms, func(name string) string { return name })
			for i := range v.algorithms {
				add(func() *Figure { return v.heatMap(i, slugs[i]) })
			}
		}
		if v.metrics[0] == sweepMetrics[0] {
			add(v.frontier)
		}
	}
	return list
}

// swept is a scenario of a sweep with its cells.
type swept struct {
	results.SweepScenario
	cells      []results.Cell
	metrics    []sweptMetric
	all        []string // algorithms without references, but for the best fixed limit on concurrency
	algorithms []string // those that have curves and heat maps
	more       string   // counts the others
}

func newSwept(s results.SweepScenario, sw *results.Sweep) *swept {
	v := &swept{SweepScenario: s, cells: sw.Of(s.Name), metrics: slices.Clone(sweepMetrics)}
	if len(v.cells) > 0 {
		burst := &v.metrics[1]
		burst.axis = strings.Replace(burst.axis, "requests", v.cells[0].Document.Scenarios[0].LimitUnit(v.rows()), 1)
	}
	most := mostSweepRows
	if results.HasFigure(v.rows(), "goodput_per_s") {
		v.metrics, most = goodputMetrics, mostGoodputRows
	}
	limited := lists.Where(v.rows(), results.Result.Compared)
	v.all = lists.Distinct(lists.Map(limited, func(r results.Result) string { return r.Algorithm }))
	if len(v.all) > most { // first those that more of the axes concern, and then those that call servers
		rank := func(name string) int {
			n := 2 * lists.Count(v.Axes, func(a results.Axis) bool { return a.Concerns(name) })
			if v.callsServers(name) {
				n++
			}
			return n
		}
		slices.SortStableFunc(v.all, func(a, b string) int { return rank(b) - rank(a) })
	}
	v.algorithms, v.more = atMost(v.all, most)
	return v
}

// rows returns the rows of all cells.
func (v *swept) rows() []results.Result {
	return slices.Concat(lists.Map(v.cells, func(c results.Cell) []results.Result { return c.Document.Results })...)
}

// figure returns a metric of an algorithm in a cell.
func (v *swept) figure(c results.Cell, algorithm, metric string) results.Summary {
	for _, r := range c.Document.Results {
		if r.Algorithm == algorithm && r.Compared() {
			return r.Summary(metric)
		}
	}
	return results.Summary{Reason: "not among the scenario's algorithms"}
}

// callsServers reports whether an algorithm calls servers of its own in any cell.
func (v *swept) callsServers(algorithm string) bool {
	return slices.ContainsFunc(v.cells, func(c results.Cell) bool { return v.figure(c, algorithm, "server_calls_per_s").Mean != nil })
}

// series returns the number of the algorithm among those with a paint of their own, or -1
// for the best fixed limit.
func (v *swept) series(i int) int {
	switch best := slices.Index(v.algorithms, results.BestFixed); {
	case best < 0 || i < best:
		return i
	case i == best:
		return -1
	default:
		return i - 1
	}
}

// paint returns the paint of the algorithm with this number.
func (v *swept) paint(i int) Paint {
	if n := v.series(i); n >= 0 {
		return Series(n)
	}
	return IdealLine
}

// promises returns the thresholds for a metric, of one algorithm or of any.
func (v *swept) promises(metric, algorithm string) []results.Expectation {
	return lists.Where(v.cells[0].Document.Scenarios[0].Expectations, func(e results.Expectation) bool {
		return e.Metric == metric && (algorithm == "" || e.Algorithm == algorithm) && slices.Contains([]string{"<=", "<", ">=", ">"}, e.Op)
	})
}

// keeps reports whether a figure keeps a threshold at the bad end of its interval.
func keeps(e results.Expectation, s results.Summary) bool {
	if s.Mean == nil {
		return false
	}
	low, high := s.Mean, s.Mean
	if s.Lo != nil && s.Hi != nil {
		low, high = s.Lo, s.Hi
	}
	return gate.Holds(e.Op, *low, e.Threshold) && gate.Holds(e.Op, *high, e.Threshold)
}

// place returns the number of the cell's value on an axis.
func (v *swept) place(c results.Cell, axis int) int {
	return slices.Index(v.Axes[axis].Values, c.At[axis])
}

// axisLabel names an axis with its unit.
func axisLabel(a results.Axis) string {
	if a.Unit == "" {
		return a.Name
	}
	return a.Name + ", " + a.Unit
}

// steps returns an axis with a position for each value.
func steppedAxis(a results.Axis) Axis {
	axis := Axis{Label: a.Name, Lo: -0.5, Hi: float64(len(a.Values)) - 0.5}
	every := (len(a.Values) + 15) / 16
	for i, text := range a.Values {
		t := Tick{Value: float64(i)}
		if i%every == 0 {
			t.Label = text
		}
		axis.Ticks = append(axis.Ticks, t)
	}
	return axis
}

// coordinates names a cell.
func (v *swept) coordinates(c results.Cell) string {
	parts := make([]string, len(v.Axes))
	for i, a := range v.Axes {
		parts[i] = a.Name + " " + c.At[i]
	}
	return strings.Join(parts, ", ")
}
