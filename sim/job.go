package sim

import (
	"context"
	"fmt"
	"runtime"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/enforcements"
	"github.com/limitgauge/limitgauge/sim/enforcements/inplace"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/random"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// job is a part of a cohort that one worker runs: one replication of a
// scenario for some of its rows.
type job struct {
	plan        *plan
	replication int
	rows        []int // indexes into plan.rows
	taps        Taps

	done     bool
	measured []*measured // one a row, once done
}

// largeJob is how many bytes of state are worth a collection, which takes some
// milliseconds.
const largeJob = 32 << 20

// seat is a row's place in a running cohort.
type seat struct {
	row      row
	lane     lanes.Lane
	setting  *trial.Setting
	recorder *measure.Recorder
	tap      *tap
}

// run builds the job's cohort, drives it, and keeps what was measured.
func (j *job) run(ctx context.Context, progress *Progress) error {
	if j.plan.memory(j.rows) > largeJob {
		runtime.GC() // or the state of a worker's last job would lie beside this one's
	}
	c, seats, err := j.build()
	if err != nil {
		return fmt.Errorf("scenario %q: %w", j.plan.scenario.Name, err)
	}
	shown := int64(0)
	reached := func(now int64) {
		if at := j.work(now); at > shown {
			progress.Done.Add(at - shown)
			shown = at
		}
	}
	err = c.run(ctx, func(attempts int, now int64) {
		progress.Decisions.Add(int64(attempts * len(seats)))
		reached(now)
	})
	if err != nil {
		return err
	}
	reached(j.plan.end)
	for _, s := range seats {
		if err := s.tap.close(s.recorder); err != nil {
			return err
		}
		j.measured = append(j.measured, j.plan.collect(s, j.replication))
	}
	j.done = true
	return nil
}

// work is what the job has done when it has come to an instant: simulated ms,
// summed over its rows.
func (j *job) work(now int64) int64 {
	const millisecond = 1_000_000
	return int64(len(j.rows)) * max(1, (min(now, j.plan.end)-j.plan.traffic.First())/millisecond)
}

// build makes the cohort of the job with a lane for each of its rows.
func (j *job) build() (*cohort, []*seat, error) {
	p := j.plan
	f, err := p.faults(j.replication)
	if err != nil {
		return nil, nil, err
	}
	setting := p.settingWith(f)
	reference, err := p.newReference(setting)
	if err != nil {
		return nil, nil, err
	}
	c := &cohort{alive: faults.NewAlive(f, p.sticky()), stream: p.traffic.Open(p.scenario.Seed, p.first+j.replication), reference: reference, end: p.end}
	var seats []*seat
	for _, i := range j.rows {
		s, err := j.seat(p.rows[i], setting)
		if err != nil {
			return nil, nil, err
		}
		seats = append(seats, s)
		c.lanes = append(c.lanes, s.lane)
		if s.row.delays && !s.row.reference && c.shaped == nil {
			shaper, err := p.newShaper(setting)
			if err != nil {
				return nil, nil, err
			}
			c.shaped = lanes.NewShapedReference(shaper)
		}
	}
	return c, seats, nil
}

// seat gives a row its recorder, its backend and its lane.
func (j *job) seat(r row, setting *trial.Setting) (*seat, error) {
	p := j.plan
	s := &seat{row: r, setting: setting, tap: newTap(j.taps, p, r, setting)}
	s.recorder = p.newRecorder(r, s.tap, setting)
	books := lanes.Books{Recorder: s.recorder, Tap: s.tap.decisions(), Beside: lanes.ImmediateReference}
	if r.delays {
		books.Beside = lanes.ShapingReference
	}
	if p.scenario.Guard != nil {
		stream := random.New(p.scenario.Seed, p.first+j.replication, "guard")
		books.Guard = lanes.NewGuard(p.scenario.Guard, s.recorder.Guard(), stream)
	}
	var err error
	if books.Retries, err = p.newRetries(r, setting, j.replication); err != nil {
		return nil, err
	}
	switch {
	case r.reference && r.delays:
		books.Beside = lanes.Itself
		var shaper counters.Queue
		if shaper, err = p.newShaper(setting); err == nil {
			s.lane = inplace.QueueLane(books, p.start, shaper)
		}
	case r.reference && books.Tap == nil && books.Retries == nil:
		s.lane = &lanes.DecidedLane{Books: books}
	case r.reference:
		var reference lanes.Decider
		reference, err = p.newReference(setting)
		s.lane = lanes.NewBlockLane(books, reference)
	default:
		s.lane, err = enforcements.Of(r.algorithm).Lane(&trial.Trial{
			Setting: setting, Books: books, Algorithm: r.algorithm, Replication: p.first + j.replication,
		})
	}
	if b, ok := s.lane.(*lanes.BlockLane); ok && books.Retries != nil && err == nil {
		s.lane = b.Retrying(p.start)
	}
	return s, err
}
