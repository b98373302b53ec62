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

// tryElsewhere has workers run trials.
func (s *Set) tryElsewhere(ctx context.Context, trials []search.Trial, outcomes []search.Outcome) error {
	return jobs.AsHere(s.o.Queue.Run(ctx, jobs.Round{
		N:   len(trials),
		Job: func(i int) (*jobs.Job, error) { return s.job(trials[i]) },
		Done: func(i int, text []byte) error {
			d, err := results.Decode(bytes.NewReader(text))
			if err != nil || d.Partial {
				return jobs.ErrDamaged
			}
			outcomes[i] = s.outcome(d, trials[i])
			return nil
		},
	}))
}

// job returns the job of a trial.
func (s *Set) job(t search.Trial) (*jobs.Job, error) {
	f, err := s.trial(t)
	if err != nil {
		return nil, err
	}
	j := &jobs.Job{Name: fmt.Sprintf("%s, %s", s.Algorithm(t.Candidate), s.Cell(t.Candidate)), Scenario: f.Effective(), Dir: f.Dir, Exec: s.o.Exec, Nonce: s.o.Nonce, Metrics: []string{s.o.Least}}
	for _, p := range s.Promises(t.Candidate) {
		j.Metrics = append(j.Metrics, p.Metric)
	}
	j.Metrics = lists.Distinct(j.Metrics)
	if t.Replication != search.Whole {
		j.Only = t.Replication + 1
	}
	j.Logs, err = s.sums.Logs(f)
	return j, err
}
