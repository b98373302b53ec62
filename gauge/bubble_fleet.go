package gauge

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/outside"
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
	return m, m.run(times.origin, func() { m.sleepUntil(times.origin) })
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

// bubbleFleet calls limiters that read the clock, one call after another.
type bubbleFleet struct {
	*room
	clients []decider
	key     probeKey
}

// tookTime ends a trial of a bubbleFleet, in which calls do not overlap: virtual time has
// passed during a call, although it did not during those of the probe.
type tookTime struct {
	key  probeKey
	took time.Duration
}

func (e *tookTime) Error() string {
	return fmt.Sprintf("one call takes no virtual time and another %v: only calls that all take the same are compared one by one", e.took)
}

func newBubbleFleet(ctx context.Context, t *testing.T, r *Row, p *outside.Program, times virtual) (*bubbleFleet, error) {
	m, err := newRoom(ctx, t, r, times)
	f := &bubbleFleet{room: m, key: probeKey{r.name, p.Limit}}
	if err == nil {
		err = f.run(p.OriginNs, func() { f.clients = newDeciders(r, p) })
	}
	if err != nil {
		m.close(nil)
		return nil, err
	}
	return f, nil
}

func (f *bubbleFleet) Decide(requests []outside.Request, answers []outside.Answer) error {
	slow := tookTime{key: f.key}
	err := f.run(requests[len(requests)-1].AtNs, func() {
		for i := 0; i < len(requests) && slow.took == 0; i++ {
			r := &requests[i]
			now := f.sleepUntil(r.AtNs)
			f.clients[r.Client].decide(now, r, &answers[i])
			slow.took = time.Since(now)
		}
	})
	if err == nil && slow.took > 0 {
		return &slow
	}
	return err
}

func (f *bubbleFleet) Level(client int32, key string, atNs, cost int64) (level, retryAtNs int64) {
	var wait time.Duration
	if f.run(atNs, func() { level, wait = f.clients[client].level(f.sleepUntil(atNs), key, cost) }) != nil {
		return engine.UnknownLevel, retryAt(atNs, -1)
	}
	return level, retryAt(atNs, wait)
}

func (f *bubbleFleet) Close() error { return f.close(func() error { return closeAll(f.clients) }) }
