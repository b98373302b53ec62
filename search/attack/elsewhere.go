package attack

import (
	"bytes"
	"context"
	"fmt"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// simulateElsewhere has workers simulate candidates. Those that the program rejects have
// no figure, and do not go there.
func (s *search) simulateElsewhere(ctx context.Context, batch []*Candidate, scores [][]score) error {
	var list []*jobs.Job
	var of []int // the candidates of the jobs
	for i, c := range batch {
		j, why, err := s.job(ctx, c)
		if err != nil {
			return err
		}
		if why != nil {
			scores[i] = s.trials.without(why)
			continue
		}
		list, of = append(list, j), append(of, i)
	}
	if len(list) == 0 {
		return nil
	}
	return s.Queue.Run(ctx, jobs.Round{
		N:   len(list),
		Job: func(i int) (*jobs.Job, error) { return list[i], nil },
		Done: func(i int, text []byte) error {
			d, err := results.Decode(bytes.NewReader(text))
			if err != nil || d.Partial {
				return jobs.ErrDamaged
			}
			r, err := rowOf(d, s.trials.file)
			if err != nil {
				return jobs.ErrDamaged
			}
			scores[of[i]] = s.trials.scoresOf(r, batch[of[i]])
			return nil
		},
	})
}

// job returns the job of a candidate, or why the program rejects it.
func (s *search) job(ctx context.Context, c *Candidate) (j *jobs.Job, why *sim.Invalid, err error) {
	f, err := s.trials.with(c)
	if err != nil {
		return nil, nil, err
	}
	problems, err := sim.CheckRun(ctx, f, s.trials.options)
	if err != nil {
		return nil, nil, err
	}
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}, nil
	}
	metrics := append([]string{"admitted_requests"}, lists.Map(s.Goals, func(g Goal) string { return g.Metric.Name })...)
	return &jobs.Job{Name: fmt.Sprintf("a candidate of %d requests", c.Requests()), Scenario: f.Effective(), Dir: ".", Exec: s.Exec, Nonce: s.Nonce,
		Metrics: metrics}, nil, nil
}

// without returns the scores of a candidate that the program rejects.
func (t *trialer) without(why error) []score {
	scores := make([]score, len(t.goals))
	for i := range scores {
		scores[i].why = why.Error()
	}
	return scores
}

// scoresOf returns a score for each goal from the row of the algorithm.
func (t *trialer) scoresOf(r results.Result, c *Candidate) []score {
	scores := make([]score, len(t.goals))
	for i := range t.goals {
		m, admitted := r.Metrics[t.goals[i].Metric.Name], r.Metrics["admitted_requests"]
		if m.Mean == nil {
			scores[i].why = m.Reason
			continue
		}
		scores[i] = score{figure: *m.Mean * t.goals[i].sign(), requests: c.Requests(), valid: true}
		if admitted.Mean != nil {
			scores[i].admitted = *admitted.Mean
		}
	}
	return scores
}
