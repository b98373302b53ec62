// Package concurrency simulates limits on the requests that each client has in flight.
//
// The package makes no promise: it can change at any time.
package concurrency

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/concurrency"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// Limiter describes clients that limit their requests in flight.
var Limiter = engine.Limiter{
	Entry:       concurrency.Entry(),
	Presets:     concurrency.Presets(),
	Check:       check,
	Executor:    newExecutor,
	Random:      draws,
	Waits:       waits,
	Predict:     predict,
	OnePolicy:   "requests in flight are counted at a client, whatever their keys",
	ClientBytes: 128,
	KeyBytes:    func(*scenarios.Algorithm, int) int64 { return 0 },
}

// Fixed returns the algorithm of clients with a limit that does not move, as a row is called
// whose limit the run finds.
func Fixed(limit int64) *scenarios.Algorithm {
	return &scenarios.Algorithm{Name: scenarios.BestFixed, Enforcement: Limiter.Entry.Name, Options: catalog.WithDefaults(Limiter.Entry.Fields, catalog.Values{"limit": {V: limit}})}
}

func check(s *engine.Setting, a *scenarios.Algorithm) error {
	_, err := concurrency.New(a.Options, s.Origin, &random.Stream{})
	return cmp.Or(err,
		catalog.ErrorIf(s.Scenario.Guard == nil,
			"a limit on concurrency needs a guard: without a backend no request is in flight"),
		catalog.ErrorIf(waiting(a) && s.Scenario.RetriesOf(a) != nil,
			"when_full: wait does not go together with retries: use when_full: refuse"))
}

// draws reports whether the law draws random numbers.
func draws(_ *engine.Setting, a *scenarios.Algorithm) bool {
	return slices.Contains([]string{"vegas", "envoy"}, a.Options.String("law"))
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
	timed    concurrency.Timed // the law, if it acts at times of its own
	acts     int64             // when the next event comes at which it may; engine.Never for none
	limit    int64
	probing  bool
	inFlight int64
	waiting  engine.FIFO[waiter]
	watched  bool // an event will end the wait of the first one
}

type waiter struct {
	slot   int32
	expiry int64
}

// Kinds of events of the client Ref.
const (
	expire uint32 = iota // the first caller gives up
	act                  // the law acts; plus Ref, so that at one instant clients act in order
)

func newExecutor(t *engine.Trial) (engine.Executor, error) {
	l := &limiter{executor: engine.NewEventExecutor(t.Sinks, t.Start), clients: make([]client, t.Clients())}
	if waiting(t.Algorithm) {
		l.maxWait = t.Algorithm.Options.Duration("max_wait")
	}
	stream := t.Stream("law")
	for i := range l.clients {
		c := &l.clients[i]
		c.law, c.acts = engine.Must(concurrency.New(t.Algorithm.Options, t.Origin, &stream)), engine.Never
		c.timed, _ = c.law.(concurrency.Timed)
		l.moved(t.Origin, int32(i))
	}
	t.Guard.OnAnswer(l.answered)
	l.executor.Run(l)
	return l.executor, nil
}

func (l *limiter) Arrive(now int64, slot int32) {
	id := l.executor.Attempt(slot).Client
	c := &l.clients[id]
	switch {
	case c.inFlight < c.limit: // nobody waits then
		l.send(c, slot)
	case l.maxWait == 0:
		l.refuse(c, slot, counting.ByLimiter)
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

func (l *limiter) refuse(c *client, slot int32, by counting.Cause) {
	if c.probing {
		l.executor.Recorder.ProbeRefused(l.executor.Attempt(slot).Arrival)
	}
	l.executor.Reject(slot, by)
}

// watch schedules the time at which the first caller of a client gives up.
func (l *limiter) watch(c *client, id int32) {
	if c.waiting.Len() > 0 && !c.watched {
		c.watched = true
		l.executor.Schedule(c.waiting.Front().expiry, expire, id)
	}
}

func (l *limiter) Fire(e engine.Event) {
	c := &l.clients[e.Ref]
	if e.Kind >= act {
		c.acts = engine.Never
		if c.timed.Next() <= e.Time {
			c.timed.Act(e.Time)
		}
		l.moved(e.Time, e.Ref)
		return
	}
	c.watched = false
	for c.waiting.Len() > 0 && c.waiting.Front().expiry <= e.Time {
		l.refuse(c, c.waiting.Pop().slot, counting.ByMaxWait)
	}
	l.watch(c, e.Ref)
}

// answered frees the place of a request, then moves the limit, then sends callers that wait.
func (l *limiter) answered(now int64, a engine.Answered) {
	c := &l.clients[a.Client]
	c.inFlight--
	c.law.Answer(concurrency.Sample{Sent: a.Sent, RTT: now - a.Sent, InFlight: a.InFlight, Dropped: !a.Good})
	l.moved(now, a.Client)
}

// moved takes over what a law has done: its limit, callers for whom there is room now, and
// the time at which it acts next.
func (l *limiter) moved(now int64, id int32) {
	c := &l.clients[id]
	if limit := c.law.Limit(); limit != c.limit {
		c.limit = limit
		l.executor.Recorder.Limit(now, id, limit)
	}
	if c.timed != nil {
		if probing := c.timed.Probing(); probing != c.probing {
			c.probing = probing
			l.executor.Recorder.Probe(now, id, probing)
		}
		if next := c.timed.Next(); next < c.acts {
			c.acts = next
			l.executor.Schedule(next, act+uint32(id), id)
		}
	}
	for c.waiting.Len() > 0 && c.inFlight < c.limit {
		l.send(c, c.waiting.Pop().slot)
	}
}

// Inspect returns the free places of a client. Nobody knows when one will be free if there
// is none.
func (l *limiter) Inspect(_, id int32, now, _ int64) (level, retryAt int64) {
	c := &l.clients[id]
	if free := c.limit - c.inFlight; free > 0 {
		return free, now
	}
	return engine.UnknownLevel, counting.Never
}
