package gauge

import (
	"context"
	"testing"
	"time"
)

// place is where limiters are called: a room, or the open for those that take their time
// from the argument alone.
type place interface {
	// run calls f there. The simulated time is last at most.
	run(last int64, f func()) error
	// sleepUntil lets time pass until a simulated time, in f. It returns the time as
	// limiters see it.
	sleepUntil(at int64) time.Time
	// since returns how much time has passed since another one, in f.
	since(before time.Time) time.Duration
	// close calls f there, unless it is nil, and ends the place.
	close(f func() error) error
}

// newPlace returns the place for limiters that have their time from a clock.
func newPlace(ctx context.Context, t *testing.T, r *Row, times virtual, from clock) (place, error) {
	if from == argument {
		return &open{times: times}, nil
	}
	return newRoom(ctx, t, r, times)
}

// open is a place outside of bubbles.
type open struct {
	times  virtual
	closed bool
}

func (o *open) run(last int64, f func()) error {
	if err := o.times.check(last); err != nil {
		return err
	}
	return guarded(f)
}

func (o *open) sleepUntil(at int64) time.Time { return o.times.time(at) }

func (o *open) since(time.Time) time.Duration { return 0 }

func (o *open) close(f func() error) error {
	if o.closed || f == nil {
		return nil
	}
	o.closed = true
	return f()
}
