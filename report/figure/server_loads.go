package figure

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// serverLoads shows the calls per second to each server, one panel for each
// algorithm, from the busiest server to the one with the least to do, with the mean
// as a line. There is a picture if servers of some algorithm are unequally busy.
// serverLoads returns nil if no algorithm has several servers.
func serverLoads(part *results.Document, m Medium) *Figure {
	all := slices.DeleteFunc(slices.Clone(part.ServerLoads), func(l results.ServerLoads) bool { return len(l.Servers) < 2 })
	seconds := float64(part.Scenarios[0].EndNs-part.Scenarios[0].StartNs) / 1e9
	if len(all) == 0 || seconds <= 0 {
		return nil
	}
	referenceFirst(part, all, func(l results.ServerLoads) string { return l.Algorithm })
	all, more := atMost(all, m.panels())
	top, most, even := 1/seconds, 0, true
	heights, means := make([][]float64, len(all)), make([]float64, len(all))
	for i, one := range all {
		heights[i], means[i] = callsPerSecond(one, seconds)
		top, most = max(top, heights[i][0]), max(most, len(heights[i]))
		even = even && heights[i][0] < uneven*means[i]
	}
	f := &Figure{
		Title:    "What each server had to do",
		Subtitle: "first replication" + more,
		Note:     "Calls per second of the measured span to each server of the limiter, the busiest first. All panels have the same axes.",
		Legend:   []Entry{{"calls", Admitted, Area}, {"mean of all servers", FairShare, LineSample}},
		Shared:   true, Columns: min(4, shareColumns(len(all))), Width: 360, Height: 180, PageOnly: even,
	}
	for i, one := range all {
		p := Panel{
			Title: one.Algorithm + firstText(part, one.Algorithm, "server_load_max_over_mean", ": max/mean "),
			Alt:   fmt.Sprintf("%s: calls per second to each of %s, the busiest first, with their mean", one.Algorithm, format.Count(len(heights[i]), "server")),
			X:     Axis{Label: "servers, the busiest first", Hi: float64(most)},
			Y:     Axis{Label: "calls/s", Hi: 1.05 * top, Grid: true},
		}
		p.X.Ticks = serverTicks(most)
		p.Y.tick(5)
		p.Marks = []Mark{
			{Shapes: serverBars(heights[i], most)},
			{Shapes: []Shape{Line{FairShare, []Point{{0, means[i]}, {float64(len(heights[i])), means[i]}}}}},
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// mostBars is the most servers of a panel that have bars of their own.
const mostBars = 60

// serverBars returns a bar for each server, with gaps between them; without gaps where
// they would be thinner than these.
func serverBars(heights []float64, most int) (bars []Shape) {
	if most > mostBars {
		return []Shape{Steps{Admitted, 1, heights}}
	}
	for i, h := range heights {
		left, right := float64(i)+0.12, float64(i)+0.88
		bars = append(bars, Polygon{Admitted, []Point{{left, 0}, {left, h}, {right, h}, {right, 0}}})
	}
	return bars
}

// serverTicks numbers the servers below the middles of some of their bars.
func serverTicks(servers int) (ticks []Tick) {
	step := (servers + 7) / 8
	for i := 1; i <= servers; i += step {
		ticks = append(ticks, Tick{Value: float64(i) - 0.5, Label: fmt.Sprint(i)})
	}
	return ticks
}

// callsPerSecond returns the calls per second to each listed server, largest first,
// and the mean over all servers, also those that are not listed.
func callsPerSecond(l results.ServerLoads, seconds float64) (heights []float64, mean float64) {
	sum, servers := 0.0, len(l.Servers)
	for _, s := range l.Servers {
		heights = append(heights, float64(s.Calls)/seconds)
		sum += float64(s.Calls)
	}
	slices.SortFunc(heights, func(a, b float64) int { return cmp.Compare(b, a) })
	if l.Others != nil {
		sum += float64(l.Others.Calls)
		servers += l.Others.Servers
	}
	return heights, sum / seconds / float64(servers)
}
