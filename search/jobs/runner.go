package jobs

import (
	"context"
	"errors"
	"sync"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Runner runs jobs on this machine, several at a time.
type Runner struct {
	Catalog catalog.Catalog
	Run     sim.Options // of each job: Memory of the whole machine, SortMemory, Programs, AllowExec; the other members are set
	Slots   int         // jobs at a time, at most; from 1
	// Stamp returns the stamp of a document.
	Stamp func(f *scenarios.File, rerun string) results.Stamp
	// Code returns the exit code of a command that ends with an error.
	Code func(error) int

	alone sync.RWMutex // a job that needs all of the memory holds it
}

// Do returns the document of a job. logs is nil, or has copies of the logs that the job
// names. A job that does not fit into its share of the memory waits until it is alone.
func (r *Runner) Do(ctx context.Context, j *Job, logs *sim.Logs) ([]byte, error) {
	r.alone.RLock()
	document, err := r.run(ctx, j, logs, 1, r.Run.Memory/int64(r.Slots))
	r.alone.RUnlock()
	if !errors.As(err, new(*sim.Invalid)) || r.Run.Memory == 0 || r.Slots == 1 {
		return document, err
	}
	r.alone.Lock()
	defer r.alone.Unlock()
	return r.run(ctx, j, logs, r.Slots, r.Run.Memory)
}

func (r *Runner) run(ctx context.Context, j *Job, logs *sim.Logs, workers int, memory int64) ([]byte, error) {
	f, problems := scenarios.Load("-", j.Scenario, j.Dir, r.Catalog)
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	o := r.Run
	o.Workers, o.Memory, o.WorstKey, o.Only = workers, memory, j.WorstKey, j.Only
	o.Stamp, o.Logs, o.Recover = r.Stamp(f, j.Rerun), logs, true
	d, err := sim.Run(ctx, f, o)
	if err != nil {
		return nil, err
	}
	if j.Metrics != nil {
		d = figures(d, j.Metrics)
	}
	return results.Text(d)
}

// figures returns a document with some metrics alone, and with what faults touched.
func figures(d *results.Document, metrics []string) *results.Document {
	thin := d.Thin(metrics)
	for i := range thin.Results {
		thin.Results[i].Touched = d.Results[i].Touched
	}
	return thin
}

// Failure returns why a job has no document. name names the worker.
func (r *Runner) Failure(j *Job, name string, err error) *Failure {
	f := &Failure{Job: j.Name, Worker: name, Text: err.Error(), Code: r.Code(err)}
	if invalid, ok := errors.AsType[*sim.Invalid](err); ok {
		f.Problems = invalid.Problems
	}
	return f
}
