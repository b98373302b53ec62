// Package candidates gives a search the settings of a grid as numbered candidates: a
// candidate is a cell of the grid with one of its algorithms. It simulates single
// replications of them, or all replications of a seed.
package candidates

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Options states which candidates there are and how they run.
type Options struct {
	Algorithms []string                           // of the scenario
	Promises   map[string][]scenarios.Expectation // by algorithm
	Least      string                             // the metric that is the cost
	Full       bool                               // a metric is only in the full set
	Free       bool                               // a cost without data is none
	Workers    int                                // trials at a time, at most; 0 means one per core
	Run        sim.Options                        // memory, programs; the other members are set

	jobs.Elsewhere // for long trials
}

// Set holds the candidates of a grid with one scenario, which may stand in it several times
// with other axes. Candidate i*cells+j is cell j with algorithm i. Close the set at the end.
type Set struct {
	grid  *scenarios.Grid
	o     Options
	logs  *sim.Logs
	sums  jobs.Sums
	pace  jobs.Pace
	same  []int
	mu    sync.Mutex
	files map[int]*scenarios.File // of the first candidates that ran
}

// mostFiles limits the bound files that stay in memory, of some kilobytes each. Those of
// further candidates are bound again for each trial.
const mostFiles = 10_000

// New returns the candidates of a grid whose cells are known to be sound.
func New(ctx context.Context, g *scenarios.Grid, o Options) (*Set, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	s := &Set{grid: g, o: o, logs: &sim.Logs{}, files: map[int]*scenarios.File{}}
	s.o.Run.Logs = s.logs
	if err := s.findSame(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close releases the logs.
func (s *Set) Close() { s.logs.Close() }

// Len returns the number of candidates.
func (s *Set) Len() int { return s.grid.Len() * len(s.o.Algorithms) }

// Algorithm returns the algorithm of a candidate.
func (s *Set) Algorithm(candidate int) string { return s.o.Algorithms[candidate/s.grid.Len()] }

// Cell returns the cell of a candidate.
func (s *Set) Cell(candidate int) scenarios.Cell { return s.grid.Cell(candidate % s.grid.Len()) }

// Same returns the first candidate that is the same as a candidate. Candidates are the
// same if they differ by axes that their algorithm does not depend on.
func (s *Set) Same(candidate int) int {
	if s.same == nil {
		return candidate
	}
	return s.same[candidate]
}

// Promises returns what a candidate must keep.
func (s *Set) Promises(candidate int) []search.Promise {
	return lists.Map(s.o.Promises[s.Algorithm(candidate)], func(e scenarios.Expectation) search.Promise {
		return search.Promise{Metric: e.Metric, Op: e.Op, Threshold: e.Threshold}
	})
}

// Seed returns the seed of a trial: that of the file for the search, and the numbers
// after it for fresh seeds. After the largest number comes 0.
func (s *Set) Seed(number int) uint64 { return s.grid.File.Scenarios[0].Seed + uint64(number) }

// Replications returns the replications of a seed.
func (s *Set) Replications() int { return s.grid.File.Scenarios[0].Replications }

// Depends reports whether a candidate depends on an axis of its cell.
func (s *Set) Depends(candidate, axis int) bool {
	c := s.Cell(candidate)
	step := 1 // between cells with neighbouring values on the axis
	for _, a := range c.Scenario.Axes[axis+1:] {
		step *= len(a.Values)
	}
	first := candidate - c.At[axis]*step
	for i := range c.Scenario.Axes[axis].Values {
		if s.Same(first+i*step) != s.Same(candidate) {
			return true
		}
	}
	return len(c.Scenario.Axes[axis].Values) == 1
}

// Setting writes the values that a candidate depends on as YAML.
func (s *Set) Setting(candidate int) string {
	return s.grid.Setting(s.Cell(candidate), func(axis int) bool { return s.Depends(candidate, axis) })
}

// Values returns the values of a candidate by axis, "" where it does not depend on the
// axis. The axes are those of all scenarios.
func (s *Set) Values(candidate int) (values []string) {
	c := s.Cell(candidate)
	for i := range s.grid.File.Scenarios {
		one := &s.grid.File.Scenarios[i]
		for axis := range one.Axes {
			text := ""
			if one == c.Scenario && s.Depends(candidate, axis) {
				text = c.Values()[axis]
			}
			values = append(values, text)
		}
	}
	return values
}

// findSame finds candidates that are the same. With one algorithm in one scenario there
// are none, because the check of a sweep refuses axes that change nothing.
func (s *Set) findSame(ctx context.Context) error {
	if all := s.grid.File.Scenarios; len(all) == 1 && len(all[0].Algorithms) == 1 {
		return nil
	}
	sums := make([][sha256.Size]byte, s.Len())
	all := make([]int, s.Len())
	err := sweep.Parallel(ctx, len(all), s.o.Workers, 0, func(_ context.Context, candidate, _ int, _ int64) error {
		f, err := s.bind(candidate)
		if err == nil {
			sums[candidate] = sha256.Sum256(f.Effective())
		}
		return err
	})
	if err != nil {
		return err
	}
	first := map[[sha256.Size]byte]int{}
	for i, sum := range sums {
		if _, known := first[sum]; !known {
			first[sum] = i
		}
		all[i] = first[sum]
	}
	s.same = all
	return nil
}

// bind returns the file of a candidate: the scenario with the values of the cell, the
// algorithm alone, and its promises as expectations.
func (s *Set) bind(candidate int) (*scenarios.File, error) {
	f, problems := s.grid.Bind(s.Cell(candidate))
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	one := &f.Scenarios[0]
	name := s.Algorithm(candidate)
	one.Algorithms = slices.DeleteFunc(slices.Clone(one.Algorithms), func(a scenarios.Algorithm) bool { return a.Name != name })
	one.Expect, one.Full = s.o.Promises[name], one.Full || s.o.Full
	return f, nil
}

// Text returns the scenario file of a candidate.
func (s *Set) Text(candidate int) ([]byte, error) {
	f, err := s.bind(candidate)
	if err != nil {
		return nil, err
	}
	return f.Effective(), nil
}

// file returns the bound file of a candidate, which must not be changed.
func (s *Set) file(candidate int) (*scenarios.File, error) {
	s.mu.Lock()
	f := s.files[candidate]
	s.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := s.bind(candidate)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.files) < mostFiles {
		s.files[candidate] = f
	}
	return f, nil
}

// Try runs trials in parallel.
func (s *Set) Try(ctx context.Context, trials []search.Trial) ([]search.Outcome, error) {
	outcomes := make([]search.Outcome, len(trials))
	if s.o.Queue != nil && len(trials) > 1 && !s.pace.Known() { // the first trial shows how long they take
		var err error
		if outcomes[0], err = s.run(ctx, trials[0], s.o.Workers, s.o.Run.Memory); err != nil {
			return nil, err
		}
		rest, err := s.Try(ctx, trials[1:])
		return append(outcomes[:1], rest...), err
	}
	if s.o.Queue != nil && s.pace.Worth(len(trials)) {
		return outcomes, s.tryElsewhere(ctx, trials, outcomes)
	}
	err := sweep.Parallel(ctx, len(trials), s.o.Workers, s.o.Run.Memory, func(ctx context.Context, i, workers int, memory int64) (err error) {
		outcomes[i], err = s.run(ctx, trials[i], workers, memory)
		return err
	})
	return outcomes, err
}

// trial returns the file of a trial.
func (s *Set) trial(t search.Trial) (*scenarios.File, error) {
	bound, err := s.file(t.Candidate)
	if err != nil {
		return nil, err
	}
	f, one := *bound, bound.Scenarios[0]
	one.Seed = s.Seed(t.Seed)
	f.Seed, f.Scenarios = one.Seed, []scenarios.Scenario{one}
	return &f, nil
}

// run runs one trial.
func (s *Set) run(ctx context.Context, t search.Trial, workers int, memory int64) (search.Outcome, error) {
	f, err := s.trial(t)
	if err != nil {
		return search.Outcome{}, err
	}
	o := s.o.Run
	o.Workers, o.Memory = workers, memory
	if t.Replication != search.Whole {
		o.Only = t.Replication + 1
	}
	began := time.Now()
	d, err := sim.Run(ctx, f, o)
	s.pace.Ran(time.Since(began))
	if err != nil {
		if _, invalid := err.(*sim.Invalid); !invalid {
			err = fmt.Errorf("%s, %s: %w", s.Algorithm(t.Candidate), s.Cell(t.Candidate), err)
		}
		return search.Outcome{}, err
	}
	return s.outcome(d, t), nil
}

// outcome reads the figures of a document.
func (s *Set) outcome(d *results.Document, t search.Trial) (o search.Outcome) {
	name := s.Algorithm(t.Candidate)
	row := d.Results[slices.IndexFunc(d.Results, func(r results.Result) bool { return r.Algorithm == name && !r.Reference })]
	o.Exact = row.Exact
	figure := func(metric string) float64 {
		f := row.Summary(metric)
		if f.Mean == nil {
			o.NoData = cmp.Or(o.NoData, metric+" has no data: "+f.Reason)
			return 0
		}
		return *f.Mean
	}
	if cost := row.Summary(s.o.Least); cost.Mean != nil || !s.o.Free {
		o.Cost = figure(s.o.Least)
	}
	o.Figures = lists.Map(s.o.Promises[name], func(e scenarios.Expectation) float64 { return figure(e.Metric) })
	missed := d.Scenarios[0].Missed(row)
	if len(missed) > 0 && t.Replication == search.Whole { // it can touch something in another replication
		o.NoData = cmp.Or(o.NoData, missed[0].Text+" touched nothing")
	}
	return o
}
