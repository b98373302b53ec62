// Package sim runs scenarios: it prepares their traffic, runs every algorithm
// over it and returns a results document. It plans jobs and replications; the
// simulation itself is in engine, limiters, traffic and measure, and reporting
// is elsewhere. A run is a pure function of the scenario file and the logs it
// names: it reads no wall clock, goroutine order, map order or global random
// source.
//
// The package makes no promise: it can change at any time.
package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/parallel"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Options states how to run. No option but Draws changes a figure.
type Options struct {
	// Started, if not nil, is called when a worker starts a part of the work on a
	// scenario, and ended when it ends that part. Workers call it in parallel.
	Started func(scenario string) (ended func())

	Workers    int       // trials at a time, at most; 0 means one per core
	Memory     int64     // bytes; a run that needs more is rejected at the start; 0 means no limit
	SortMemory int64     // bytes for the rows of each log; 0 means logs.DefaultSortMemory
	Stdin      io.Reader // nil if there is none
	Details    Details
	Progress   *Progress                // may be nil
	Until      *Until                   // nil: each scenario's own number of replications
	Only       int                      // the only replication to run, from 1; 0 means all
	WorstKey   bool                     // add the series of the worst key of each scenario with several keys
	Keys       []string                 // add the series of these keys
	HashKeys   func(name string) string // if not nil, results show this in place of each name of a key
	Stamp      results.Stamp

	// Programs makes the limiters that are not part of this program. Files with such
	// limiters are rejected if it is nil, and those that start programs also unless
	// AllowExec is true.
	Programs  outside.Maker
	AllowExec bool

	// Draws other than 0 give the limiters and their networks other random draws than
	// the scenario's seed does, with the same traffic: what a change of the program
	// does that only shifts a random stream.
	Draws uint64

	Logs *Logs // keeps the logs that are read, for further runs; nil keeps none

	// Recover returns a panic of a trial as a *Panic, instead of ending the program.
	Recover bool
}

// Panic reports that a trial has panicked, which is an error of the program.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Progress reports the progress of a run. It is safe for concurrent use.
type Progress struct {
	ReadBytes  atomic.Int64 // of recorded logs
	TotalBytes atomic.Int64
	Decisions  atomic.Int64 // attempts simulated so far, summed over algorithms
	Done       atomic.Int64 // arrivals decided, summed over rows and trials, estimated
	Total      atomic.Int64 // the final value of Done; 0 until it is known
}

// Invalid reports that a scenario file cannot run, and why.
type Invalid struct{ Problems []scenarios.Problem }

func (e *Invalid) Error() string {
	if len(e.Problems) == 0 {
		return "invalid scenario file"
	}
	return e.Problems[0].String()
}

// Check reads the logs that a file names and makes the checks that need the
// engine. It runs nothing.
func Check(ctx context.Context, f *scenarios.File, stdin io.Reader) ([]scenarios.Problem, error) {
	_, problems, err := check(ctx, f, &logReader{dir: f.Dir, stdin: stdin})
	return problems, err
}

// CheckRun is Check, and makes the checks of a run with these options also.
func CheckRun(ctx context.Context, f *scenarios.File, o Options) ([]scenarios.Problem, error) {
	plans, problems, err := check(ctx, f, &logReader{dir: f.Dir, stdin: o.Stdin, memory: o.SortMemory, kept: o.Logs})
	if problems = append(problems, needPrograms(f, o)...); err == nil && len(problems) == 0 {
		problems = tooLarge(f, plans, o.Memory)
	}
	return problems, err
}

func check(ctx context.Context, f *scenarios.File, logs *logReader) ([]*plan, []scenarios.Problem, error) {
	defer logs.close()
	return prepare(ctx, f, logs)
}

