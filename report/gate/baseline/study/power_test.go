package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/gate/baseline"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// figure is one figure of a world's documents.
type figure struct {
	row    int // of Results
	metric string
	noise  float64 // standard deviation of its difference between two runs with other draws
}

// figures returns the figures for which less is better and that vary with the
// limiters' draws.
func (w *world) figures() (list []figure) {
	for row, r := range w.shifted[0].Results {
		if r.Reference || r.Exact {
			continue
		}
		for _, name := range catalog.Headline() {
			if catalog.Find(measure.Metrics(), name).Better >= 0 || r.Metrics[name].Mean == nil {
				continue
			}
			var squares, n float64
			for i := range len(w.shifted) - 1 {
				for _, x := range w.difference(i, i+1, row, name) {
					squares += x * x
					n++
				}
			}
			if squares > 0 {
				list = append(list, figure{row, name, math.Sqrt(squares / n)})
			}
		}
	}
	return list
}

// difference returns the differences of a figure between two documents.
func (w *world) difference(from, to, row int, metric string) (d []float64) {
	x, y := w.shifted[from].Results[row].Metrics[metric].Replicates(), w.shifted[to].Results[row].Metrics[metric].Replicates()
	for i := range x {
		d = append(d, y[i]-x[i])
	}
	return d
}

// changes are the kinds of a change of the program, by the rows whose draws it
// shifts beside making one figure worse.
var changes = []struct {
	name     string
	selected func(target, other results.Result) bool
}{
	{"its own row", func(t, r results.Result) bool { return r.Algorithm == t.Algorithm && r.Scenario == t.Scenario }},
	{"its algorithm in all scenarios", func(t, r results.Result) bool { return r.Algorithm == t.Algorithm }},
	{"all rows", func(_, r results.Result) bool { return true }},
}

// caught is how often a change of the stated size was caught, by figure.
type caught struct {
	change   string
	p80, p99 []float64
}

// statedPower takes the stated smallest changes of one gate, makes the figure worse
// by as much in another run against the same baseline, and counts how often that
// gate fails for it.
func statedPower(w *world, figures []figure, trials int) []caught {
	var list []caught
	for _, change := range changes {
		c := caught{change: change.name, p80: make([]float64, len(figures)), p99: make([]float64, len(figures))}
		side(len(figures), func(i int) {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for range trials {
				order := r.Perm(len(w.shifted))
				base := w.shifted[order[0]]
				selected := func(other results.Result) bool { return change.selected(base.Results[figures[i].row], other) }
				stated := cellOf(base, mixed(base, w.shifted[order[1]], selected), figures[i], true).Caught
				next := mixed(base, w.shifted[order[2]], selected)
				for _, at := range []struct {
					size float64
					to   *float64
				}{{stated.P80, &c.p80[i]}, {stated.P99, &c.p99[i]}} {
					if cellOf(base, raised(next, figures[i], at.size), figures[i], false).Status == gate.Failed {
						*at.to += 1 / float64(trials)
					}
				}
			}
		})
		list = append(list, c)
	}
	return list
}

// cellOf compares two documents and returns the cell of one figure.
func cellOf(base, now *results.Document, f figure, power bool) baseline.Cell {
	c, err := baseline.Compare(base, now, baseline.Options{Registry: measure.Metrics()})
	if err != nil {
		panic(err) // the documents are of one file
	}
	row := base.Results[f.row]
	for i, cell := range c.Cells {
		if cell.Scenario == row.Scenario && cell.Algorithm == row.Algorithm && cell.Metric.Name == f.metric {
			if power {
				c.MeasurePower(i)
			}
			return c.Cells[i]
		}
	}
	panic("no cell of " + row.Algorithm)
}

// gain is the smallest change that is caught with 80 %, in units of the noise, by
// the test that gates used before and by that of today.
type gain struct {
	change      string
	before, now []float64 // by figure; +Inf if no change is caught
}

// gains finds for each trial the smallest change that is significant, and takes the
// 80th percentile over the trials.
func gains(w *world, figures []figure, trials int) []gain {
	all := w.figures()
	var list []gain
	for _, change := range changes {
		g := gain{change: change.name, before: make([]float64, len(figures)), now: make([]float64, len(figures))}
		side(len(figures), func(i int) {
			r := rand.New(rand.NewPCG(uint64(i), 2))
			target := w.shifted[0].Results[figures[i].row]
			var before, now []float64
			for range trials {
				order := r.Perm(len(w.shifted))
				var differences [][]float64
				at := 0
				for _, f := range all {
					if !change.selected(target, w.shifted[0].Results[f.row]) {
						continue
					}
					if f.row == figures[i].row && f.metric == figures[i].metric {
						at = len(differences)
					}
					differences = append(differences, w.difference(order[0], order[1], f.row, f.metric))
				}
				before = append(before, smallest(differences, at, figures[i].noise, significantBefore))
				now = append(now, smallest(differences, at, figures[i].noise, significantNow))
			}
			g.before[i], g.now[i] = quantile(before, 0.8), quantile(now, 0.8)
		})
		list = append(list, g)
	}
	return list
}

// smallest returns the smallest shift of one figure that is significant, in units
// of its noise, to a tenth, or +Inf if it is above 10.
func smallest(differences [][]float64, at int, noise float64, significant func([][]float64, int) bool) float64 {
	plain := differences[at]
	is := func(tenths int) bool {
		moved := make([]float64, len(plain))
		for i, d := range plain {
			moved[i] = d + float64(tenths)/10*noise
		}
		differences[at] = moved
		defer func() { differences[at] = plain }()
		return significant(differences, at)
	}
	lo, hi := -1, 100
	if !is(hi) {
		return math.Inf(1)
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; is(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return float64(hi) / 10
}

func quantile(values []float64, share float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[min(len(values)-1, int(share*float64(len(values))))]
}

func powerTable(list []caught) string {
	text := "| the change shifts the draws of | figures | caught at the stated 80 % | least, quartiles, most | caught at the stated 99 % | least, quartiles, most |\n| --- | ---: | ---: | --- | ---: | --- |\n"
	for _, c := range list {
		text += fmt.Sprintf("| %s | %d | %.0f %% | %s | %.0f %% | %s |\n", c.change, len(c.p80), 100*stats.Mean(c.p80), five(c.p80), 100*stats.Mean(c.p99), five(c.p99))
	}
	return text
}

func five(values []float64) string {
	at := func(share float64) float64 { return 100 * quantile(values, share) }
	return fmt.Sprintf("%.0f, %.0f, %.0f, %.0f, %.0f %%", at(0), at(0.25), at(0.5), at(0.75), at(1))
}

func gainTable(list []gain) string {
	text := "| the change shifts the draws of | before: Holm, median | now: joint, median | ratio |\n| --- | ---: | ---: | ---: |\n"
	for _, g := range list {
		before, now := quantile(g.before, 0.5), quantile(g.now, 0.5)
		ratio := "0"
		if !math.IsInf(before, 1) {
			ratio = fmt.Sprintf("%.2f", now/before)
		}
		text += fmt.Sprintf("| %s | %s | %s | %s |\n", g.change, size(before), size(now), ratio)
	}
	return text
}

func size(x float64) string {
	if math.IsInf(x, 1) {
		return "none is caught"
	}
	return fmt.Sprintf("%.1f", x)
}
