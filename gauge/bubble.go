package gauge

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// patience is the real time after which a bubble without progress is given up.
var patience = 10 * time.Second

// bubble is a bubble of testing/synctest. Functions are called in it in turn, by its
// main goroutine. Virtual time stands still between them, because the main goroutine
// then waits on a channel from outside of the bubble.
type bubble struct {
	work     chan func()
	done     chan error
	ended    chan struct{} // closed when no more functions can run
	deadlock any           // the panic that ended the bubble
	name     string        // as stacks of its goroutines show it
	steps    atomic.Int64  // counts what has been done, for the watchdog
	broken   bool          // gave up or ended
}

func newBubble(t *testing.T) *bubble {
	b := &bubble{work: make(chan func()), done: make(chan error, 1), ended: make(chan struct{})}
	go b.run(t)
	return b
}

func (b *bubble) run(t *testing.T) {
	defer close(b.ended)
	defer func() { b.deadlock = recover() }()
	synctest.Test(t, func(*testing.T) {
		b.name = bubbleName()
		for f := range b.work {
			b.done <- guarded(f)
		}
	})
}

// do calls f in the bubble and waits for its end. It returns an error if f panics or
// blocks for ever, if nothing happens for longer than patience, or when ctx ends; then it
// still waits for f, but no longer than patience. After an error other than that of a
// panic, the bubble is broken, and f may still run: what f writes must not be read.
func (b *bubble) do(ctx context.Context, f func()) error {
	select {
	case b.work <- f:
	case <-b.ended:
		return b.failed()
	}
	result, err := await(ctx, &b.steps, b.done, b.ended)
	switch {
	case err == nil:
		return result
	case errors.Is(err, errEnded):
		return b.failed()
	case errors.Is(err, errStill):
		b.broken = true
		return fmt.Errorf("%w for %v of real time. If it waits for a mutex that another call has not unlocked, correct the limiter. If it sleeps while it holds a mutex, "+
			"run its calls one after another with gauge.InTurn() or gauge.InTurnByKey(). "+
			"If it has timers that fire often, let fewer fire, or test it with longer windows\n\n%s", errStill, patience, stacks(b.name))
	}
	b.broken = true
	close(b.work) // ends the bubble when f returns
	await(context.WithoutCancel(ctx), &b.steps, nil, b.ended)
	return err
}

// failed returns the error of a bubble that has ended.
func (b *bubble) failed() error {
	b.broken = true
	if b.deadlock == nil {
		return errExited
	}
	return fmt.Errorf("all goroutines of the limiter wait for each other (%v)\n\n%s", b.deadlock, stacks(b.name))
}

// close ends the bubble. It returns an error if goroutines remain.
func (b *bubble) close() error {
	if b.broken {
		return nil
	}
	b.broken = true
	close(b.work)
	select {
	case <-b.ended:
	case <-time.After(patience):
		return fmt.Errorf("goroutines of the limiter still run at the end of the trial\n\n%s", stacks(b.name))
	}
	if b.deadlock == nil {
		return nil
	}
	return &leftGoroutines{stacks(b.name)}
}

// leftGoroutines reports goroutines that a limiter did not stop.
type leftGoroutines struct{ stacks string }

func (e *leftGoroutines) Error() string {
	return "the limiter left goroutines or tickers at the end of the trial. Stop them in a method Close or Stop of the limiter, " +
		"or with Policy.Cleanup; gauge.LeavesGoroutines() accepts them\n\n" + e.stacks
}

// errEnded and errStill are errors of await.
var (
	errEnded = errors.New("the bubble has ended")
	errStill = errors.New("virtual time stood still")
)

// await returns what done brings, or the error of ctx, or errEnded once ended is closed,
// or errStill if steps has not changed for as long as patience.
func await(ctx context.Context, steps *atomic.Int64, done <-chan error, ended <-chan struct{}) (result, err error) {
	const looks = 10
	watchdog := time.NewTicker(patience / looks)
	defer watchdog.Stop()
	for still, before := 0, steps.Load(); still < looks; {
		select {
		case result := <-done:
			return result, nil
		case <-ended:
			return nil, errEnded
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-watchdog.C:
		}
		if now := steps.Load(); now == before {
			still++
		} else {
			still, before = 0, now
		}
	}
	return nil, errStill
}
