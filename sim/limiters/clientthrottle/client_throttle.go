// Package clientthrottle simulates clients that reject a share of their requests
// before they reach a limiter.
//
// The package makes no promise: it can change at any time.
package clientthrottle

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/clientthrottle"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that throttle themselves in front of a limiter.
var Limiter = engine.Limiter{
	Entry:       clientthrottle.Entry(),
	Presets:     clientthrottle.Presets(),
	Check:       checkThrottle,
	Executor:    newThrottle,
	ClientBytes: 64,
	Random:      throttleDraws,
	Servers:     engine.TopologyServers,
	AffectedBy:  network.CallFaults,
	Unaffected:  unaffected,
	Sidecar:     true,
}

// unaffected returns why a fault cannot affect an algorithm.
func unaffected(_ *engine.Setting, a *scenarios.Algorithm, f *scenarios.Fault) string {
	switch f.Kind {
	case "network", "partition", "server-restart", "server-crash", "server-latency":
		if config := engine.Must(clientthrottle.ConfigFrom(a.Options)); !config.Remote {
			return "its limiter responds at once, without a network and servers"
		}
	}
	return ""
}

func checkThrottle(s *engine.Setting, a *scenarios.Algorithm) error {
	config, err := clientthrottle.ConfigFrom(a.Options)
	if err != nil {
		return err
	}
	if config.Guard {
		return guardable(s)
	}
	if err := s.CheckTables(a, engine.Whole); err != nil {
		return err
	}
	if s.MultiPolicy() && config.Remote && s.Servers() > 1 {
		return fmt.Errorf("client-throttle with backend: remote and more than one server %w: the keys of a request may be on different servers, "+
			"and the book describes one backend that accepts or rejects a request; use servers: 1", engine.ErrOnePolicy)
	}
	if !config.Remote {
		return nil
	}
	return s.CheckPairs(s.AllServers(), "servers")
}

// throttleDraws always reports true: it depends on the traffic whether a client
// draws.
func throttleDraws(*engine.Setting, *scenarios.Algorithm) bool { return true }

func newThrottle(t *engine.Trial) (engine.Executor, error) {
	config := engine.Must(clientthrottle.ConfigFrom(t.Algorithm.Options))
	c := throttlers{config: config, coin: t.Stream("coin"), load: t.Load(), joins: engine.IsJoint(t.Setting, t.Algorithm), joint: counting.JointOf(t.Algorithm.Options)}
	for range t.Clients() {
		c.clients = append(c.clients, clientthrottle.NewClient(&c.config))
	}
	table := func() counting.Table { return engine.Must(engine.NewTables(t.Setting, t.Algorithm, engine.Whole)) }
	if !c.joins {
		table = func() counting.Table { return engine.Must(t.NewTable(t.Algorithm, t.Limit, engine.Whole, t.Keys)) }
	}
	if config.Guard {
		return newGuarded(t, c), nil
	}
	c.calls = network.NewCalls[request](t, nil, config.Timeout, func(int64, int32, int32) {})
	if !config.Remote {
		b := &throttledBlocks{throttlers: c, limiter: table()}
		b.calls.Apply = b.applyFaults
		return engine.NewBlockExecutor(t.Sinks, b), nil
	}
	l := &throttledCalls{throttlers: c, executor: engine.NewEventExecutor(t.Sinks, t.Start), table: table}
	l.calls.Scheduler, l.calls.Apply = l.executor, l.applyFaults
	for range t.AllServers() {
		l.limiters = append(l.limiters, table())
	}
	l.executor.Run(l)
	return l.executor, nil
}

// throttlers are the clients that throttle themselves, and their calls.
type throttlers struct {
	config  clientthrottle.Config
	clients []*clientthrottle.Client
	coin    random.Stream
	load    *measure.Load
	calls   network.Calls[request]
	joins   bool // the limiter decides about all keys of a request together
	joint   counting.Joint
}

// take has a limiter decide a request. It appends the keys whose own limit accepts it
// to accepted.
func (t *throttlers) take(limiter counting.Table, keys []int32, now, cost int64, accepted []int32) (counting.Verdict, []int32) {
	if t.joins {
		for _, key := range keys {
			if limiter.RetryAt(key, now, cost) <= now {
				accepted = append(accepted, key)
			}
		}
		return t.joint.Take(limiter, keys, now, cost), accepted
	}
	v := limiter.Take(keys[0], now, cost)
	if v.Admitted() {
		accepted = append(accepted, keys[0])
	}
	return v, accepted
}

