package baseline

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Cell is one figure compared with its baseline.
type Cell struct {
	Row
	Metric    catalog.Metric
	Status    gate.Status // Failed, Improved, Unchanged, Passed or Unevaluated
	Reason    string      // why there is no verdict
	Effect    Effect      // the smallest change that counts; of a cell to be proven not worse, the largest that passes
	Seed      uint64      // of the run; of the baseline if the run lacks the scenario
	Base, Now *float64    // means; nil without one
	P         *float64    // corrected, for the direction of the change; nil for deterministic values
	Needed    int         // the number of replications that the cell needs for a verdict; 0 if it has enough, or none is
	Caught    *Caught     // nil if the cell could not be judged

	margin    *margin       // nil unless the cell is to be proven not worse
	change    *stats.Change // nil if a document has no value
	base, now stats.Sample  // of the change
	critical  float64       // t from which the change is significant
	usual     float64       // the same without the promise for a fixed baseline
	level     float64       // of the test
	jointly   bool          // with other figures
	rule      stats.Rule    // for which Caught is computed
	planned   stats.Noise
}

// Row identifies a row of a document.
type Row struct {
	Scenario, Policy, Algorithm string
	Reference                   bool
}

func rowOf(r results.Result) Row { return Row{r.Scenario, r.Policy, r.Algorithm, r.Reference} }

// collect returns the gated cells: those of the baseline in its order, then those
// that only the run has. It leaves out and counts the figures without data on both
// sides, and leaves out and names those that one side may lack by chance.
func collect(base, now *results.Document, metrics []catalog.Metric, o Options) (cells []Cell, empty int, rare []string, seen map[string]bool) {
	stated, proven := margins(base, now)
	var order []Row
	rows := map[Row]*[2]*results.Result{} // of base and now
	for side, doc := range []*results.Document{base, now} {
		for _, s := range doc.Scenarios {
			for _, r := range doc.Rows(s.Name) {
				row := rowOf(r)
				if r.Reference && !o.References && stated[row] == nil {
					continue
				}
				if rows[row] == nil {
					rows[row] = new([2]*results.Result)
					order = append(order, row)
				}
				rows[row][side] = &r
			}
		}
	}
	for _, row := range proven {
		if rows[row] == nil { // neither document has it
			rows[row] = new([2]*results.Result)
			order = append(order, row)
		}
	}
	seeds := map[string]uint64{}
	paired := map[string]bool{}
	for _, s := range base.Scenarios { // some of which the run may lack
		seeds[s.Name] = s.Seed
	}
	for _, s := range now.Scenarios {
		seeds[s.Name] = s.Seed
		paired[s.Name] = len(pairs.Seeds(base, now)) == 0 && pairs.Unpaired(base, now, s.Name) == ""
	}
	seen = map[string]bool{}
	for _, row := range order {
		for _, metric := range o.metricsOf(row, metrics, stated[row]) {
			c := Cell{Row: row, Metric: metric, Effect: o.Effects.For(metric), Seed: seeds[row.Scenario], margin: o.margin(stated[row], metric)}
			if c.margin != nil {
				c.Effect = c.margin.Effect
			}
			a, b := rows[row][0], rows[row][1]
			known := c.fill(a, b, paired[row.Scenario], now.Partial)
			repeated := paired[row.Scenario] && a != nil && b != nil && pairs.Repeated(base, now, *a, *b)
			if c.change != nil && c.margin == nil {
				c.compareDirectly(repeated, o.Effects)
			}
			if !known {
				empty++
				continue
			}
			seen[metric.Name] = true
			if few := c.rare(a, b, paired[row.Scenario]); few != "" && !repeated && c.margin == nil {
				rare = append(rare, few)
				continue
			}
			cells = append(cells, c)
		}
	}
	return cells, empty, rare, seen
}

// rare returns a sentence if the figure was observed in at most one replication of one
// side, of which nothing can be tested, and in so few of the other that no test could tell
// the two apart. Otherwise it returns "".
func (c *Cell) rare(base, now *results.Result, paired bool) string {
	if c.change != nil || c.margin != nil || base == nil || now == nil || base.Exact || now.Exact {
		return ""
	}
	a, b := base.Summary(c.Metric.Name), now.Summary(c.Metric.Name)
	if a.Pooled != results.PooledRatio && b.Pooled != results.PooledRatio {
		return ""
	}
	_, before := a.Observations()
	_, after := b.Observations()
	needed := stats.RunsChanged(base.Replications, now.Replications, Alpha*unluckyBaselines, c.twoSided())
	if paired {
		needed = stats.PairsNeeded(Alpha, c.twoSided())
	}
	if min(before, after) > 1 || max(before, after) >= needed {
		return ""
	}
	return fmt.Sprintf("%s/%s/%s is not gated: %d of %d replications of the baseline have data and %d of %d of the run, which may be chance",
		c.Scenario, c.Algorithm, c.Metric.Name, before, base.Replications, after, now.Replications)
}

// compareDirectly drops chance from the comparison if the replications of the run repeat
// those of the baseline, or no random draw affects either: then any change counts, unless
// the effects state which.
func (c *Cell) compareDirectly(repeated bool, effects Effects) {
	if repeated {
		change := c.change.Directly()
		c.change = &change
	}
	if _, stated := effects.stated(c.Metric); c.change.Method == stats.Deterministic && !stated {
		c.Effect = Effect{}
	}
}

// fill compares the figures of two rows, or records why it cannot. It returns
// false if neither side has the figure and nothing states what it may be.
func (c *Cell) fill(base, now *results.Result, paired, interrupted bool) bool {
	var a, b results.Summary
	if base != nil {
		a = base.Summary(c.Metric.Name)
	}
	if now != nil {
		b = now.Summary(c.Metric.Name)
	}
	if paired && base != nil && now != nil {
		a, b = pairs.Partners(*base, *now, a, b)
	}
	c.Base, c.Now = a.Mean, b.Mean
	switch {
	case a.Mean == nil && b.Mean == nil && (c.margin == nil || !c.margin.stated):
		return false
	case now == nil && base == nil && interrupted:
		c.Reason = "no result: the run was interrupted before it"
	case now == nil && base == nil:
		c.Reason = "no result for this algorithm"
	case now == nil && interrupted:
		c.Reason = "the run has no such row: it was interrupted"
	case now == nil:
		c.Reason = "the baseline has this row, the run has not"
	case base == nil:
		c.Reason = "the baseline has no such row: it is new, and the baseline must be updated"
	case a.Mean == nil:
		c.Reason = "no data in the baseline: " + a.Reason
	case b.Mean == nil:
		c.Reason = "no data in the run: " + b.Reason
	}
	if c.Reason != "" {
		return true
	}
	x, xErr := pairs.Sample(*base, a)
	y, yErr := pairs.Sample(*now, b)
	switch {
	case xErr != nil:
		c.Reason = "the figure of the baseline " + xErr.Error()
	case yErr != nil:
		c.Reason = "the figure of the run " + yErr.Error()
	default:
		change := stats.Compare(x, y, paired)
		c.change, c.base, c.now = &change, x, y
		if a.Pooled != results.PooledLargest { // whose change is that of the mean
			c.Base, c.Now = &change.Base, &change.Now
		}
	}
	return true
}
