// Package leasing runs limiters whose clients hold something for a while: tokens
// fetched ahead, leases of capacity, or a memory of what was accepted.
package leasing

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/algorithms/lease"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// Leases lets clients lease parts of the rate.
var Leases = trial.Enforcement{Check: checkLeases, Random: leasesDraws, Delays: trial.NeverDelays, Servers: trial.TopologyServers, Bitten: append([]string{"clock", "report-loss", "report-delay", "report-reorder"}, wireFaults...), Lane: leasesLane}

// leases runs clients that lease capacity, and the wire between them and the
// servers that grant it.
type leases struct {
	config  lease.Config
	wire    leaseWire
	clients []leaseClient
	servers []*lease.Server
	load    *measure.Load
	clock   agenda
	calls   []leaseCall
	free    []int32
	open    []int32 // by server, while a client asks: the call to it
	sent    []int32 // the calls of one client's questions
}

// leaseClient is a client with its rounds of questions. A round is over when all
// its calls have been answered or given up; the next one comes a while later.
type leaseClient struct {
	*lease.Client
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

func checkLeases(s *trial.Setting, a *scenarios.Algorithm) error {
	c, err := lease.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err != nil {
		return err
	}
	if _, err := s.Latency(); err != nil {
		return err
	}
	if err := c.Admits(s.MaxCost, s.Clients()); err != nil {
		return err
	}
	return checkChanges(s, c.CheckLimit)
}

func leasesDraws(s *trial.Setting, _ *scenarios.Algorithm) bool { return networkDraws(s) }

func leasesLane(t *trial.Trial) (lanes.Lane, error) {
	config, err := lease.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients())
	if err != nil {
		return nil, err
	}
	l := &leases{config: config, load: t.Recorder.Load(), clients: make([]leaseClient, t.Clients()), open: make([]int32, t.Servers())}
	if l.wire, err = newLeaseWire(t); err != nil {
		return nil, err
	}
	for i := range l.clients {
		l.clients[i].Client = lease.NewClient(&l.config, int32(i))
	}
	for i := range l.open {
		l.open[i] = noRef
		l.servers = append(l.servers, lease.NewServer(&l.config, t.Origin))
	}
	l.wire.restart = func(at int64, server int32) { l.servers[server].Restart(l.wire.backAt(at, server)) }
	l.wire.relimit = func(_ int64, limit counters.Limit) {
		for _, s := range l.servers {
			s.Relimit(limit)
		}
	}
	l.wire.forsaken = func(id int32) { l.clients[id].Client = lease.NewClient(&l.config, id) }
	l.wire.forget = func(key int32) {
		for _, s := range l.servers {
			s.Forget(key)
		}
	}
	return lanes.NewBlockLane(t.Books, l), nil
}

func (l *leases) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	for i := lo; i < hi; i++ {
		now, id, key := a.Time[i], a.Client[i], a.Key[i]
		if now >= l.clock.next() {
			return i - lo // something that an earlier one of these made due
		}
		l.wire.follow(now)
		c := &l.clients[id]
		if grantedAt, ok := c.GrantedAt(key); ok {
			l.load.Staleness(now, now-grantedAt)
		}
		v, ask := c.Decide(now, l.wire.timeline.Clock(id, now), key, a.Cost[i])
		verdicts[i-lo] = v
		if ask {
			l.askFirst(now, id, key)
		}
	}
	return hi - lo
}

func (l *leases) Next() int64 { return l.clock.next() }

func (l *leases) Step(now int64) {
	for l.clock.next() == now {
		e := l.clock.events.Pop()
		l.wire.follow(now)
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
func (l *leases) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	if level = l.clients[client].Level(now, key); level >= cost {
		return level, now
	}
	return level, l.clients[client].RetryAt(now, key, cost)
}