// Run runs every scenario of the file. If ctx ends early, it returns the
// finished part, marked partial, together with ctx's error.
func Run(ctx context.Context, f *scenarios.File, o Options) (*results.Document, error) {
	if o.Progress == nil {
		o.Progress = &Progress{}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	logs := &logReader{dir: f.Dir, stdin: o.Stdin, memory: o.SortMemory, kept: o.Logs, hash: o.HashKeys, progress: func(done, total int64) {
		o.Progress.ReadBytes.Store(done)
		o.Progress.TotalBytes.Store(total)
	}}
	defer logs.close()
	plans, problems, err := prepare(ctx, f, logs)
	if err != nil {
		return nil, err
	}
	problems = append(problems, needPrograms(f, o)...)
	if len(problems) == 0 {
		problems = tooLarge(f, plans, o.Memory)
	}
	if len(problems) > 0 {
		return nil, &Invalid{Problems: problems}
	}
	for _, p := range plans {
		p.draws, p.path = o.Draws, f.Path
		if o.Only > 0 {
			p.first, p.replications, p.only = o.Only-1, 1, true
		}
	}
	if o.Keys, err = checkKeys(plans, o.Keys); err != nil {
		return nil, err
	}
	jobs := planJobs(plans, o)
	o.Workers = fit(jobs, o)
	runErr := runJobs(ctx, jobs, o)
	for runErr == nil && o.Until != nil {
		o.Until.widen(plans, jobs)
		more := planJobs(plans, o)
		if len(more) == 0 {
			break
		}
		runErr = runJobs(ctx, more, o)
		jobs = append(jobs, more...)
	}
	if runErr == nil {
		runErr = searchGrids(ctx, plans, o)
	}
	if runErr != nil && !errors.Is(runErr, context.Canceled) && !errors.Is(runErr, context.DeadlineExceeded) {
		return nil, runErr
	}
	d := assemble(plans, jobs, o.Stamp)
	d.Curves = lists.Map(f.Curves, func(c scenarios.Curve) results.Curve { return results.Curve(c) })
	if runErr == nil {
		runErr = addKeySeries(ctx, d, plans, jobs, o)
	}
	d.Partial = runErr != nil
	return d, runErr
}

// planJobs splits the replications that have no jobs yet into jobs. Every job
// makes its own traffic and references, so few large jobs are cheaper. A job
// gets a single row only if there would be too few jobs for the workers, if the
// rows do not fit into memory together, or if details must be written row by
// row. The split does not affect the results.
func planJobs(plans []*plan, o Options) []*job {
	rowBatches := 0
	for _, p := range plans {
		rowBatches += p.replications - p.planned
	}
	oneRowPerJob := o.Workers > 1 && rowBatches < 2*o.Workers
	var jobs []*job
	for _, p := range plans {
		exceedsMemory := o.Memory > 0 && p.memory(p.rows) > o.Memory/int64(o.Workers)
		for rep := p.planned; rep < p.replications; rep++ {
			rows := slices.DeleteFunc(slices.Clone(p.rows), func(r row) bool { return rep > 0 && !r.random })
			detailed := rep == 0 && o.Details.Any()
			size := len(p.rows)
			if oneRowPerJob || detailed || exceedsMemory {
				size = 1
			}
			for part := range slices.Chunk(rows, size) {
				j := &job{plan: p, replication: rep, rows: part}
				if detailed {
					j.details = o.Details
				}
				jobs = append(jobs, j)
			}
		}
	}
	return jobs
}

// contain runs the job. With Options.Recover, it returns a panic as an error.
func (j *job) contain(ctx context.Context, o Options) (err error) {
	if o.Recover {
		defer func() {
			if value := recover(); value != nil {
				err = &Panic{value, string(debug.Stack())}
			}
		}()
	}
	return j.run(ctx, o)
}

// runJobs runs jobs that write details one after another, in order, and the
// others on the workers.
func runJobs(ctx context.Context, jobs []*job, o Options) error {
	for _, j := range jobs {
		total := o.Progress.Total.Load()
		o.Progress.Total.Store(total + min(j.work(j.plan.end), math.MaxInt64-total))
	}
	var free []*job
	for _, j := range jobs {
		if !j.details.Any() {
			free = append(free, j)
			continue
		}
		if err := j.run(ctx, o); err != nil {
			return err
		}
	}
	return parallel.Each(ctx, len(free), o.Workers, func(ctx context.Context, i int) error { return free[i].contain(ctx, o) })
}
