// Package send sends planned requests to a real limiter at their times and records
// when each was sent and answered.
//
// The loop is open: no send ever waits for an answer. One of several workers, the
// leader, waits for the time of the next request. Then it makes another worker lead,
// sends the request and waits for the answer. What a cap holds back is recorded as not
// sent.
//
// The package makes no promise: it can change at any time.
package send

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Options says how a run sends. The zero value has the defaults.
type Options struct {
	Caps    Caps
	Timeout time.Duration // of one request; default 5 s
	Grace   time.Duration // to wait for answers after the run was stopped; default 1 s

	// Retry, if not nil, returns how long after its answer a rejected request is sent again,
	// or false if it is not. first is the number of the planned request that it repeats. No
	// retry is sent after EndNs. Retries count for all caps.
	Retry func(e *exchange.Exchange, first int64) (waitNs int64, again bool)
	EndNs int64

	// So many failed requests in a row stop the run, default 100, if the last one failed
	// at least FailingFor after the first, default 3 s. So a target that stands still for
	// a moment ends no run, at any rate of requests.
	Failures   int
	FailingFor time.Duration

	// Progress, if not nil, is called about every ProgressEvery (default 1 s) and
	// once at the end, by one goroutine at a time.
	Progress      func(Progress)
	ProgressEvery time.Duration
}

func (o Options) withDefaults() (Options, error) {
	var err error
	if o.Caps, err = o.Caps.withDefaults(); err != nil {
		return o, err
	}
	if o.Timeout < 0 {
		return o, fmt.Errorf("the timeout is %v, it must be above 0", o.Timeout)
	}
	o.Timeout, o.Grace, o.ProgressEvery = cmp.Or(o.Timeout, 5*time.Second), cmp.Or(o.Grace, time.Second), cmp.Or(o.ProgressEvery, time.Second)
	o.Failures, o.FailingFor = cmp.Or(o.Failures, 100), cmp.Or(o.FailingFor, 3*time.Second)
	return o, nil
}

// Result is a run that has ended.
type Result struct {
	Exchanges []exchange.Exchange // all that were planned, in the order of their numbers, then the retries
	Start     time.Time           // time 0 of the run
	Sender    results.LiveSender  // how well it kept to its schedule; the figures of answers are not set

	// Partial reports that the run was stopped before its last request was sent or
	// before all answers were awaited; Stopped says why.
	Partial bool
	Stopped string
}

// The reasons that NotSent and some Failed requests have as their Failure.
const (
	HeldBack   = "cap on requests in flight"  // NotSent: as many requests were in flight as the cap permits
	OverRate   = "cap on requests per second" // NotSent: with retries there are more than the cap permits
	AfterEnd   = "run stopped"                // NotSent: the run was stopped before
	Timeout    = "timeout"                    // Failed: no answer within Options.Timeout
	Unanswered = "no answer before the end"   // Failed: the run ended while it was in flight
	TooLong    = "wait of over 36 years"      // Failed: its wait cannot be judged
)

// longestWaitNs is the longest wait that can be judged.
const longestWaitNs = 1 << 60

// Interrupted is what Result.Stopped says if the context of the run ended.
const Interrupted = "interrupted"

// startDelay is the time between a call of Run and the time 0 of its run, in which the
// first worker starts.
const startDelay = 20 * time.Millisecond

// Run sends requests, which Schedule returned in the order of time, to a target and
// waits for the answers. It fills in the exchanges. When ctx ends, sends end at once and answers
// are awaited for Options.Grace; the result then has what is there. The error
// is about the options only: requests that fail are part of the result. Run does not
// close the target.
func Run(ctx context.Context, exchanges []exchange.Exchange, target exchange.Target, o Options) (*Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	c := clock{time.Now().Add(startDelay)}
	r := &run{
		Options: o, exchanges: exchanges, target: target, clock: c, sleeper: newSleeper(c),
		work: make(chan job), halt: make(chan struct{}), dispatched: make(chan struct{}),
	}
	var cancel context.CancelFunc
	r.calls, cancel = context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(ctx, func() { r.stop(Interrupted) })()
	end := r.report()
	answered := make(chan struct{})
	go func() {
		r.give(job{lead: true})
		<-r.dispatched
		r.workers.Wait()
		close(answered)
	}()
	r.await(answered, cancel)
	end()
	return r.result(), nil
}
