package figure

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// sweepOf returns a sweep of one algorithm whose over-limit is that of a function of
// the cell, with the promise to stay at most at 5 %.
func sweepOf(overLimit func(cell int) *float64, axes ...results.Axis) *results.Sweep {
	sw := &results.Sweep{Head: results.SweepHead{Sweep: []results.SweepScenario{{Name: "one", Axes: axes}}}}
	for cell := range sw.Head.Cells() {
		_, at := sw.Head.At(cell)
		calls := float64(100 * (cell + 1))
		row := results.Result{Scenario: "one", Algorithm: "batch", Replications: 2, Metrics: map[string]results.Summary{
			"over_limit_pct": {Mean: overLimit(cell), Reason: "no saturated window"}, "server_calls_per_s": {Mean: &calls},
		}}
		sw.Cells = append(sw.Cells, results.Cell{Number: cell, Scenario: "one", At: at, Document: &results.Document{
			Scenarios: []results.Scenario{{Name: "one", Seed: 7, Expectations: []results.Expectation{{Algorithm: "batch", Metric: "over_limit_pct", Op: "<=", Threshold: 5, Text: "<= 5"}}}},
			Results:   []results.Result{row},
		}})
	}
	return sw
}

func built(sw *results.Sweep) map[string]*Figure {
	figures := map[string]*Figure{}
	for _, build := range Sweeps(sw) {
		if f := build(); f != nil {
			figures[f.Name] = f
		}
	}
	return figures
}

// TestSweepCurves checks that a line has the figures of the cells at their places, a
// gap where a cell has none, and the promise.
func TestSweepCurves(t *testing.T) {
	over := []float64{1, 2, 0, 8, 9}
	f := built(sweepOf(func(cell int) *float64 {
		if cell == 2 {
			return nil
		}
		return &over[cell]
	}, results.Axis{Name: "interval", Values: []string{"1s", "2s", "3s", "4s", "5s"}, Numbers: []float64{1, 2, 3, 4, 5}, Unit: "s"}))["sweep-curves"]
	lines := shapesOf[Line](f.Panels[0])
	if len(lines) != 3 || lines[0].Paint != Limit || lines[0].Points[0].Y != 5 ||
		!slices.Equal(lines[1].Points, []Point{{1, 1}, {2, 2}}) || !slices.Equal(lines[2].Points, []Point{{4, 8}, {5, 9}}) {
		t.Errorf("lines %v", lines)
	}
	if got := f.Panels[0].Marks[2].Title; got != "batch, interval 1s: over-limit 1" {
		t.Errorf("the pointer reads %q", got)
	}
	if strings.Contains(f.Note, "reference") { // it is not drawn, and its figures may be above 0
		t.Errorf("the note is %q", f.Note)
	}
}

// Panels name the unit of their metric: a burst excess counts costs where requests have them.
func TestSweepUnits(t *testing.T) {
	for metric, want := range map[string]string{
		"burst_excess": "burst excess 1 to 5 tokens", "goodput_per_s": "good answers 1 to 5 per second", "answer_p99_ms": "p99 of answers 1 to 5 ms",
	} {
		sw := sweepOf(func(int) *float64 { return nil }, results.Axis{Name: "a", Values: []string{"x", "y"}}, results.Axis{Name: "b", Values: []string{"z"}})
		cost, requests := 25.0, 10.0
		for i, c := range sw.Cells {
			x := float64(1 + 4*i)
			m := c.Document.Results[0].Metrics
			m[metric], m["offered_cost"], m["offered_requests"] = results.Summary{Mean: &x}, results.Summary{Mean: &cost}, results.Summary{Mean: &requests}
			if metric == "answer_p99_ms" {
				m["goodput_per_s"] = results.Summary{Mean: &cost}
			}
		}
		var titles []string
		figures := built(sw)
		for _, p := range figures["sweep-batch"].Panels {
			titles = append(titles, p.Title)
		}
		if f := figures["sweep-frontier"]; metric == "burst_excess" && f.Panels[0].Y.Label != "tokens beyond the policy's" {
			t.Errorf("the frontier shows %q", f.Panels[0].Y.Label)
		}
		if !slices.Contains(titles, want) {
			t.Errorf("%s: panels %q, want %q", metric, titles, want)
		}
	}
}

