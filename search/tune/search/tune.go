// Package search searches a grid of settings for the cheapest one that keeps a promise.
// It knows settings as numbered candidates alone, and their figures from a Problem.
//
// A seed is one run with all its replications. A candidate keeps the promise on a seed
// if the means over these replications do. The search looks at single replications of
// one seed, the same for all candidates. It then holds candidates, from the cheapest up,
// to the promise on fresh seeds, which decide.
//
// The result is a pure function of the problem and the options: which trials run never
// depends on how fast they are.
//
// The package makes no promise: it can change at any time.
package search

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/report/gate"
)

// Problem gives the figures of candidates, which are numbered from 0.
type Problem interface {
	// Promises returns what a candidate must keep: at least one promise.
	Promises(candidate int) []Promise
	// Try runs trials and returns their outcomes in the same order.
	Try(ctx context.Context, trials []Trial) ([]Outcome, error)
}

// Promise is a threshold of a metric.
type Promise struct {
	Scenario  string // in which it must hold
	Metric    string
	Op        string // <= < >= > ==
	Threshold float64
}

// figure names what the promise is about.
func (p Promise) figure() string { return p.Metric + " in " + p.Scenario }

// Keeps reports whether a figure meets the promise.
func (p Promise) Keeps(figure float64) bool { return gate.Holds(p.Op, figure, p.Threshold) }

// Margin returns by how much a figure is inside the promise, in the metric's unit, below
// 0 if it is outside.
func (p Promise) Margin(figure float64) float64 {
	switch p.Op {
	case "<=", "<":
		return p.Threshold - figure
	case ">=", ">":
		return figure - p.Threshold
	}
	return -math.Abs(figure - p.Threshold)
}

// Trial tries a candidate in all scenarios: one replication of a seed, or all of them.
type Trial struct {
	Candidate   int
	Seed        int // 0 is the seed of the search; fresh seeds count from 1
	Replication int // from 0; Whole means all replications of the seed
}

// Whole is the Replication of a trial with all replications of its seed.
const Whole = -1

// Outcome holds the figures of a trial: means over its replications.
type Outcome struct {
	Cost    float64
	Figures []float64 // by promise
	NoData  string    // why a figure is missing; "" if none is
	Exact   bool      // deterministic: every seed and replication gives these figures
}

// Options states where to search and how long.
type Options struct {
	// Axes are the numbers of values of the axes. A family has a candidate for each
	// combination of values; those of the last axis change first. The candidates of the
	// second family follow those of the first.
	Axes     []int
	Families int
	// Parts are the numbers of candidates of parts, in order, which also get an answer each.
	// Of candidates that cost alike, the first is then preferred.
	Parts []int
	// Same returns the first candidate that is the same as a candidate, if not nil.
	Same         func(candidate int) int
	Replications int   // of a seed, at least 1
	Scenarios    int   // in which a trial runs; 0 means 1
	Budget       int64 // runs, at most; 0 means a share of the full grid's work
	Look         int   // look at each candidate of grids up to this size; 0 means 4096
	Progress     *Progress
}

// Progress reports the progress of a search. It is safe for concurrent use.
type Progress struct {
	Used, Budget atomic.Int64 // runs
	Held         atomic.Int64 // candidates held to the promise on fresh seeds
}

// FullSeeds is the number of seeds on which a full evaluation of the grid runs each
// candidate. Enough is the number of them on which the answer must keep the promise.
const (
	FullSeeds = 100
	Enough    = 95
)

// share is the part of the full grid's work that a search may use, and leastSeeds the
// number of seeds that it may use of any grid, however small.
const (
	share      = 0.2
	leastSeeds = 400
)

// Found is the result of a search.
type Found struct {
	Answer  *Candidate // the cheapest that keeps the promise; nil if none does or the budget is used up
	Below   *Candidate // the next cheaper one; nil if there is none
	Nearest *Candidate // without an answer, the one that comes nearest to the promise or to a verdict; nil if none has figures
	Seen    []*Candidate
	Work    Work
	UsedUp  bool    // the budget ended the search
	Parts   []Found // the answer, the next cheaper one and the nearest of each part
}

// Work counts runs: of one replication in one scenario.
type Work struct {
	Candidates int   // distinct ones
	Searched   int64 // of the seed of the search
	Fresh      int64 // of fresh seeds
	Sweep      int64 // of every candidate on one seed
	Full       int64 // of every candidate on FullSeeds seeds
}

// Used returns the runs of the whole search.
func (w Work) Used() int64 { return w.Searched + w.Fresh }

var errUsedUp = errors.New("the budget is used up")

// Run searches. If ctx ends early it returns the error of ctx.
func Run(ctx context.Context, p Problem, o Options) (*Found, error) {
	s := newSearch(p, o)
	err := s.look(ctx)
	if err == nil {
		err = s.answer(ctx)
	}
	if err == nil {
		err = s.parts(ctx)
	}
	if errors.Is(err, errUsedUp) {
		s.found.UsedUp, err = true, nil
		if s.found.Answer == nil {
			s.found.Nearest = s.mostHeld()
		}
	}
	if err != nil {
		return nil, err
	}
	s.found.Seen = s.seen
	s.count()
	return &s.found, nil
}
