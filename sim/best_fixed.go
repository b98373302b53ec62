package sim

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// grid searches the fixed limit on concurrency with the most good answers of a scenario's
// backend, over all replications together. A plan without one has a nil grid.
type grid struct {
	plan   *plan
	row    row // of any fixed limit
	points []point
}

// point is a limit with its trials, by replication.
type point struct {
	limit  int64
	trials []*measured
}

// gridSize is the number of limits that are tried first, and then at most.
const gridSize = 16

// newGrid returns the grid of a plan, or nil if its backend has no deadline that the times
// of requests can tell, or else if a limit on concurrency cannot run in it, and why.
func newGrid(p *plan) (g *grid, why string) {
	s := p.scenario
	if s.Guard == nil || s.Guard.Deadline == 0 || s.Guard.Deadline < p.resolution() {
		return nil, ""
	}
	if err := limiters.Check(p.checked, limiters.FixedConcurrency(1)); err != nil {
		return nil, err.Error()
	}
	reference := p.rows[0]
	return &grid{plan: p, row: row{name: results.BestFixed, draws: reference.draws, random: reference.random, against: reference.name}}, ""
}

// searchGrids runs the fixed limits of all plans that have a grid: limits at equal ratios,
// then those between the neighbours of the best.
func searchGrids(ctx context.Context, plans []*plan, o Options) error {
	o.Details, o.Until = Details{}, nil
	for _, limits := range []func(*grid) []int64{(*grid).first, (*grid).second} {
		var jobs []*job
		for _, p := range plans {
			if p.grid != nil {
				jobs = append(jobs, p.grid.jobs(limits(p.grid), o)...)
			}
		}
		own := o
		own.Workers = fit(jobs, o)
		if err := runJobs(ctx, jobs, own); err != nil {
			for _, p := range plans {
				p.grid = nil
			}
			return err
		}
		for _, j := range jobs {
			for i, m := range j.measured {
				point := &j.plan.grid.points[j.points[i]]
				point.trials[j.replication+j.plan.grid.before()] = m
			}
		}
	}
	for _, p := range plans {
		if g := p.grid; g != nil && g.points[g.index(g.best())].stuck() {
			p.grid = nil
		}
	}
	return nil
}

// first returns whole numbers at equal ratios, from 1 to twice the requests that the
// servers can answer in time, or twice the servers where a mean service is already late.
func (g *grid) first() (limits []int64) {
	guard := g.plan.scenario.Guard
	service := max(1, engine.MeanService(guard))
	most := 2 * float64(guard.Concurrency) * float64(max(guard.Deadline, service)) / float64(service)
	for i := range gridSize {
		limits = append(limits, max(1, min(1_000_000, int64(math.Round(math.Pow(most, float64(i)/(gridSize-1)))))))
	}
	return lists.Distinct(limits)
}

// second returns whole numbers between the neighbours of the best limit, without them and
// without it.
func (g *grid) second() (limits []int64) {
	best := g.best()
	at := g.index(best)
	below, above := g.points[max(at-1, 0)].limit, g.points[min(at+1, len(g.points)-1)].limit
	step := max(1, (above-below+gridSize)/(gridSize+1))
	for limit := below + step; limit < above; limit += step {
		if limit != best {
			limits = append(limits, limit)
		}
	}
	return limits
}

// runs returns the number of replications over which the limit is the best: all of the
// scenario, also if only one of them is run.
func (g *grid) runs() int {
	switch p := g.plan; {
	case !g.row.random:
		return 1
	case p.only:
		return max(p.scenario.Replications, p.first+1)
	default:
		return p.replications
	}
}

// before returns the number of replications before the first that the plan runs.
func (g *grid) before() int {
	if !g.row.random {
		return 0
	}
	return g.plan.first
}

