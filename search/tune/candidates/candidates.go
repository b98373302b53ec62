// Package candidates gives a search the settings of a grid as numbered candidates: a
// candidate is a cell of the grid with one of its algorithms, in each of the scenarios that
// it must serve. It simulates single replications of them, or all replications of a seed.
//
// The package makes no promise: it can change at any time.
package candidates

import (
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"sync"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim"
)

// Options states which candidates there are and how they run.
type Options struct {
	Algorithms []string    // that all scenarios compare
	Scenarios  int         // parts of the grid with one scenario each; 0 means 1
	Promises   Promises    // of each algorithm in each scenario
	Least      string      // the metric that is the cost: the mean of the scenarios
	Worst      bool        // the cost is that of the scenario with the largest
	Full       bool        // a metric is only in the full set
	Free       bool        // a cost without data is none
	Workers    int         // trials at a time, at most; 0 means one per core
	Run        sim.Options // memory, programs; the other members are set

	jobs.Elsewhere // for long trials
}

// Promises holds what algorithms must keep, by scenario and algorithm.
type Promises map[string]map[string][]scenarios.Expectation

// Set holds the candidates of a grid. The grid has a part for each scenario, with cells in
// the same order; within a part the scenario may stand several times, with other axes.
// Candidate i*cells+j is cell j of each part with algorithm i. Close the set at the end.
type Set struct {
	grid  *scenarios.Grid
	o     Options
	logs  *sim.Logs
	sums  jobs.Sums
	pace  jobs.Pace
	same  []int
	mu    sync.Mutex
	files map[int]*scenarios.File // of the first runs
}

// mostFiles limits the bound files that stay in memory, of some kilobytes each. Those of
// further candidates are bound again for each trial.
const mostFiles = 10_000

// New returns the candidates of a grid whose cells are known to be sound.
func New(ctx context.Context, g *scenarios.Grid, o Options) (*Set, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Scenarios = max(1, o.Scenarios)
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

// cells returns the number of cells of a scenario.
func (s *Set) cells() int { return s.grid.Len() / s.o.Scenarios }

// Len returns the number of candidates.
func (s *Set) Len() int { return s.cells() * len(s.o.Algorithms) }

// Algorithm returns the algorithm of a candidate.
func (s *Set) Algorithm(candidate int) string { return s.o.Algorithms[candidate/s.cells()] }

// Cells returns the cells of a candidate, one of each scenario.
func (s *Set) Cells(candidate int) []scenarios.Cell {
	list := make([]scenarios.Cell, s.o.Scenarios)
	for i := range list {
		list[i] = s.grid.Cell(i*s.cells() + candidate%s.cells())
	}
	return list
}

// Same returns the first candidate that is the same as a candidate. Candidates are the
// same if they differ by axes that their algorithm does not depend on.
func (s *Set) Same(candidate int) int {
	if s.same == nil {
		return candidate
	}
	return s.same[candidate]
}

// Promises returns what a candidate must keep, in the order of the scenarios.
func (s *Set) Promises(candidate int) (list []search.Promise) {
	for _, c := range s.Cells(candidate) {
		for _, e := range s.o.Promises[c.Scenario.Name][s.Algorithm(candidate)] {
			list = append(list, search.Promise{Scenario: c.Scenario.Name, Metric: e.Metric, Op: e.Op, Threshold: e.Threshold})
		}
	}
	return list
}

// Replications returns the replications of a seed: the most that a scenario has.
func (s *Set) Replications() int {
	most := 0
	for i := range s.grid.File.Scenarios {
		most = max(most, s.grid.File.Scenarios[i].Replications)
	}
	return most
}

// Depends reports whether a candidate depends on an axis of its cell.
func (s *Set) Depends(candidate, axis int) bool {
	c := s.Cells(candidate)[0]
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
	return s.grid.Setting(s.Cells(candidate), func(axis int) bool { return s.Depends(candidate, axis) })
}

// Values returns the values of a candidate by axis, "" where it does not depend on the
// axis. The axes are those of a part of the grid.
func (s *Set) Values(candidate int) (values []string) {
	c := s.Cells(candidate)[0]
	part := s.grid.File.Scenarios[:len(s.grid.File.Scenarios)/s.o.Scenarios]
	for i := range part {
		one := &part[i]
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
		text, err := s.Text(candidate)
		sums[candidate] = sha256.Sum256(text)
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

// bind returns the file of a cell: the scenario with the values of the cell, an algorithm
// alone, and its promises as expectations.
func (s *Set) bind(c scenarios.Cell, algorithm string) (*scenarios.File, error) {
	f, problems := s.grid.Bind(c)
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	one := &f.Scenarios[0]
	one.Algorithms = slices.DeleteFunc(slices.Clone(one.Algorithms), func(a scenarios.Algorithm) bool { return a.Name != algorithm })
	one.Expect, one.Full, one.Replications = s.o.Promises[one.Name][algorithm], one.Full || s.o.Full, s.Replications()
	return f, nil
}

// Text returns the scenario file of a candidate, with all its scenarios.
func (s *Set) Text(candidate int) ([]byte, error) {
	var whole *scenarios.File
	for _, c := range s.Cells(candidate) {
		f, err := s.bind(c, s.Algorithm(candidate))
		if err != nil {
			return nil, err
		}
		if whole == nil {
			whole = f
		} else {
			whole.Scenarios = append(whole.Scenarios, f.Scenarios...)
		}
	}
	return whole.Effective(), nil
}

// file returns the bound file of a run, which must not be changed.
func (s *Set) file(r run) (*scenarios.File, error) {
	key := r.Candidate*s.o.Scenarios + r.scenario
	s.mu.Lock()
	f := s.files[key]
	s.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := s.bind(s.cell(r), s.Algorithm(r.Candidate))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.files) < mostFiles {
		s.files[key] = f
	}
	return f, nil
}
