// Package concurrency simulates limits on the requests that each client has in flight.
//
// The package makes no promise: it can change at any time.
package concurrency

import (
	"errors"

	"github.com/limitgauge/limitgauge/algorithms/concurrency"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// Limiter describes clients that limit their requests in flight.
var Limiter = engine.Limiter{
	Entry:       concurrency.Entry(),
	Presets:     concurrency.Presets(),
	Check:       check,
	Executor:    newExecutor,
	Waits:       waits,
	OnePolicy:   "requests in flight are counted at a client, whatever their keys",
	ClientBytes: 128,
	KeyBytes:    func(*scenarios.Algorithm, int) int64 { return 0 },
}

func check(s *engine.Setting, a *scenarios.Algorithm) error {
	switch _, err := concurrency.New(a.Options); {
	case err != nil:
		return err
	case s.Scenario.Guard == nil:
		return errors.New("a limit on concurrency needs a guard: without a backend no request is in flight")
	case waiting(a) && s.Scenario.RetriesOf(a) != nil:
		return errors.New("when_full: wait does not go together with retries: use when_full: refuse")
	}
	return nil
}

func waiting(a *scenarios.Algorithm) bool { return a.Options.String("when_full") == "wait" }

func waits(_ *engine.Setting, a *scenarios.Algorithm) *counting.Waiting {
	if !waiting(a) {
		return nil
	}
	return &counting.Waiting{Time: a.Options.Duration("max_wait")}
}

// limiter runs the clients.
type limiter struct {
	executor *engine.EventExecutor
	clients  []client
	maxWait  int64 // ns; 0 refuses at once
}

// client is a client with its limit.
type client struct {
	law      concurrency.Law
	inFlight int64
	waiting  engine.FIFO[waiter]
	timed    bool // an event will end the wait of the first one
}

type waiter struct {
	slot   int32
	expiry int64
}

// expire is the kind of the only event: the first caller of the client Ref gives up.
const expire uint32 = iota

func newExecutor(t *engine.Trial) (engine.Executor, error) {
	l := &limiter{executor: engine.NewEventExecutor(t.Sinks, t.Start), clients: make([]client, t.Clients())}
	if waiting(t.Algorithm) {
		l.maxWait = t.Algorithm.Options.Duration("max_wait")
	}
	for i := range l.clients {
		l.clients[i].law = engine.Must(concurrency.New(t.Algorithm.Options))
		t.Recorder.Limit(t.Origin, int32(i), l.clients[i].law.Limit())
	}
	t.Guard.OnAnswer(l.answered)
	l.executor.Run(l)
	return l.executor, nil
}

func (l *limiter) Arrive(now int64, slot int32) {
	id := l.executor.Attempt(slot).Client
	c := &l.clients[id]
	switch {
	case c.inFlight < c.law.Limit(): // nobody waits then
		l.send(c, slot)
	case l.maxWait == 0:
		l.executor.Reject(slot, counting.ByLimiter)
	default:
		c.waiting.Push(waiter{slot, now + min(l.maxWait, engine.Never-1-now)})
		l.watch(c, id)
	}
}

func (l *limiter) send(c *client, slot int32) {
	c.inFlight++
	l.executor.Guard.Carry(c.inFlight)
	l.executor.Admit(slot, counting.ByLimiter)
}

// watch schedules the time at which the first caller of a client gives up.
func (l *limiter) watch(c *client, id int32) {
	if c.waiting.Len() > 0 && !c.timed {
		c.timed = true
		l.executor.Schedule(c.waiting.Front().expiry, expire, id)
	}
}

func (l *limiter) Fire(e engine.Event) {
	c := &l.clients[e.Ref]
	c.timed = false
	for c.waiting.Len() > 0 && c.waiting.Front().expiry <= e.Time {
		l.executor.Reject(c.waiting.Pop().slot, counting.ByMaxWait)
	}
	l.watch(c, e.Ref)
}

// answered frees the place of a request, then moves the limit, then sends callers that wait.
func (l *limiter) answered(now int64, a engine.Answered) {
	c := &l.clients[a.Client]
	c.inFlight--
	before := c.law.Limit()
	c.law.Answer(concurrency.Sample{Sent: a.Sent, RTT: now - a.Sent, InFlight: a.InFlight, Dropped: !a.Good})
	if limit := c.law.Limit(); limit != before {
		l.executor.Recorder.Limit(now, a.Client, limit)
	}
	for c.waiting.Len() > 0 && c.inFlight < c.law.Limit() {
		l.send(c, c.waiting.Pop().slot)
	}
}

// Inspect returns the free places of a client. Nobody knows when one will be free if there
// is none.
func (l *limiter) Inspect(_, id int32, now, _ int64) (level, retryAt int64) {
	c := &l.clients[id]
	if free := c.law.Limit() - c.inFlight; free > 0 {
		return free, now
	}
	return engine.UnknownLevel, counting.Never
}