// jobs returns the jobs of further limits, to which it adds points.
func (g *grid) jobs(limits []int64, o Options) (jobs []*job) {
	p := g.plan
	start := len(g.points)
	for _, limit := range limits {
		g.points = append(g.points, point{limit, make([]*measured, g.runs())})
	}
	all := make([]int, len(limits))
	for i := range all {
		all[i] = start + i
	}
	size := gridSize
	if o.Workers > 1 && g.runs() < o.Workers {
		size = (gridSize + o.Workers - 1) / o.Workers
	}
	for replication := range g.runs() {
		for part := range slices.Chunk(all, size) {
			rows := lists.Map(part, func(i int) row {
				r := g.row
				r.algorithm = limiters.FixedConcurrency(g.points[i].limit)
				return r
			})
			jobs = append(jobs, &job{plan: p, replication: replication - g.before(), rows: rows, points: part})
		}
	}
	return jobs
}

func (g *grid) index(limit int64) int {
	return slices.IndexFunc(g.points, func(p point) bool { return p.limit == limit })
}

// stuck reports whether workers did not get on under a limit: it refuses calls, and they
// call again at once.
func (p point) stuck() bool {
	return slices.ContainsFunc(p.trials, func(m *measured) bool { return m.stuck })
}

// good returns the good answers of all trials, none if workers did not get on.
func (p point) good() (n int64) {
	if p.stuck() {
		return 0
	}
	for _, m := range p.trials {
		n += m.answers.Good
	}
	return n
}

// best returns the limit with the most good answers, the least of equal ones.
func (g *grid) best() int64 {
	limit, _ := results.BestOf(g.counts())
	return limit
}

// counts returns each limit and its good answers, in the order of limits.
func (g *grid) counts() [][2]int64 {
	slices.SortFunc(g.points, func(a, b point) int { return cmp.Compare(a.limit, b.limit) })
	return lists.Map(g.points, func(p point) [2]int64 { return [2]int64{p.limit, p.good()} })
}

// with returns the rows of a plan and the trials of the best fixed limit, behind the other
// references.
func (g *grid) with(rows []row, trials map[string][]*measured) []row {
	if g == nil || len(g.points) == 0 {
		return rows
	}
	limit := g.best()
	best := g.row
	best.reference, best.algorithm = true, limiters.FixedConcurrency(limit)
	trials[best.name] = g.points[g.index(limit)].trials[g.before():]
	if g.plan.only {
		trials[best.name] = trials[best.name][:1]
	}
	for _, r := range rows {
		for i, m := range trials[r.name] {
			if m != nil {
				g.compare(m, trials[best.name][min(i, len(trials[best.name])-1)])
			}
		}
	}
	for _, m := range trials[best.name] {
		g.compare(m, m)
	}
	at := slices.IndexFunc(rows, func(r row) bool { return !r.reference })
	if at < 0 {
		at = len(rows)
	}
	return slices.Insert(slices.Clone(rows), at, best)
}

// compare sets the figures of a trial relative to the best fixed limit.
func (g *grid) compare(m, best *measured) {
	p := g.plan
	values := measure.Against(m.answers, best.answers, p.scenario.Retry() || p.workers(), p.recoveries(), p.start, p.end)
	for i := range m.figures {
		if v, ok := values[m.figures[i].Name]; ok {
			m.figures[i].Value = v
		}
	}
}

// describe sorts the points and returns what the document says of the search.
func (g *grid) describe() *results.BestFixedLimit {
	if g == nil || len(g.points) == 0 {
		return nil
	}
	b := &results.BestFixedLimit{Grid: g.counts()}
	b.Theory = limiters.BestFixed(g.plan.scenario, g.points[len(g.points)-1].limit)
	b.Limit, b.Within1Pct = results.BestOf(b.Grid)
	return b
}

// recoveries returns when the load of the backend changes inside the span: a slow period
// ends, a rate jumps, or an entry of the traffic starts or ends.
func (p *plan) recoveries() (at []int64) {
	for _, s := range p.scenario.Guard.Slow {
		at = append(at, s.To)
	}
	for _, s := range p.traffic.Steps() {
		at = append(at, s.At)
	}
	for _, t := range p.scenario.Traffic {
		at = append(at, t.From, t.To)
	}
	slices.Sort(at)
	return lists.Distinct(lists.Where(at, func(t int64) bool { return t > p.start && t < p.end }))
}
