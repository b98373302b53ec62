package gauge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limitgauge/limitgauge/gauge/conformance"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// waitingFleet calls limiters that block their callers, or whose decisions take virtual
// time. It is an outside.Blocking.
type waitingFleet struct {
	*room
	clients []*limiters[Waiter]
	ctx     context.Context // of calls; made in the bubble
	cancel  context.CancelFunc
	calls   sync.WaitGroup
	next    int64     // number of the next request
	length  int64     // of the calls of Decide; -1 if there was none
	ends    chan bool // has a value after a call has returned; made in the bubble

	mu       sync.Mutex // of the fields below
	returned []outside.Returned
	broken   error // the first panic of a call
	chains   map[string]*chain
}

// errRejected is the error of a call that a limiter rejects.
var errRejected = errors.New("rejected")

// waiter returns a limiter of the row as a Waiter, whose call takes as long as that of
// the limiter.
func (r *Row) waiter(made any) Waiter {
	switch r.kind {
	case decides:
		return WaitFunc(func(_ context.Context, key string, cost int64) error {
			if made.(Limiter).Take(time.Now(), key, cost) {
				return nil
			}
			return errRejected
		})
	case reserves:
		return WaitFunc(func(ctx context.Context, key string, cost int64) error {
			delay, ok := made.(Reserver).Reserve(time.Now(), key, cost)
			if !ok || r.maxWait > 0 && delay > r.maxWait {
				return errRejected
			}
			select {
			case <-time.After(delay):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}
	return made.(Waiter)
}

// chain holds calls that must not overlap.
type chain struct {
	waiting []func()
	busy    bool
}

func newWaitingFleet(ctx context.Context, t *testing.T, r *Row, p *outside.Program, times virtual) (*waitingFleet, error) {
	m, err := newRoom(ctx, t, r, times)
	if err != nil {
		return nil, err
	}
	f := &waitingFleet{room: m, chains: map[string]*chain{}, length: -1}
	err = f.run(p.OriginNs, func() {
		f.ctx, f.cancel = context.WithCancel(context.Background())
		f.ends = make(chan bool, 1)
		for i := range p.Instances {
			f.clients = append(f.clients, newLimiters(r, policyOf(p, i, r.maxWait), r.waiter))
		}
	})
	if err != nil {
		m.close(nil)
		return nil, err
	}
	return f, nil
}

// Start starts each call at its time. A call has returned or waits before the next one
// starts, so that calls of one instant reach the limiter in order.
func (f *waitingFleet) Start(requests []outside.Request, untilNs int64) ([]outside.Returned, error) {
	err := f.run(untilNs, func() {
		for i := range requests {
			f.sleepUntil(requests[i].AtNs)
			f.start(requests[i])
			synctest.Wait()
		}
		f.sleepUntil(untilNs)
	})
	return f.ended(err)
}

// Next sleeps until a time, or until calls return.
func (f *waitingFleet) Next(untilNs int64) ([]outside.Returned, error) {
	err := f.run(untilNs, func() {
		select {
		case <-f.ends:
		default:
		}
		select {
		case <-time.After(time.Until(f.times.time(untilNs))):
		case <-f.ends:
		}
		synctest.Wait()
	})
	return f.ended(err)
}

// ended returns the calls that have returned, in the order of time.
func (f *waitingFleet) ended(err error) ([]outside.Returned, error) {
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		f.failed = true
		return nil, f.broken
	}
	returned := f.returned
	f.returned = nil
	slices.SortFunc(returned, func(a, b outside.Returned) int {
		return cmp.Or(cmp.Compare(a.AtNs, b.AtNs), cmp.Compare(a.Request, b.Request))
	})
	return returned, nil
}

// start starts the call of a request, after the calls that it must not overlap.
func (f *waitingFleet) start(r outside.Request) {
	number := f.next
	f.next++
	ctx, cancel := f.context()
	f.calls.Add(1)
	call := func() {
		defer f.calls.Done()
		defer cancel()
		f.call(ctx, number, &r)
	}
	if f.row.turns == together {
		go call()
		return
	}
	key := ""
	if f.row.turns == inTurnByKey {
		key = r.Key
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.chains[key]
	if c == nil {
		c = &chain{}
		f.chains[key] = c
	}
	c.waiting = append(c.waiting, call)
	if !c.busy {
		c.busy = true
		go f.serve(c)
	}
}

// context returns the context of a call that starts now.
func (f *waitingFleet) context() (context.Context, context.CancelFunc) {
	if f.row.kind == waits && f.row.maxWait > 0 {
		return context.WithTimeout(f.ctx, f.row.maxWait)
	}
	return f.ctx, func() {}
}

// serve makes the calls of a chain one after another.
func (f *waitingFleet) serve(c *chain) {
	for {
		f.mu.Lock()
		if len(c.waiting) == 0 {
			c.busy = false
			f.mu.Unlock()
			return
		}
		call := c.waiting[0]
		c.waiting = c.waiting[1:]
		f.mu.Unlock()
		call()
	}
}

// call makes the call of a request and keeps its end.
func (f *waitingFleet) call(ctx context.Context, number int64, r *outside.Request) {
	err := ctx.Err()
	if err == nil {
		err = f.wait(ctx, r)
	}
	now := f.times.simulated(time.Now())
	f.steps.Add(1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if failed, ok := errors.AsType[*brokenCall](err); ok && f.broken == nil {
		f.broken = fmt.Errorf("request %d (at %d ns, key %q): %w", number, r.AtNs, r.Key, failed.err)
	}
	f.returned = append(f.returned, outside.Returned{Request: number, AtNs: now, Admit: err == nil})
	select {
	case f.ends <- true:
	default:
	}
}

// brokenCall is the error of a call that panicked, as opposed to one that the limiter
// refused. Code of this package panics with it where a limiter cannot be called.
type brokenCall struct{ err error }

func (e *brokenCall) Error() string { return e.err.Error() }

// wait calls the limiter.
func (f *waitingFleet) wait(ctx context.Context, r *outside.Request) (err error) {
	failed := guarded(func() { err = f.limiter(r).Wait(ctx, r.Key, r.Cost) })
	if failed != nil {
		return &brokenCall{failed}
	}
	return err
}

// limiter returns the limiter of a request.
func (f *waitingFleet) limiter(r *outside.Request) Waiter {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.clients[r.Client].of(r.Key)
}

// Decide decides requests by calls that overlap. All must take the same time.
func (f *waitingFleet) Decide(requests []outside.Request, answers []outside.Answer) error {
	if f.row.kind != decides {
		return conformance.ErrWaits
	}
	first := f.next
	returned, err := f.Start(requests, requests[len(requests)-1].AtNs)
	for err == nil && len(returned) < len(requests) {
		var more []outside.Returned
		more, err = f.Next(requests[len(requests)-1].AtNs + int64(day))
		if returned = append(returned, more...); len(more) == 0 && err == nil {
			err = errors.New("a call takes longer than a day")
		}
	}
	if err != nil {
		return err
	}
	for _, r := range returned {
		i := r.Request - first
		length := r.AtNs - requests[i].AtNs
		if f.length < 0 {
			f.length = length
		}
		if length != f.length {
			return fmt.Errorf("one call takes %v of virtual time and another %v: only calls that all take the same are compared one by one",
				time.Duration(f.length), time.Duration(length))
		}
		answers[i].Admit = r.Admit
	}
	return nil
}

// Close ends the calls that still wait, and the limiters.
func (f *waitingFleet) Close() error {
	return f.close(func() error {
		f.cancel()
		f.calls.Wait()
		return closeAll(f.clients)
	})
}
