// Package prefetch simulates clients that fetch tokens from a server before they
// need them.
package prefetch

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/algorithms/prefetch"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that fetch tokens ahead of the requests.
var Limiter = engine.Limiter{
	Entry:      prefetch.Entry(),
	Presets:    prefetch.Presets(),
	Check:      checkPrefetch,
	Executor:   newPrefetch,
	Random:     prefetchDraws,
	Servers:    engine.TopologyServers,
	AffectedBy: network.MessageFaults,
}

// prefetched runs clients that fetch tokens ahead, and the wire between them and
// the servers that grant. Where requests wait for tokens it runs in the event
// lane, otherwise in blocks.
type prefetched struct {
	config   prefetch.Config
	wire     network.Link
	clients  []prefetchClient
	server   *prefetch.Server // of all keys, each of which is at one server only
	keys     int
	load     *measure.Load
	executor *engine.EventExecutor // nil in blocks
	clock    network.Agenda
	calls    []fetchCall
	free     []int32
	unused   []prefetch.Lease
}

// prefetchClient is a client with the requests that wait for its tokens.
type prefetchClient struct {
	*prefetch.Client
	waiting perkey.Table[waitingRoom]
}

// waitingRoom is the requests that wait for tokens of one key.
type waitingRoom struct {
	slots engine.FIFO[int32]
	cost  int64
}

// What happens at one instant, in this order.
const (
	leaseIsOver uint32 = iota
	tokensAreBack
	fetchAtServer
	fetchIsAnswered
	fetchHasFailed
)

func checkPrefetch(s *engine.Setting, a *scenarios.Algorithm) error {
	c, err := prefetch.ConfigFrom(a.Options, s.Limit)
	if err != nil {
		return err
	}
	if _, err := s.Latency(); err != nil {
		return err
	}
	return network.CheckChanges(s, c.CheckLimit)
}

func prefetchDraws(s *engine.Setting, _ *scenarios.Algorithm) bool { return network.DrawsLatency(s) }

func newPrefetch(t *engine.Trial) (engine.Executor, error) {
	config, err := prefetch.ConfigFrom(t.Algorithm.Options, t.Limit)
	if err != nil {
		return nil, err
	}
	p := &prefetched{config: config, keys: t.Keys, load: t.Recorder.Load(), clients: make([]prefetchClient, t.Clients())}
	if p.wire, err = network.NewLink(t); err != nil {
		return nil, err
	}
	p.server = prefetch.NewServer(&p.config, t.Keys)
	p.wire.Forget, p.wire.Restart, p.wire.Relimit = p.server.Forget, p.restart, p.server.Relimit
	p.wire.Forsaken = func(id int32) { p.clients[id].Client = prefetch.NewClient(&p.config) }
	for i := range p.clients {
		p.clients[i].Client = prefetch.NewClient(&p.config)
	}
	if config.WhenEmpty == prefetch.Reject {
		return engine.NewBlockExecutor(t.Sinks, prefetchBlocks{p}), nil
	}
	p.executor = engine.NewEventExecutor(t.Sinks, t.Start)
	p.clock.Executor = p.executor
	p.executor.Run(prefetchEvents{p})
	return p.executor, nil
}

func (p *prefetched) restart(_ int64, server int32) {
	if p.wire.Servers == 1 {
		p.server.Restart()
		return
	}
	for key := range int32(p.keys) {
		if p.wire.Owns(server, key) {
			p.server.Forget(key)
		}
	}
}

// spend decides a request from what its client holds, where that settles it.
func (p *prefetched) spend(now int64, client, key int32, cost int64) (v counter.Verdict, settled bool) {
	p.wire.Follow(now)
	c := &p.clients[client]
	if c.waiting.At(key).slots.Len() == 0 && c.Spend(now, key, cost) {
		p.fetch(now, client, key, 0)
		return counter.MakeVerdict(true, counter.ByLocal), true
	}
	if p.config.AdmitAtStart && c.Starting(key) {
		p.fetch(now, client, key, cost)
		return counter.MakeVerdict(true, counter.ByLocal), true
	}
	if c.Refused(now, key) {
		return counter.MakeVerdict(false, counter.ByCache), true
	}
	return 0, false
}

// fetch asks for tokens where the client should.
func (p *prefetched) fetch(now int64, client, key int32, needed int64) {
	if tokens := p.clients[client].Fetch(now, key, needed); tokens > 0 {
		p.send(now, fetchCall{client: client, key: key, slot: noSlot, tokens: tokens})
	}
}
