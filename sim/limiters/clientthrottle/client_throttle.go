// Package clientthrottle simulates clients that reject a share of their requests
// before they reach a limiter.
package clientthrottle

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/clientthrottle"
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Limiter describes clients that throttle themselves in front of a limiter.
var Limiter = engine.Limiter{
	Entry:      clientthrottle.Entry(),
	Presets:    clientthrottle.Presets(),
	Check:      checkThrottle,
	Executor:   newThrottle,
	Random:     throttleDraws,
	Servers:    engine.TopologyServers,
	AffectedBy: network.CallFaults,
}

func checkThrottle(s *engine.Setting, a *scenarios.Algorithm) error {
	config, err := clientthrottle.ConfigFrom(a.Options)
	if err != nil {
		return err
	}
	if _, err := s.NewTable(a, s.Limit, engine.Whole, 0); err != nil {
		return err
	}
	if servers := s.Servers(); config.Remote && servers > engine.MaxPairs/max(s.Keys, 1) {
		return fmt.Errorf("%d servers with %d keys each need more than %d counters", servers, s.Keys, engine.MaxPairs)
	}
	_, err = s.Latency()
	return err
}

// throttleDraws is always: whether a coin is ever thrown depends on the traffic.
func throttleDraws(*engine.Setting, *scenarios.Algorithm) bool { return true }

func newThrottle(t *engine.Trial) (engine.Executor, error) {
	config, err := clientthrottle.ConfigFrom(t.Algorithm.Options)
	if err != nil {
		return nil, err
	}
	c := throttlers{config: config, coin: t.Stream("coin"), load: t.Recorder.Load()}
	for range t.Clients() {
		c.clients = append(c.clients, clientthrottle.NewClient(&c.config))
	}
	table := func(keys int) (counter.Table, error) {
		return t.NewTable(t.Algorithm, t.Limit, engine.Whole, keys)
	}
	wire, err := network.NewLink(t)
	if err != nil {
		return nil, err
	}
	if !config.Remote {
		limiter, err := table(t.Keys)
		b := &throttledBlocks{throttlers: c, wire: wire, limiter: limiter}
		b.wire.Forsaken, b.wire.Forget, b.wire.Restart = b.forsake, func(int32) {}, func(int64, int32) {}
		return engine.NewBlockExecutor(t.Sinks, b), err
	}
	l := &throttledCalls{throttlers: c, wire: wire, executor: engine.NewEventExecutor(t.Sinks, t.Start)}
	for range t.Servers() {
		limiter, err := table(t.Keys)
		if err != nil {
			return nil, err
		}
		l.limiters = append(l.limiters, limiter)
	}
	l.wire.Forsaken, l.wire.Forget = l.forsake, func(int32) {}
	l.wire.Restart = func(_ int64, server int32) {
		if limiter, err := table(t.Keys); err == nil { // as it was before
			l.limiters[server] = limiter
		}
	}
	l.executor.Run(l)
	return l.executor, nil
}

// throttlers are clients that throttle themselves.
type throttlers struct {
	config  clientthrottle.Config
	clients []*clientthrottle.Client
	coin    random.Stream
	load    *measure.Load
}

func (t *throttlers) forsake(id int32) { t.clients[id] = clientthrottle.NewClient(&t.config) }

// throttledBlocks is throttlers before a limiter that everybody asks at once.
type throttledBlocks struct {
	throttlers
	wire    network.Link
	limiter counter.Table
}

func (b *throttledBlocks) Decide(a *engine.Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	for i := lo; i < hi; i++ {
		now, key := a.Time[i], a.Key[i]
		b.wire.Follow(now)
		client := b.clients[a.Client[i]]
		if !client.Sends(now, key, &b.coin) {
			verdicts[i-lo] = counter.MakeVerdict(false, counter.ByLocal)
			continue
		}
		b.load.Call(now, int(b.wire.Asked(now, key)), 1)
		v := b.limiter.Take(key, now, a.Cost[i])
		if v.Admitted() {
			client.Accepted(now, key)
		}
		verdicts[i-lo] = v
	}
	return hi - lo
}