func (t *throttlers) applyFaults(c network.Change) {
	t.calls.ApplyFaults(c.At)
	for id := c.Active; id < c.Before; id++ {
		t.clients[id] = clientthrottle.NewClient(&t.config)
	}
}

// throttledBlocks runs clients in front of one limiter that responds at once.
type throttledBlocks struct {
	throttlers
	limiter  counting.Table
	accepted []int32
}

func (b *throttledBlocks) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i := lo; i < hi; i++ {
		now, keys := a.Time[i], a.Keys(i)
		b.calls.Follow(now)
		client := b.clients[a.Client[i]]
		switch {
		case len(keys) == 0:
			verdicts[i-lo] = counting.Admitted
			continue
		case !client.SendsAll(now, keys, &b.coin):
			verdicts[i-lo] = counting.MakeVerdict(false, counting.ByLocal)
			continue
		}
		b.load.Call(now, int(b.calls.Asked(now, a.Client[i], keys[0])), int64(len(keys)))
		verdicts[i-lo], b.accepted = b.take(b.limiter, keys, now, a.Cost[i], b.accepted[:0])
		client.AcceptedAll(now, b.accepted)
	}
	return hi - lo
}

func (*throttledBlocks) Next() int64 { return engine.Never }
func (*throttledBlocks) Step(int64)  {}

// Inspect returns the state of the limiter.
func (b *throttledBlocks) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return b.limiter.Level(key, now), b.limiter.RetryAt(key, now, cost)
}

// throttledCalls runs clients in front of servers that they call. Each server has
// a table in its memory, of which it uses the keys that it owns.
type throttledCalls struct {
	throttlers
	limiters []counting.Table // by server
	table    func() counting.Table
	executor *engine.EventExecutor
}

// request is a call about an attempt, and the decision about it.
type request struct {
	slot     int32
	verdict  counting.Verdict
	accepted []int32 // the keys whose own limit has accepted it
}

func (l *throttledCalls) applyFaults(c network.Change) {
	for _, server := range c.Restarted {
		l.limiters[server] = l.table()
	}
	l.throttlers.applyFaults(c)
}

func (l *throttledCalls) Arrive(now int64, slot int32) {
	l.calls.Follow(now)
	a, keys := l.executor.Attempt(slot), l.executor.Keys(slot)
	switch {
	case len(keys) == 0:
		l.executor.Admit(slot, counting.ByLimiter)
		return
	case !l.clients[a.Client].SendsAll(now, keys, &l.coin):
		l.executor.Reject(slot, counting.ByLocal)
		return
	}
	l.executor.Asks(slot)
	ref := l.calls.Take()
	call := l.calls.At(ref)
	call.Client, call.Server, call.Body.slot = a.Client, l.calls.Asked(now, a.Client, keys[0]), slot
	l.calls.Send(now, ref, nil)
}

func (l *throttledCalls) Fire(e engine.Event) {
	l.calls.Follow(e.Time)
	if e.Kind == network.RequestArrives {
		l.serve(e.Time, e.Ref)
		return
	}
	c := l.calls.At(e.Ref)
	l.calls.Release(e.Ref)
	slot, v := c.Body.slot, c.Body.verdict
	if e.Kind == network.CallFails {
		l.executor.TimedOut(slot)
		v = counting.Unanswered(l.config.Open)
	} else {
		l.clients[c.Client].AcceptedAll(e.Time, c.Body.accepted)
	}
	l.executor.Settle(slot, v)
}

func (l *throttledCalls) serve(now int64, ref int32) {
	c := l.calls.At(ref)
	keys := l.executor.Keys(c.Body.slot)
	for _, key := range keys {
		if !l.calls.Answers(now, key, c.Server) {
			l.calls.Fail(ref)
			return
		}
	}
	l.load.Call(now, int(c.Server), int64(len(keys)))
	b := &c.Body
	b.verdict, b.accepted = l.take(l.limiters[c.Server], keys, now, l.executor.Attempt(b.slot).Cost, b.accepted[:0])
	l.calls.Respond(now, ref)
}

// Inspect returns the state of the key's server.
func (l *throttledCalls) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	limiter := l.limiters[l.calls.Asked(now, client, key)]
	return limiter.Level(key, now), limiter.RetryAt(key, now, cost)
}
