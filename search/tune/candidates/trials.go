package candidates

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// run is a trial in one of the scenarios.
type run struct {
	search.Trial
	scenario int // from 0
}

// cell returns the cell of a run.
func (s *Set) cell(r run) scenarios.Cell { return s.Cells(r.Candidate)[r.scenario] }

// Try runs trials in parallel, in all scenarios.
func (s *Set) Try(ctx context.Context, trials []search.Trial) ([]search.Outcome, error) {
	runs := make([]run, 0, len(trials)*s.o.Scenarios)
	for _, t := range trials {
		for i := range s.o.Scenarios {
			runs = append(runs, run{t, i})
		}
	}
	parts, err := s.tryAll(ctx, runs)
	if err != nil {
		return nil, err
	}
	outcomes := make([]search.Outcome, len(trials))
	for i := range outcomes {
		outcomes[i] = s.joined(parts[i*s.o.Scenarios:][:s.o.Scenarios], runs[i*s.o.Scenarios])
	}
	return outcomes, nil
}

// joined returns the outcome of a trial from those of its runs, of which first is the first.
func (s *Set) joined(parts []search.Outcome, first run) search.Outcome {
	costs := lists.Map(parts, func(o search.Outcome) float64 { return o.Cost })
	all := search.Outcome{Cost: stats.Mean(costs), Exact: true}
	if s.o.Worst {
		all.Cost = slices.Max(costs)
	}
	for i, o := range parts {
		if o.NoData != "" && len(parts) > 1 {
			first.scenario = i
			o.NoData = scenarios.Clip(s.cell(first).Scenario.Name) + ": " + o.NoData
		}
		all.Figures = append(all.Figures, o.Figures...)
		all.NoData, all.Exact = cmp.Or(all.NoData, o.NoData), all.Exact && o.Exact
	}
	return all
}

// tryAll returns the outcomes of runs in the same order.
func (s *Set) tryAll(ctx context.Context, runs []run) ([]search.Outcome, error) {
	outcomes := make([]search.Outcome, len(runs))
	if s.o.Queue != nil && len(runs) > 1 && !s.pace.Known() { // the first run shows how long they take
		var err error
		if outcomes[0], err = s.run(ctx, runs[0], s.o.Workers, s.o.Run.Memory); err != nil {
			return nil, err
		}
		rest, err := s.tryAll(ctx, runs[1:])
		return append(outcomes[:1], rest...), err
	}
	if s.o.Queue != nil && s.pace.Worth(len(runs)) {
		return outcomes, s.tryElsewhere(ctx, runs, outcomes)
	}
	err := sweep.Parallel(ctx, len(runs), s.o.Workers, s.o.Run.Memory, func(ctx context.Context, i, workers int, memory int64) (err error) {
		outcomes[i], err = s.run(ctx, runs[i], workers, memory)
		return err
	})
	return outcomes, err
}

// scenario returns the file of a run. Fresh seeds are the numbers after that of the file.
// After the largest number comes 0.
func (s *Set) scenario(r run) (*scenarios.File, error) {
	bound, err := s.file(r)
	if err != nil {
		return nil, err
	}
	f, one := *bound, bound.Scenarios[0]
	one.Seed += uint64(r.Seed)
	f.Seed, f.Scenarios = one.Seed, []scenarios.Scenario{one}
	return &f, nil
}

// run runs a trial in one scenario.
func (s *Set) run(ctx context.Context, r run, workers int, memory int64) (search.Outcome, error) {
	f, err := s.scenario(r)
	if err != nil {
		return search.Outcome{}, err
	}
	o := s.o.Run
	o.Workers, o.Memory = workers, memory
	if r.Replication != search.Whole {
		o.Only = r.Replication + 1
	}
	began := time.Now()
	d, err := sim.Run(ctx, f, o)
	s.pace.Ran(time.Since(began))
	if err != nil {
		if _, invalid := err.(*sim.Invalid); !invalid {
			err = fmt.Errorf("%s, %s: %w", s.Algorithm(r.Candidate), s.cell(r), err)
		}
		return search.Outcome{}, err
	}
	return s.outcome(d, r), nil
}

// outcome reads the figures of a document.
func (s *Set) outcome(d *results.Document, r run) (o search.Outcome) {
	name := s.Algorithm(r.Candidate)
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
	o.Figures = lists.Map(s.o.Promises[d.Scenarios[0].Name][name], func(e scenarios.Expectation) float64 { return figure(e.Metric) })
	missed := d.Scenarios[0].Missed(row)
	if len(missed) > 0 && r.Replication == search.Whole { // it can touch something in another replication
		o.NoData = cmp.Or(o.NoData, missed[0].Text+" touched nothing")
	}
	return o
}
