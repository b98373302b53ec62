package gauge

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// room is a bubble in which virtual time follows the time of a trial.
type room struct {
	*bubble
	ctx    context.Context
	row    *Row
	times  virtual
	failed bool
}

// newRoom opens a bubble and runs virtual time up to the start of the trial.
func newRoom(ctx context.Context, t *testing.T, r *Row, times virtual) (*room, error) {
	m := &room{bubble: newBubble(t), ctx: ctx, row: r, times: times}
	if err := m.run(times.origin, func() { m.sleepUntil(times.origin) }); err != nil {
		m.close(nil)
		return nil, err
	}
	return m, nil
}

// run calls f in the bubble. Virtual time passes up to the simulated time last at most.
func (m *room) run(last int64, f func()) error {
	err := m.times.check(last)
	if err == nil {
		err = m.do(m.ctx, f)
	}
	m.failed = m.failed || err != nil
	return err
}

// sleepUntil sleeps until a simulated time, in the bubble. Then it lets all goroutines
// that wake up at that instant come to rest, so that their order is the same in every
// run. It returns the time.
func (m *room) sleepUntil(at int64) time.Time {
	m.steps.Add(1)
	now := time.Now()
	if d := time.Duration(at + m.times.shift - now.UnixNano()); d > 0 {
		time.Sleep(d)
		synctest.Wait()
		now = time.Now()
	}
	return now
}

func (m *room) since(before time.Time) time.Duration { return time.Since(before) }

// farewell is the virtual time that goroutines get to end after limiters are closed.
const farewell = time.Second

// close calls f in the bubble and ends it. After a failure it only ends the bubble.
func (m *room) close(f func() error) error {
	if m.failed {
		m.bubble.close()
		return nil
	}
	m.failed = true
	var err error
	if failed := m.do(context.WithoutCancel(m.ctx), func() {
		err = f()
		time.Sleep(farewell)
	}); failed != nil {
		return failed
	}
	ended := m.bubble.close()
	if m.row.leaves && errors.As(ended, new(*leftGoroutines)) {
		ended = nil
	}
	if err != nil {
		return err
	}
	return ended
}