func (*throttledBlocks) Next() int64 { return engine.Never }
func (*throttledBlocks) Step(int64)  {}

// Inspect tells what the limiter knows.
func (b *throttledBlocks) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return b.limiter.Level(key, now), b.limiter.RetryAt(key, now, cost)
}

// throttledCalls is throttlers before a limiter that is a call away: a table in
// the memory of each server, of which it uses the keys that it owns.
type throttledCalls struct {
	throttlers
	wire     network.Link
	limiters []counter.Table // by server
	executor *engine.EventExecutor
	calls    []throttleCall
	free     []int32
}

// throttleCall is a request on its way to the limiter, and its answer.
type throttleCall struct {
	slot, server int32
	sent, back   int64
	verdict      counter.Verdict
}

// What happens at one instant, in this order.
const (
	requestAtLimiter uint32 = iota
	requestAnswered
	requestTimesOut
)

func (l *throttledCalls) Arrive(now int64, slot int32) {
	l.wire.Follow(now)
	a := l.executor.Attempt(slot)
	if !l.clients[a.Client].Sends(now, a.Key, &l.coin) {
		l.executor.Reject(slot, counter.ByLocal)
		return
	}
	l.executor.Asks(slot)
	ref := engine.Take(&l.calls, &l.free)
	there, back := l.wire.Trip(now)
	l.calls[ref] = throttleCall{slot: slot, server: l.wire.Asked(now, a.Key), sent: now, back: back}
	if l.wire.Faults.Cut(now, a.Client) {
		l.fail(ref)
		return
	}
	l.executor.Schedule(now+there, requestAtLimiter, ref)
}

// fail lets a call time out that no answer will come to.
func (l *throttledCalls) fail(ref int32) {
	l.executor.Schedule(l.calls[ref].sent+l.config.Timeout, requestTimesOut, ref)
}

func (l *throttledCalls) Fire(e engine.Event) {
	l.wire.Follow(e.Time)
	c := &l.calls[e.Ref]
	if e.Kind == requestAtLimiter {
		l.serve(e.Time, e.Ref)
		return
	}
	l.free = append(l.free, e.Ref)
	a := l.executor.Attempt(c.slot)
	switch {
	case e.Kind == requestTimesOut && l.config.Open:
		l.executor.TimedOut(c.slot)
		l.executor.Admit(c.slot, counter.ByFailOpen)
	case e.Kind == requestTimesOut:
		l.executor.TimedOut(c.slot)
		l.executor.Reject(c.slot, counter.ByFailClosed)
	case c.verdict.Admitted():
		l.clients[a.Client].Accepted(e.Time, a.Key)
		l.executor.Admit(c.slot, c.verdict.Cause())
	default:
		l.executor.Reject(c.slot, c.verdict.Cause())
	}
}

func (l *throttledCalls) serve(now int64, ref int32) {
	c := &l.calls[ref]
	a := l.executor.Attempt(c.slot)
	if !l.wire.Answers(now, a.Key, c.server) {
		l.fail(ref)
		return
	}
	l.load.Call(now, int(c.server), 1)
	c.verdict = l.limiters[c.server].Take(a.Key, now, a.Cost)
	if at := now + c.back; l.wire.Faults.Cut(now, a.Client) || at > c.sent+l.config.Timeout {
		l.fail(ref)
	} else {
		l.executor.Schedule(at, requestAnswered, ref)
	}
}

func (*throttledCalls) Completed(int64, int32, int64) {}
func (*throttledCalls) Finish(*measure.Recorder)      {}

// Inspect tells what the key's server knows.
func (l *throttledCalls) Inspect(key int32, now, cost int64) (level, retryAt int64) {
	limiter := l.limiters[l.wire.Asked(now, key)]
	return limiter.Level(key, now), limiter.RetryAt(key, now, cost)
}
