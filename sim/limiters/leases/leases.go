// Package leases simulates clients that lease shares of the rate from a server.
//
// The package makes no promise: it can change at any time.
package leases

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/leases"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that lease shares of the rate from a server.
var Limiter = engine.Limiter{
	Entry:       leases.Entry(),
	Presets:     leases.Presets(),
	Check:       engine.CheckPerPolicy(checkLeases),
	Executor:    engine.PerPolicy(newLeases),
	ClientBytes: 120,
	Random:      network.DrawsLatency,
	Servers:     engine.TopologyServers,
	AffectedBy:  append([]string{"clock", "report-loss", "report-delay", "report-reorder"}, network.CallFaults...),
	Sidecar:     true,
}

// limiter runs the clients that lease capacity, the servers that grant it and the
// calls between them.
type limiter struct {
	config  leases.Config
	clients []leaseClient
	servers []*leases.Server
	learns  []int64 // by server: until when it learns after its latest restart
	load    *measure.Load
	network.Agenda
	calls network.Calls[questions]
	open  []int32 // by server, while a client asks: the call to it
	sent  []int32 // the calls of one client's questions
}

// leaseClient is a client with its rounds of questions. A round is over when all
// its calls have been answered or have failed. The next round begins a while
// later.
type leaseClient struct {
	*leases.Client
	rounds   bool // a round is in flight or scheduled
	awaited  int  // calls of this round
	failed   bool // one of them
	failures int  // rounds in a row
	began    int64
}

// roundBegins is the kind of event at which a client asks about all its keys. It
// precedes those of calls.
const roundBegins uint32 = 0

func checkLeases(s *engine.Setting, a *scenarios.Algorithm) error {
	c, err := leases.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err != nil {
		return err
	}
	return cmp.Or(c.Admits(s.MaxCost, s.Clients()), s.CheckLimits(c.Check))
}

func newLeases(t *engine.Trial) (engine.Executor, error) {
	config := engine.Must(leases.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients()))
	l := &limiter{config: config, load: t.Load(), clients: make([]leaseClient, t.Clients()), open: make([]int32, t.AllServers())}
	l.calls = network.NewCalls[questions](t, &l.Agenda, config.Timeout, l.move)
	l.Fire, l.calls.Apply = l.fire, l.applyFaults
	l.calls.Background = true
	for i := range l.clients {
		l.clients[i].Client = leases.NewClient(&l.config, int32(i))
	}
	for i := range l.open {
		l.open[i] = noCall
		l.learns = append(l.learns, t.Origin)
		l.servers = append(l.servers, leases.NewServer(&l.config, t.Origin))
	}
	return engine.NewBlockExecutor(t.Sinks, l), nil
}

func (l *limiter) applyFaults(c network.Change) {
	for _, server := range c.Restarted {
		up := l.upAt(c.At, server)
		l.servers[server].Restart(up)
		l.learns[server] = up + min(l.config.Learning, engine.Never-up)
	}
	l.calls.ApplyFaults(c.At)
	if c.Limited {
		for _, s := range l.servers {
			s.Relimit(c.Limit)
		}
	}
	for id := c.Active; id < c.Before; id++ {
		l.clients[id].Client = leases.NewClient(&l.config, id)
	}
}

// upAt returns the first time from at on at which the server is up, or
// engine.Never.
func (l *limiter) upAt(at int64, server int32) int64 {
	for at < engine.Never && l.calls.Faults.ServerDown(at, server) {
		at = l.calls.Faults.Next(at)
	}
	return at
}

// move gives a key to another server, which knows nothing of it.
func (l *limiter) move(_ int64, key, to int32) { l.servers[to].Forget(key) }

func (l *limiter) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i := lo; i < hi; i++ {
		now, id, key := a.Time[i], a.Client[i], a.Key[i]
		if now >= l.Next() {
			return i - lo // an earlier arrival has scheduled an event
		}
		l.calls.Follow(now)
		c := &l.clients[id]
		if grantedAt, ok := c.GrantedAt(key); ok {
			l.load.Staleness(now, now-grantedAt)
		}
		v, ask := c.Decide(now, l.calls.Faults.Clock(id, now), key, a.Cost[i])
		verdicts[i-lo] = v
		if ask {
			l.askFirst(now, id, key)
		}
	}
	return hi - lo
}

func (l *limiter) fire(e engine.Event) {
	l.calls.Follow(e.Time)
	switch e.Kind {
	case roundBegins:
		l.round(e.Time, e.Ref)
	case network.RequestArrives:
		l.serve(e.Time, e.Ref)
	case network.ResponseArrives:
		l.apply(e.Time, e.Ref)
	case network.CallFails:
		l.end(e.Time, e.Ref, true)
	}
}

// Admits implements engine.Judge.
func (l *limiter) Admits(key, client int32, now, cost int64) bool {
	l.calls.Follow(now)
	return l.clients[client].Admits(now, l.calls.Faults.Clock(client, now), key, cost)
}

// Inspect returns what the client can admit by its lease. Without a lease, an
// optimistic client has no level.
func (l *limiter) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	if l.clients[client].Unlimited(l.calls.Faults.Clock(client, now), key) {
		return engine.UnknownLevel, now
	}
	if level = l.clients[client].Level(now, key); level >= cost {
		return level, now
	}
	return level, l.clients[client].RetryAt(now, key, cost)
}
