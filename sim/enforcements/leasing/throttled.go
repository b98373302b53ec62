package leasing

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/algorithms/throttle"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/random"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// ClientThrottle lets clients throttle themselves before a limiter.
var ClientThrottle = trial.Enforcement{Check: checkThrottle, Random: throttleDraws, Delays: trial.NeverDelays, Servers: trial.TopologyServers, Bitten: wireFaults, Lane: throttleLane}

func checkThrottle(s *trial.Setting, a *scenarios.Algorithm) error {
	if _, err := throttle.ConfigFrom(a.Options); err != nil {
		return err
	}
	if _, err := s.NewTable(a, s.Limit, trial.Whole, 0); err != nil {
		return err
	}
	if servers := s.Servers(); a.Options.String("backend") == "remote" && servers > trial.MaxPairs/max(s.Keys, 1) {
		return fmt.Errorf("%d servers with %d keys each need more than %d counters", servers, s.Keys, trial.MaxPairs)
	}
	_, err := s.Latency()
	return err
}

// throttleDraws is always: whether a coin is ever thrown depends on the traffic.
func throttleDraws(*trial.Setting, *scenarios.Algorithm) bool { return true }

func throttleLane(t *trial.Trial) (lanes.Lane, error) {
	config, err := throttle.ConfigFrom(t.Algorithm.Options)
	if err != nil {
		return nil, err
	}
	c := throttlers{config: config, coin: t.Stream("coin"), load: t.Recorder.Load()}
	for range t.Clients() {
		c.clients = append(c.clients, throttle.NewClient(&c.config))
	}
	table := func(keys int) (counters.Table, error) {
		return t.NewTable(t.Algorithm, t.Limit, trial.Whole, keys)
	}
	wire, err := newLeaseWire(t)
	if err != nil {
		return nil, err
	}
	if !config.Remote {
		limiter, err := table(t.Keys)
		b := &throttledBlocks{throttlers: c, wire: wire, limiter: limiter}
		b.wire.forsaken, b.wire.forget, b.wire.restart = b.forsake, func(int32) {}, func(int64, int32) {}
		return lanes.NewBlockLane(t.Books, b), err
	}
	l := &throttledCalls{throttlers: c, wire: wire, lane: lanes.NewEventLane(t.Books, t.Start)}
	for range t.Servers() {
		limiter, err := table(t.Keys)
		if err != nil {
			return nil, err
		}
		l.limiters = append(l.limiters, limiter)
	}
	l.wire.forsaken, l.wire.forget = l.forsake, func(int32) {}
	l.wire.restart = func(_ int64, server int32) {
		if limiter, err := table(t.Keys); err == nil { // as it was before
			l.limiters[server] = limiter
		}
	}
	l.lane.Run(l)
	return l.lane, nil
}

// throttlers are clients that throttle themselves.
type throttlers struct {
	config  throttle.Config
	clients []*throttle.Client
	coin    random.Stream
	load    *measure.Load
}

func (t *throttlers) forsake(id int32) { t.clients[id] = throttle.NewClient(&t.config) }

// throttledBlocks is throttlers before a limiter that everybody asks at once.
type throttledBlocks struct {
	throttlers
	wire    leaseWire
	limiter counters.Table
}

func (b *throttledBlocks) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	for i := lo; i < hi; i++ {
		now, key := a.Time[i], a.Key[i]
		b.wire.follow(now)
		client := b.clients[a.Client[i]]
		if !client.Sends(now, key, &b.coin) {
			verdicts[i-lo] = counters.MakeVerdict(false, counters.ByLocal)
			continue
		}
		b.load.Call(now, int(b.wire.asked(now, key)), 1)
		v := b.limiter.Take(key, now, a.Cost[i])
		if v.Admitted() {
			client.Accepted(now, key)
		}
		verdicts[i-lo] = v
	}
	return hi - lo
}

func (*throttledBlocks) Next() int64 { return lanes.Never }
func (*throttledBlocks) Step(int64)  {}

// Inspect tells what the limiter knows.
func (b *throttledBlocks) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return b.limiter.Level(key, now), b.limiter.RetryAt(key, now, cost)
}

// throttledCalls is throttlers before a limiter that is a call away: a table in
// the memory of each server, of which it uses the keys that it owns.
type throttledCalls struct {
	throttlers
	wire     leaseWire
	limiters []counters.Table // by server
	lane     *lanes.EventLane
	calls    []throttleCall
	free     []int32
}

// throttleCall is a request on its way to the limiter, and its answer.
type throttleCall struct {
	slot, server int32
	sent, back   int64
	verdict      counters.Verdict
}

// What happens at one instant, in this order.
const (
	requestAtLimiter uint32 = iota
	requestAnswered
	requestTimesOut
)

func (l *throttledCalls) Arrive(now int64, slot int32) {
	l.wire.follow(now)
	a := l.lane.Attempt(slot)
	if !l.clients[a.Client].Sends(now, a.Key, &l.coin) {
		l.lane.Reject(slot, counters.ByLocal)
		return
	}
	l.lane.Asks(slot)
	ref := lanes.Take(&l.calls, &l.free)
	there, back := l.wire.trip(now)
	l.calls[ref] = throttleCall{slot: slot, server: l.wire.asked(now, a.Key), sent: now, back: back}
	if l.wire.timeline.Cut(now, a.Client) {
		l.fail(ref)
		return
	}
	l.lane.Schedule(now+there, requestAtLimiter, ref)
}

// fail lets a call time out that no answer will come to.
func (l *throttledCalls) fail(ref int32) {
	l.lane.Schedule(l.calls[ref].sent+l.config.Timeout, requestTimesOut, ref)
}

func (l *throttledCalls) Fire(e lanes.Event) {
	l.wire.follow(e.Time)
	c := &l.calls[e.Ref]
	if e.Kind == requestAtLimiter {
		l.serve(e.Time, e.Ref)
		return
	}
	l.free = append(l.free, e.Ref)
	a := l.lane.Attempt(c.slot)
	switch {
	case e.Kind == requestTimesOut && l.config.Open:
		l.lane.TimedOut(c.slot)
		l.lane.Admit(c.slot, counters.ByFailOpen)
	case e.Kind == requestTimesOut:
		l.lane.TimedOut(c.slot)
		l.lane.Reject(c.slot, counters.ByFailClosed)
	case c.verdict.Admitted():
		l.clients[a.Client].Accepted(e.Time, a.Key)
		l.lane.Admit(c.slot, c.verdict.Cause())
	default:
		l.lane.Reject(c.slot, c.verdict.Cause())
	}
}

func (l *throttledCalls) serve(now int64, ref int32) {
	c := &l.calls[ref]
	a := l.lane.Attempt(c.slot)
	if !l.wire.answers(now, a.Key, c.server) {
		l.fail(ref)
		return
	}
	l.load.Call(now, int(c.server), 1)
	c.verdict = l.limiters[c.server].Take(a.Key, now, a.Cost)
	if at := now + c.back; l.wire.timeline.Cut(now, a.Client) || at > c.sent+l.config.Timeout {
		l.fail(ref)
	} else {
		l.lane.Schedule(at, requestAnswered, ref)
	}
}

func (*throttledCalls) Completed(int64, int32, int64) {}
func (*throttledCalls) Finish(*measure.Recorder)      {}

// Inspect tells what the key's server knows.
func (l *throttledCalls) Inspect(key int32, now, cost int64) (level, retryAt int64) {
	limiter := l.limiters[l.wire.asked(now, key)]
	return limiter.Level(key, now), limiter.RetryAt(key, now, cost)
}
