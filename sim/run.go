// Package sim runs scenarios: it makes their traffic, lets every algorithm
// decide it, and has the outcome measured. A run is a pure function of the
// scenario file and the recorded logs it names: no wall clock, no goroutine
// order, no map order and no global random source gets in.
package sim

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Options are how to run, none of which changes a figure.
type Options struct {
	Workers    int       // trials at a time, at most; 0 is one per core
	Memory     int64     // bytes; what needs more is refused rather than begun. 0: no bound
	SortMemory int64     // bytes that the rows of each recorded log may take; 0 is trace.DefaultSortMemory
	Stdin      io.Reader // nil: there is none
	Details    Details
	Progress   *Progress // may be nil
	Until      *Until    // nil: each scenario's own number of replications
	Only       int       // the one replication to run, from 1; 0 is all of them
	Stamp      results.Stamp
}

// Progress is what a run tells while it goes on. Its fields may be read at any
// time.
type Progress struct {
	ReadBytes  atomic.Int64 // of recorded logs
	TotalBytes atomic.Int64
	Decisions  atomic.Int64 // simulated so far, every algorithm counted
	Done       atomic.Int64 // simulated ms, summed over the trials
	Total      atomic.Int64 // what Done will be at the end; 0 until it is known
}

// Invalid says that a scenario file cannot be run, and why.
type Invalid struct{ Problems []scenarios.Problem }

func (e *Invalid) Error() string {
	if len(e.Problems) == 0 {
		return "invalid scenario file"
	}
	return e.Problems[0].String()
}

// Check reads the logs that a file names and finds what only the engine can
// find, without running anything.
func Check(ctx context.Context, f *scenarios.File, stdin io.Reader) ([]scenarios.Problem, error) {
	logs := &logReader{dir: f.Dir, stdin: stdin}
	defer logs.close()
	_, problems, err := prepare(ctx, f, logs)
	return problems, err
}

// Run runs every scenario of the file. When ctx ends early it returns what is
// finished, marked partial, and ctx's error.
func Run(ctx context.Context, f *scenarios.File, o Options) (*results.Document, error) {
	if o.Progress == nil {
		o.Progress = &Progress{}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	logs := &logReader{dir: f.Dir, stdin: o.Stdin, memory: o.SortMemory, progress: func(done, total int64) {
		o.Progress.ReadBytes.Store(done)
		o.Progress.TotalBytes.Store(total)
	}}
	defer logs.close()
	plans, problems, err := prepare(ctx, f, logs)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &Invalid{Problems: problems}
	}
	if o.Only > 0 {
		for _, p := range plans {
			p.first, p.replications = o.Only-1, 1
		}
	}
	jobs := planJobs(plans, o)
	if o.Workers, problems = fit(plans, jobs, o); len(problems) > 0 {
		for i := range problems {
			problems[i].Path = f.Path
		}
		return nil, &Invalid{Problems: problems}
	}
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
	if runErr != nil && !errors.Is(runErr, context.Canceled) && !errors.Is(runErr, context.DeadlineExceeded) {
		return nil, runErr
	}
	d := assemble(plans, jobs, o.Stamp)
	d.Partial = runErr != nil
	return d, runErr
}

// planJobs cuts the replications that have no jobs yet into jobs. A job makes its traffic and its references
// anew, so fewer and larger ones are cheaper; rows are only run apart where
// there would be too few jobs for the workers, where they do not fit into
// memory together, or where taps must come out row by row. What is computed
// does not depend on the cut.
func planJobs(plans []*plan, o Options) []*job {
	rowBatches := 0
	for _, p := range plans {
		rowBatches += p.replications - p.planned
	}
	oneRowPerJob := o.Workers > 1 && rowBatches < 2*o.Workers
	var jobs []*job
	for _, p := range plans {
		exceedsMemory := o.Memory > 0 && p.memory(p.allRows()) > o.Memory/int64(o.Workers)
		for rep := p.planned; rep < p.replications; rep++ {
			var rows []int
			for i, r := range p.rows {
				if rep == 0 || r.random {
					rows = append(rows, i)
				}
			}
			detailed := rep == 0 && o.Details.Any()
			if !oneRowPerJob && !detailed && !exceedsMemory {
				if len(rows) > 0 {
					jobs = append(jobs, &job{plan: p, replication: rep, rows: rows})
				}
				continue
			}
			for _, i := range rows {
				j := &job{plan: p, replication: rep, rows: []int{i}}
				if detailed {
					j.details = o.Details
				}
				jobs = append(jobs, j)
			}
		}
	}
	return jobs
}

// runJobs runs tapped jobs one after the other, in order, and the rest on the
// workers.
func runJobs(ctx context.Context, jobs []*job, o Options) error {
	for _, j := range jobs {
		o.Progress.Total.Add(j.work(j.plan.end))
	}
	var free []*job
	for _, j := range jobs {
		if !j.details.Any() {
			free = append(free, j)
			continue
		}
		if err := j.run(ctx, o.Progress); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(o.Workers, len(free)) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(free) || ctx.Err() != nil {
					return
				}
				if err := free[i].run(ctx, o.Progress); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