// TestSweepOfManyAlgorithms checks that curves and heat maps show first the algorithms that
// the axes concern and those that call servers, and that the frontier has the points of all
// that call servers, names only these, and paints an algorithm as the curves do.
func TestSweepOfManyAlgorithms(t *testing.T) {
	over := func(cell int) *float64 { x := float64(9 - cell); return &x }
	many := func(axes ...results.Axis) *results.Sweep {
		sw := sweepOf(over, axes...)
		for _, c := range sw.Cells {
			row := c.Document.Results[0]
			c.Document.Results = nil
			for i, name := range strings.Fields("local a b c d e f last") {
				row.Algorithm, row.Metrics = name, maps.Clone(row.Metrics)
				calls, x := float64(i*100), *over(c.Number)+float64(10-i)
				row.Metrics["server_calls_per_s"], row.Metrics["over_limit_pct"] = results.Summary{Mean: &calls}, results.Summary{Mean: &x}
				if name == "local" {
					row.Metrics["server_calls_per_s"] = results.Summary{Reason: "decides in place"}
				}
				c.Document.Results = append(c.Document.Results, row)
			}
		}
		return sw
	}
	names := func(f *Figure) string {
		return strings.Join(lists.Map(f.Legend, func(e Entry) string { return e.Label }), ", ")
	}
	paints := func(f *Figure) []Paint { return lists.Map(f.Legend, func(e Entry) Paint { return e.Paint }) }
	interval := results.Axis{Name: "interval", Of: "algorithms.last.interval", Values: []string{"1", "2"}}
	figures := built(many(interval))
	curves, frontier := figures["sweep-curves"], figures["sweep-frontier"]
	if got := names(curves); got != "last, a, b, c, d, e, promise" || !strings.Contains(curves.Subtitle, " · 2 more algorithms are in the table") {
		t.Errorf("curves of %s; %s", got, curves.Subtitle)
	}
	if got := names(frontier); got != "last, a, b, c, d, e, 1 more algorithm, best for their calls, promise" || strings.Contains(frontier.Subtitle, "more") {
		t.Errorf("a frontier of %s; %s", got, frontier.Subtitle)
	}
	if !slices.Equal(paints(curves)[:6], paints(frontier)[:6]) {
		t.Errorf("paints of curves are %v, and of the frontier %v", paints(curves), paints(frontier))
	}
	few := many(interval)
	for _, c := range few.Cells {
		c.Document.Results = c.Document.Results[:3]
	}
	if figures = built(few); !slices.Equal(paints(figures["sweep-curves"])[1:3], paints(figures["sweep-frontier"])[:2]) {
		t.Errorf("of three: paints of curves are %v, and of the frontier %v", paints(figures["sweep-curves"]), paints(figures["sweep-frontier"]))
	}
	if !strings.HasSuffix(frontier.Note, "Algorithms that call no servers have no point.") {
		t.Errorf("the note of the frontier is %q", frontier.Note)
	}
	front := []Point{{100, 17}, {200, 16}, {300, 15}, {400, 14}, {500, 13}, {600, 12}, {700, 11}}
	if got := shapesOf[Line](frontier.Panels[0])[0].Points; !slices.Equal(got, front) || len(shapesOf[Spot](frontier.Panels[0])) != 14 {
		t.Errorf("the best are %v, want %v", got, front)
	}
	demand := results.Axis{Name: "demand", Of: "traffic[0].rate", Values: []string{"1/s", "2/s"}}
	if figures = built(many(interval, demand)); figures["sweep-last"] == nil || figures["sweep-f"] != nil {
		t.Errorf("heat maps %v", slices.Collect(maps.Keys(figures)))
	}
}

// TestSweepBands checks that the band around a line goes forth along the upper ends of
// the intervals and back along the lower ones, in the order of the axis.
func TestSweepBands(t *testing.T) {
	over, numbers := []float64{4, 2, 8}, []float64{3, 1, 2}
	sw := sweepOf(func(cell int) *float64 { return &over[cell] }, results.Axis{Name: "interval", Values: []string{"3s", "1s", "2s"}, Numbers: numbers, Unit: "s"})
	for i, c := range sw.Cells {
		s := c.Document.Results[0].Metrics["over_limit_pct"]
		low, high := over[i]-1, over[i]+0.5
		s.Lo, s.Hi = &low, &high
		c.Document.Results[0].Metrics["over_limit_pct"] = s
	}
	band := shapesOf[Polygon](built(sw)["sweep-curves"].Panels[0])
	want := []Point{{1, 2.5}, {2, 8.5}, {3, 4.5}, {3, 3}, {2, 7}, {1, 1}}
	if len(band) != 1 || band[0].Paint != BandOf(0) || !slices.Equal(band[0].Points, want) {
		t.Errorf("bands %v, want %v", band, want)
	}
}

