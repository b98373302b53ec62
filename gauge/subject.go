package gauge

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// subject is a new limiter that is probed.
type subject struct {
	run   func(f func()) error // calls f where the limiter lives
	call  func() bool          // reports whether the limiter admits a request at once
	pause func(ns int64)       // moves the time of the limiter
	end   func() error         // closes it
	names bool                 // the time to retry after

	takesTime bool   // virtual time has passed during a call; then call returns false
	bubble    string // where it lives; "" outside of bubbles
}

// do calls f where the limiter lives. It returns an error if a call does not return.
func (s *subject) do(f func()) error {
	err := s.run(f)
	if errors.Is(err, errStill) {
		return fmt.Errorf("whether the limiter is right is unknown: it was probed by one call after another, and a call did not return within %v of real time\n\n%s",
			patience, stacks(s.bubble))
	}
	return err
}

// subject makes a limiter to probe: in a bubble of t or, if t is nil, outside of
// bubbles, where only the argument now moves.
func (x *prober) subject(t *testing.T, p *outside.Program) (*subject, error) {
	switch {
	case t == nil:
		return x.direct(p)
	case x.row.kind == waits:
		f, err := newWaitingFleet(x.ctx, t, x.row, p, x.times)
		if err != nil {
			return nil, err
		}
		least := time.Duration(-1) // the wait of the first call
		return x.inRoom(f.room, f.Close, func() bool {
			waited := f.waitOf(p.Key)
			if least < 0 {
				least = waited
			}
			return waited <= least
		}), nil
	}
	f, err := newFleet(x.ctx, t, x.row, p, x.times, bubbled)
	if err != nil {
		return nil, err
	}
	var s *subject
	s = x.inRoom(f.place.(*room), f.Close, func() bool {
		if s.takesTime {
			return false
		}
		before := time.Now()
		admitted := passes(f.clients[0], before, p.Key)
		s.takesTime = time.Now().After(before)
		return admitted
	})
	return s, s.do(func() { s.names = f.clients[0].names(p.Key) })
}

// inRoom returns the subject of a limiter in a bubble.
func (x *prober) inRoom(m *room, end func() error, call func() bool) *subject {
	return &subject{
		bubble: m.name,
		run:    func(f func()) error { return m.run(x.times.origin, f) },
		call:   func() bool { m.steps.Add(1); return call() },
		pause:  func(ns int64) { time.Sleep(time.Duration(ns)) },
		end:    end,
	}
}

// direct returns the subject of a limiter that lives outside of bubbles. Its panics are
// met again by the trial.
func (x *prober) direct(p *outside.Program) (*subject, error) {
	var steps atomic.Int64
	var l []decider
	at := x.times.origin
	s := &subject{
		run: func(f func()) error {
			done := make(chan error, 1)
			go func() { done <- guarded(f) }()
			_, err := await(x.ctx, &steps, done, nil)
			return err
		},
		call:  func() bool { steps.Add(1); return passes(l[0], x.times.time(at), p.Key) },
		pause: func(ns int64) { at += ns },
		end:   func() error { closeAll(l); return nil },
	}
	return s, s.do(func() {
		l = newDeciders(x.row, p)
		s.names = l[0].names(p.Key)
	})
}

// waitOf returns how long a call waits. It is very long if the limiter refuses it.
func (f *waitingFleet) waitOf(key string) time.Duration {
	ctx, cancel := f.context()
	defer cancel()
	before := time.Now()
	err := f.wait(ctx, &outside.Request{Key: key, Cost: 1})
	if broken, ok := errors.AsType[*brokenCall](err); ok {
		panic(broken)
	}
	if err != nil {
		return math.MaxInt64
	}
	return time.Since(before)
}

// passes reports whether a limiter admits a request at once.
func passes(l decider, now time.Time, key string) bool {
	r, a := outside.Request{Key: key, Cost: 1}, outside.Answer{}
	l.decide(now, &r, &a)
	return a.Admit && a.WaitNs == 0
}
