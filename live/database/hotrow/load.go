// Package hotrow measures how a PostgreSQL server serves callers that call a
// function for one row without pause.
//
// The package makes no promise: it can change at any time.
package hotrow

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// Load is what the callers do. A call is one statement, which is a transaction of
// its own.
type Load struct {
	Call      func(caller int) string // the statement, such as select take_token('hot')
	Callers   int
	Isolation string // serializable or read committed
	Retries   int    // of a call that conflicts
	Warmup    time.Duration
	For       time.Duration
	Unflushed bool // commits do not wait until the log is flushed
}

// Figures are the counts of a measurement.
type Figures struct {
	Calls     int64 // that ended, with success or not
	FirstTry  int64 // calls whose first try succeeded
	Committed int64
	Failed    int64 // tries that conflicted
	Seconds   float64
}

// FirstTryPct returns the share of the calls whose first try succeeded, in %.
func (f Figures) FirstTryPct() float64 { return 100 * float64(f.FirstTry) / float64(max(f.Calls, 1)) }

// RetriesPerSuccess returns the tries that failed, per commit.
func (f Figures) RetriesPerSuccess() float64 { return float64(f.Failed) / float64(max(f.Committed, 1)) }

// CommitsPerSecond returns the rate of commits.
func (f Figures) CommitsPerSecond() float64 { return float64(f.Committed) / f.Seconds }

// Measure runs a load. It counts the calls that end after the warm-up. It returns an
// error if a statement fails for another reason than a conflict, or if ctx is done.
func (l Load) Measure(ctx context.Context, s *Sessions) (Figures, error) {
	sessions, err := s.prepare(ctx, l.Callers, l)
	if err != nil {
		return Figures{}, err
	}
	callers := make([]*caller, l.Callers)
	for i, session := range sessions {
		callers[i] = &caller{load: l, call: l.Call(i), session: session}
	}
	var phase atomic.Int32
	var wait sync.WaitGroup
	for _, c := range callers {
		wait.Go(func() { c.run(&phase) })
	}
	err = pause(ctx, l.Warmup)
	start := time.Now()
	phase.Store(counting)
	if err == nil {
		err = pause(ctx, l.For)
	}
	phase.Store(ended)
	all := Figures{Seconds: time.Since(start).Seconds()}
	wait.Wait()
	for _, c := range callers {
		all.Calls += c.counts.Calls
		all.FirstTry += c.counts.FirstTry
		all.Committed += c.counts.Committed
		all.Failed += c.counts.Failed
		if err == nil && c.err != nil {
			err = fmt.Errorf("%s: %w", c.call, c.err)
		}
	}
	return all, err
}

// Phases of a measurement: 0 is the warm-up.
const (
	counting = 1
	ended    = 2
)

// caller runs calls one after another on a connection of its own.
type caller struct {
	load    Load
	call    string
	session *postgres.Session
	counts  Figures
	err     error
}

func (c *caller) run(phase *atomic.Int32) {
	background := context.Background() // a statement is short, and watching a context would cost time
	for phase.Load() != ended {
		failed := int64(0)
		for {
			_, err := c.session.Value(background, c.call)
			counted := phase.Load() == counting
			if err == nil {
				c.count(counted, failed, 1)
				break
			}
			if !postgres.Conflicts(err) {
				c.err = err
				return
			}
			failed++
			if counted {
				c.counts.Failed++
			}
			if failed > int64(c.load.Retries) || phase.Load() == ended {
				c.count(counted, failed, 0)
				break
			}
		}
	}
}

// count counts the end of a call.
func (c *caller) count(counted bool, failed, committed int64) {
	if !counted {
		return
	}
	c.counts.Calls++
	c.counts.Committed += committed
	if failed == 0 {
		c.counts.FirstTry++
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