// TestSweepHeatMap checks the contour: it lies between the fields that keep the promise
// and those that do not, and nowhere else.
func TestSweepHeatMap(t *testing.T) {
	// Of the cells (a, b) the promise holds at (0,0), (1,0) and (0,1).
	over := []float64{1, 3, 2, 9, 8, 7} // (0,0) (0,1) (1,0) (1,1) (2,0) (2,1)
	axes := []results.Axis{{Name: "a", Values: []string{"x", "y", "z"}}, {Name: "b", Values: []string{"p", "q"}}}
	f := built(sweepOf(func(cell int) *float64 { return &over[cell] }, axes...))["sweep-batch"]
	var borders [][]Point
	for _, l := range shapesOf[Line](f.Panels[0]) {
		borders = append(borders, l.Points)
	}
	want := [][]Point{{{0.5, 0.5}, {0.5, 1.5}}, {{1.5, -0.5}, {1.5, 0.5}}, {{0.5, 0.5}, {1.5, 0.5}}}
	if !slices.EqualFunc(borders, want, slices.Equal[[]Point]) {
		t.Errorf("the contour is %v, want %v", borders, want)
	}
	if n := len(shapesOf[Polygon](f.Panels[0])); n != 6 {
		t.Errorf("%d fields", n)
	}
	// The figures are written in all fields of a panel or in none.
	over[5] = 1234.5
	f = built(sweepOf(func(cell int) *float64 { return &over[cell] }, axes...))["sweep-batch"]
	for _, width := range []float64{60, 600} {
		c := newPlain()
		f.Panels[0].Draw(c, Box{0, 0, width, 300}, Insets{}, Show{})
		if n := len(c.texts) - len(axes[0].Values) - len(axes[1].Values) - 1; width == 60 && n != 0 || width == 600 && n != 6 {
			t.Errorf("%d figures in a panel of %v pixels: %v", n, width, c.texts)
		}
	}
	if title := f.Panels[0].Title; !strings.Contains(title, "1 to 1234 %") {
		t.Errorf("title %q", title)
	}
	axes[0].Values = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	f = built(sweepOf(func(cell int) *float64 { x := float64(cell); return &x }, axes...))["sweep-batch"]
	if title := f.Panels[0].Title; !strings.Contains(title, "over-limit 0 to 17 %") {
		t.Errorf("title %q", title)
	}
	axes[0].Values = axes[0].Values[:3]
	high := 20.0
	f = built(sweepOf(func(cell int) *float64 { x := high + float64(cell); return &x }, axes...))["sweep-batch"]
	if title := f.Panels[0].Title; !strings.HasSuffix(title, "promise <= 5 broken") {
		t.Errorf("a promise that no field keeps: %q", title)
	}
	// Fields that keep it, apart from those that do not: no contour lies between them.
	apart := sweepOf(func(cell int) *float64 {
		if x := []float64{1, 2, 0, 0, 8, 9}[cell]; x > 0 {
			return &x
		}
		return nil
	}, axes...)
	f = built(apart)["sweep-batch"]
	if title := f.Panels[0].Title; !strings.HasSuffix(title, "promise <= 5 kept in 2 of 4") || len(f.Legend) != 0 {
		t.Errorf("a promise that fields apart from others keep: %q", title)
	}
	apart.Cells = apart.Cells[:4]
	if title := built(apart)["sweep-batch"].Panels[0].Title; !strings.HasSuffix(title, "promise <= 5 kept") {
		t.Errorf("a promise that all fields with data keep: %q", title)
	}
}

// TestShadesOfNoise checks that values which differ by at most the noise have one shade, also
// just below it, and that those of others use the whole scale.
func TestShadesOfNoise(t *testing.T) {
	for _, c := range []struct {
		values []float64
		noise  float64
		want   int // shade of the second
	}{
		{[]float64{0, 0.346}, 1, 0}, {[]float64{0, 0.95}, 1, 0}, {[]float64{10, 17.5}, 8, 0}, {[]float64{10, 18}, 8, 0},
		{[]float64{10, 18.5}, 8, HeatLevels - 1}, {[]float64{10, 12}, 1, HeatLevels - 1}, {[]float64{1, 400}, 1, HeatLevels - 1},
	} {
		shade := shades(c.values, c.noise)
		if least, most := shade(c.values[0]), shade(c.values[1]); most != c.want || least > 1 || c.want == 0 && least != 0 {
			t.Errorf("%v with a noise of %v: shades %d and %d of %d", c.values, c.noise, least, most, HeatLevels)
		}
	}
}

