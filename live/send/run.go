package send

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// run is the state of one run.
type run struct {
	Options
	exchanges []exchange.Exchange
	target    exchange.Target
	clock     clock
	calls     context.Context // of all calls of the target
	sleeper   sleeper
	work      chan job // to workers that wait for one
	workers   sync.WaitGroup
	started   int64         // number of workers; only the leader reads and writes it
	halted    atomic.Bool   // no request is sent any more, because the run was stopped
	halt      chan struct{} // closed when halted is set

	dispatched chan struct{} // closed when no request is sent any more

	mu       sync.Mutex // guards all below, and the exchanges of sent requests
	count    Progress
	peak     int64  // most requests in flight
	failures int    // in a row
	failing  int64  // when the first of them failed, in ns
	stopped  string // why the run was stopped, or ""
	closed   bool   // exchanges no longer change
	retried  []*exchange.Exchange
	recent   []int64 // when requests were sent within the last second, if there are retries
}

// call sends a request and records the answer. A rejected one is sent again if its caller
// retries. first is the number of the planned request that it repeats, or its own.
func (r *run) call(e *exchange.Exchange, first int64) {
	ctx, cancel := context.WithTimeout(r.calls, r.Timeout)
	defer cancel()
	sentNs := r.clock.now()
	if !r.sent(e, sentNs) {
		return
	}
	a, err := r.target.Ask(ctx, &e.Request)
	answeredNs := r.clock.now()
	class := ""
	if a.Admit && a.WaitNs > longestWaitNs {
		class = TooLong
	}
	var failure interface{ Unsent() bool }
	unsent := errors.As(err, &failure) && failure.Unsent()
	if err != nil {
		switch class = err.Error(); {
		case r.calls.Err() != nil:
			class = Unanswered
		case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
			class = Timeout
		}
	}
	r.answered(e, answeredNs, a, class, unsent)
	if class == "" && !a.Admit && r.Retry != nil {
		r.again(e, first)
	}
}

// sent records that a request is in flight. It returns false if the run was stopped.
func (r *run) sent(e *exchange.Exchange, sentNs int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped != "" {
		return false
	}
	if r.Retry != nil && r.overRate(sentNs) {
		e.Failure = OverRate
		r.count.HeldBack++
		return false
	}
	e.SentNs, e.Verdict, e.Failure = sentNs, exchange.Failed, Unanswered // until it is answered
	r.count.Sent++
	r.count.InFlight++
	r.peak = max(r.peak, r.count.InFlight)
	r.count.LatenessNs = max(r.count.LatenessNs, sentNs-e.IntendedNs)
	return true
}

// answered records the answer to a request, or the class of its failure. One of which
// nothing was sent counts as not sent: the limiter cannot have admitted it.
func (r *run) answered(e *exchange.Exchange, answeredNs int64, a exchange.Answer, class string, unsent bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.count.InFlight--
	e.AnsweredNs, e.Failure = answeredNs, class
	switch {
	case class != "":
		if unsent {
			e.Verdict, e.SentNs, e.AnsweredNs = exchange.NotSent, exchange.Unstated, exchange.Unstated
			r.count.Sent--
		}
		e.Retries = a.Retries
		r.count.Failed++
		if r.failures++; r.failures == 1 {
			r.failing = answeredNs
		}
		if r.failures >= r.Failures && answeredNs-r.failing >= int64(r.FailingFor) {
			r.stopLocked(fmt.Sprintf("%d requests in a row failed, the last one with: %s", r.failures, class))
		}
		return
	case a.Admit:
		e.Verdict = exchange.Admitted
		r.count.Admitted++
	default:
		e.Verdict = exchange.Rejected
		r.count.Rejected++
	}
	e.Answer, r.failures = a, 0
}

// holdBack records that a request was not sent because of the cap on requests in
// flight.
func (r *run) holdBack(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped == "" {
		r.exchanges[i].Failure = HeldBack
		r.count.HeldBack++
	}
}

// stop ends all sends. Only the first reason counts.
func (r *run) stop(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopLocked(why)
}

func (r *run) stopLocked(why string) {
	if r.stopped == "" {
		r.stopped = why
		r.halted.Store(true)
		close(r.halt)
	}
}

// await waits until all requests are answered. If the run is stopped, it waits for
// the time of grace, then cancels the calls that are left. Calls that do not return
// when their context ends are left behind.
func (r *run) await(answered <-chan struct{}, cancel context.CancelFunc) {
	grace := r.Grace
	select {
	case <-answered:
		return
	case <-r.halt:
	case <-r.dispatched:
		select {
		case <-answered:
			return
		case <-r.halt:
		case <-time.After(r.Timeout + returning):
			grace = 0
		}
	}
	for _, patience := range []time.Duration{grace, returning} {
		select {
		case <-answered:
			return
		case <-time.After(patience):
			cancel()
		}
	}
}

// returning is the time that calls have to return after their context has ended.
const returning = 500 * time.Millisecond

// result closes the run.
func (r *run) result() *Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, e := range r.retried {
		r.exchanges = append(r.exchanges, *e)
	}
	endNs := r.clock.now()
	for i := range r.exchanges {
		switch e := &r.exchanges[i]; {
		case e.Verdict == exchange.NotSent && e.Failure == "":
			e.Failure = AfterEnd
		case e.Verdict == exchange.Failed && e.AnsweredNs == exchange.Unstated:
			e.AnsweredNs = endNs
		}
	}
	q := quality(r.exchanges)
	q.InFlightPeak, q.Precision = r.peak, r.sleeper.precision
	return &Result{Exchanges: r.exchanges, Start: r.clock.start, Sender: q, Partial: r.stopped != "", Stopped: r.stopped}
}
