package attack

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// here is a queue whose jobs run on this machine, after they have travelled.
type here struct {
	runner *jobs.Runner
	ran    int
}

func (q *here) Run(ctx context.Context, r jobs.Round) error {
	for i := range r.N {
		j, err := r.Job(i)
		if err != nil {
			return err
		}
		packed, err := j.Encode()
		if err != nil {
			return err
		}
		if j, err = jobs.Decode(packed); err != nil {
			return err
		}
		document, err := q.runner.Do(ctx, j, nil)
		if err != nil {
			return err
		}
		if err := r.Done(i, document); err != nil {
			return err
		}
		q.ran++
	}
	return nil
}

func (q *here) Finish() {}
func (q *here) Close()  {}

// TestElsewhere compares the scores of candidates that run here and as jobs. They include
// candidates with faults that the program rejects.
func TestElsewhere(t *testing.T) {
	f, o := scenarioOf(t, "limit: 20/s", "{preset: remote, on_timeout: fail-open}", 4, "4s"), options(t, 100, 150, "times,clients,phases,faults")
	s := newSearch(f, o)
	batch := append(s.outages(f.Scenarios[0].Faults), s.patterns()...)
	want, err := s.simulate(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	q := &here{runner: &jobs.Runner{Catalog: sim.Catalog(), Slots: 1, Stamp: func(f *scenarios.File, _ string) results.Stamp { return sim.StampOf(f) }}}
	o.Queue = q
	s = newSearch(f, o)
	s.pace.Ran(time.Second)
	got, err := s.simulate(context.Background(), batch)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: the scores differ", err)
		for i := range got {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("candidate %d: %+v, want %+v", i, got[i], want[i])
			}
		}
	}
	if q.ran == 0 {
		t.Error("no candidate ran as a job")
	}
}