// TestHeatMapSaysNoise checks that the title of a panel says why all fields have one shade,
// and has the room of half a picture for it.
func TestHeatMapSaysNoise(t *testing.T) {
	axes := []results.Axis{{Name: "x", Values: []string{"1", "2", "3"}}, {Name: "y", Values: []string{"1", "2"}}}
	title := func(step, half float64) string {
		sw := sweepOf(func(cell int) *float64 { x := 40 + step*float64(cell); return &x }, axes...)
		for _, c := range sw.Cells {
			s := c.Document.Results[0].Metrics["over_limit_pct"]
			lo, hi := *s.Mean-half, *s.Mean+half
			s.Lo, s.Hi = &lo, &hi
			c.Document.Results[0].Metrics["over_limit_pct"], c.Document.Results[0].Metrics["under_admission_pct"] = s, s
		}
		f := built(sw)["sweep-batch"]
		if len(f.Panels) != 3 || f.Columns != 2 {
			t.Errorf("%d panels in %d columns", len(f.Panels), f.Columns)
		}
		return f.Panels[0].Title
	}
	if got := title(1, 3); !strings.Contains(got, "40 to 45 %, within one interval") {
		t.Errorf("five percent with intervals of six: %q", got)
	}
	if got := title(0.1, 0); !strings.Contains(got, "40 to 40.5 %, at most 1 apart") {
		t.Errorf("half a percent: %q", got)
	}
	if got := title(1, 2); !strings.Contains(got, "40 to 45 %") || strings.Contains(got, "apart") {
		t.Errorf("five percent: %q", got)
	}
}

// TestSweepFrontier checks that a line joins the points that nothing beats: one line for
// all settings, and one for each condition that limiters meet.
func TestSweepFrontier(t *testing.T) {
	over := []float64{9, 10, 4, 4, 1, 2}
	lines := func(axes ...results.Axis) (list [][]Point) {
		f := built(sweepOf(func(cell int) *float64 { return &over[cell] }, axes...))["sweep-frontier"]
		for _, l := range shapesOf[Line](f.Panels[0]) {
			if l.Paint == ReferenceLine {
				list = append(list, l.Points)
			}
		}
		return list
	}
	interval := results.Axis{Name: "a", Of: "algorithms.batch.interval", Values: []string{"1", "2", "3", "4", "5", "6"}}
	if got := lines(interval); !slices.EqualFunc(got, [][]Point{{{100, 9}, {300, 4}, {500, 1}}}, slices.Equal[[]Point]) {
		t.Errorf("the best are %v", got)
	}
	interval.Values = interval.Values[:3]
	demand := results.Axis{Name: "b", Of: "traffic[0].rate", Values: []string{"1/s", "2/s"}}
	labels := func(axes ...results.Axis) (list []string) {
		f := built(sweepOf(func(cell int) *float64 { return &over[cell] }, axes...))["sweep-frontier"]
		for _, s := range shapesOf[Spot](f.Panels[0]) {
			if s.Label != "" {
				list = append(list, s.Label)
			}
		}
		return list
	}
	if got := labels(interval, demand); !slices.Equal(got, []string{"1/s", "2/s"}) {
		t.Errorf("the labels are %v, want the demands", got)
	}
	if got := lines(interval, demand); !slices.EqualFunc(got, [][]Point{{{100, 9}, {300, 4}, {500, 1}}, {{200, 10}, {400, 4}, {600, 2}}}, slices.Equal[[]Point]) {
		t.Errorf("with two demands, the best are %v", got)
	}
	over[1] = 0 // the first point of the second demand
	if got := labels(interval, demand); !slices.Equal(got, []string{"1/s"}) {
		t.Errorf("the labels are %v, want none at 0", got)
	}
	over[1] = 10
	third := results.Axis{Name: "c", Of: "topology.clients", Values: []string{"2"}}
	fourth := results.Axis{Name: "d", Of: "duration", Values: []string{"2s"}}
	note := built(sweepOf(func(cell int) *float64 { return &over[cell] }, interval, demand, third, fourth))["sweep-frontier"].Note
	if !strings.Contains(note, "for each b, c and d.") {
		t.Errorf("the note is %q", note)
	}
}

// TestRoomForConditions checks that the room before points is as wide as the longest label
// of a condition, wherever its line is, and that labels of settings need none.
func TestRoomForConditions(t *testing.T) {
	for _, c := range []struct {
		conditions []string
		want       int
	}{{[]string{"10/s", "1000/s", "1/s"}, 6}, {[]string{"1000/s", "10/s"}, 6}, {[]string{"10/s", "1000/s"}, 6}, {[]string{"1000/s"}, 0}} {
		points := lists.Map(c.conditions, func(condition string) frontPoint {
			return frontPoint{Point: Point{1, 1}, condition: condition, setting: "1ms"}
		})
		if _, got := fronts(points); got != c.want {
			t.Errorf("%v: room for %d characters, want %d", c.conditions, got, c.want)
		}
	}
}
