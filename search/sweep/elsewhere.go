package sweep

import (
	"context"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// runElsewhere has workers run cells that are not in the cache.
func (s *Sweep) runElsewhere(ctx context.Context, missing []int, kept func(int, *results.Document)) error {
	return s.o.Queue.Run(ctx, jobs.Round{
		N:   len(missing),
		Job: func(i int) (*jobs.Job, error) { return s.job(missing[i]) },
		Done: func(i int, text []byte) error {
			cell := missing[i]
			source, err := s.source(cell)
			if err != nil {
				return err
			}
			d := documentOf(source, text)
			if d == nil {
				return jobs.ErrDamaged
			}
			if err := s.keep(cell, text); err != nil {
				return err
			}
			s.o.Progress.Ran.Add(1)
			kept(cell, d)
			return nil
		},
	})
}

// job returns the job of a cell.
func (s *Sweep) job(cell int) (*jobs.Job, error) {
	source, err := s.source(cell)
	if err != nil {
		return nil, err
	}
	j := &jobs.Job{Name: "cell " + s.grid.Cell(cell).String(), Scenario: source, Dir: s.grid.File.Dir, Rerun: s.o.Rerun, WorstKey: true, Exec: s.o.Exec, Nonce: s.o.Nonce}
	if len(s.read) > 0 {
		f, problems := scenarios.Load("-", source, s.grid.File.Dir, s.grid.Catalog())
		if len(problems) > 0 {
			return nil, &sim.Invalid{Problems: problems}
		}
		j.Logs, err = s.sums.Logs(f)
	}
	if len(j.Logs) == 0 {
		j.Dir = "." // nothing depends on it
	}
	return j, err
}
