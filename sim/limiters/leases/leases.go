// Package leases simulates clients that lease shares of the rate from a server.
package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/leases"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that lease shares of the rate from a server.
var Limiter = engine.Limiter{
	Entry:      leases.Entry(),
	Presets:    leases.Presets(),
	Check:      checkLeases,
	Executor:   newLeases,
	Random:     leasesDraws,
	Servers:    engine.TopologyServers,
	AffectedBy: append([]string{"clock", "report-loss", "report-delay", "report-reorder"}, network.CallFaults...),
}

// leases runs clients that lease capacity, and the wire between them and the
// servers that grant it.
type limiter struct {
	config  leases.Config
	wire    network.Link
	clients []leaseClient
	servers []*leases.Server
	load    *measure.Load
	clock   network.Agenda
	calls   []leaseCall
	free    []int32
	open    []int32 // by server, while a client asks: the call to it
	sent    []int32 // the calls of one client's questions
}

// leaseClient is a client with its rounds of questions. A round is over when all
// its calls have been answered or given up; the next one comes a while later.
type leaseClient struct {
	*leases.Client
	rounds   bool // a round is under way or scheduled
	awaited  int  // calls of this round
	failed   bool // one of them
	failures int  // rounds in a row
	began    int64
}

// What happens at one instant, in this order.
const (
	roundBegins uint32 = iota
	questionsAtServer
	questionsAnswered
	questionsFailed
)

func checkLeases(s *engine.Setting, a *scenarios.Algorithm) error {
	c, err := leases.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err != nil {
		return err
	}
	if _, err := s.Latency(); err != nil {
		return err
	}
	if err := c.Admits(s.MaxCost, s.Clients()); err != nil {
		return err
	}
	return network.CheckChanges(s, c.CheckLimit)
}

func leasesDraws(s *engine.Setting, _ *scenarios.Algorithm) bool { return network.DrawsLatency(s) }

func newLeases(t *engine.Trial) (engine.Executor, error) {
	config, err := leases.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients())
	if err != nil {
		return nil, err
	}
	l := &limiter{config: config, load: t.Recorder.Load(), clients: make([]leaseClient, t.Clients()), open: make([]int32, t.Servers())}
	if l.wire, err = network.NewLink(t); err != nil {
		return nil, err
	}
	for i := range l.clients {
		l.clients[i].Client = leases.NewClient(&l.config, int32(i))
	}
	for i := range l.open {
		l.open[i] = noCall
		l.servers = append(l.servers, leases.NewServer(&l.config, t.Origin))
	}
	l.wire.Restart = func(at int64, server int32) { l.servers[server].Restart(l.wire.BackAt(at, server)) }
	l.wire.Relimit = func(_ int64, limit counter.Limit) {
		for _, s := range l.servers {
			s.Relimit(limit)
		}
	}
	l.wire.Forsaken = func(id int32) { l.clients[id].Client = leases.NewClient(&l.config, id) }
	l.wire.Forget = func(key int32) {
		for _, s := range l.servers {
			s.Forget(key)
		}
	}
	return engine.NewBlockExecutor(t.Sinks, l), nil
}

func (l *limiter) Decide(a *engine.Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	for i := lo; i < hi; i++ {
		now, id, key := a.Time[i], a.Client[i], a.Key[i]
		if now >= l.clock.Next() {
			return i - lo // something that an earlier one of these made due
		}
		l.wire.Follow(now)
		c := &l.clients[id]
		if grantedAt, ok := c.GrantedAt(key); ok {
			l.load.Staleness(now, now-grantedAt)
		}
		v, ask := c.Decide(now, l.wire.Faults.Clock(id, now), key, a.Cost[i])
		verdicts[i-lo] = v
		if ask {
			l.askFirst(now, id, key)
		}
	}
	return hi - lo
}

func (l *limiter) Next() int64 { return l.clock.Next() }

func (l *limiter) Step(now int64) {
	for l.clock.Next() == now {
		e := l.clock.Events.Pop()
		l.wire.Follow(now)
		switch e.Kind {
		case roundBegins:
			l.round(now, e.Ref)
		case questionsAtServer:
			l.serve(now, e.Ref)
		case questionsAnswered:
			l.answer(now, e.Ref)
		case questionsFailed:
			l.end(now, e.Ref, true)
		}
	}
}

// Inspect knows what the client could admit by its lease.
func (l *limiter) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	if level = l.clients[client].Level(now, key); level >= cost {
		return level, now
	}
	return level, l.clients[client].RetryAt(now, key, cost)
}
