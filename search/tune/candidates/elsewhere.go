package candidates

import (
	"bytes"
	"context"
	"fmt"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim/results"
)

// tryElsewhere has workers run runs.
func (s *Set) tryElsewhere(ctx context.Context, runs []run, outcomes []search.Outcome) error {
	return jobs.AsHere(s.o.Queue.Run(ctx, jobs.Round{
		N:   len(runs),
		Job: func(i int) (*jobs.Job, error) { return s.job(runs[i]) },
		Done: func(i int, text []byte) error {
			d, err := results.Decode(bytes.NewReader(text))
			if err != nil || d.Partial {
				return jobs.ErrDamaged
			}
			outcomes[i] = s.outcome(d, runs[i])
			return nil
		},
	}))
}

// job returns the job of a run.
func (s *Set) job(r run) (*jobs.Job, error) {
	f, err := s.scenario(r)
	if err != nil {
		return nil, err
	}
	j := &jobs.Job{Name: fmt.Sprintf("%s, %s", s.Algorithm(r.Candidate), s.cell(r)), Scenario: f.Effective(), Dir: f.Dir, Exec: s.o.Exec, Nonce: s.o.Nonce, Metrics: []string{s.o.Least}}
	for _, p := range s.o.Promises[f.Scenarios[0].Name][s.Algorithm(r.Candidate)] {
		j.Metrics = append(j.Metrics, p.Metric)
	}
	j.Metrics = lists.Distinct(j.Metrics)
	if r.Replication != search.Whole {
		j.Only = r.Replication + 1
	}
	j.Logs, err = s.sums.Logs(f)
	return j, err
}
