// Package prefetch simulates clients that fetch tokens from a server before they
// need them.
//
// The package makes no promise: it can change at any time.
package prefetch

import (
	"cmp"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/algorithms/prefetch"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that fetch tokens ahead of the requests.
var Limiter = engine.Limiter{
	Entry:       prefetch.Entry(),
	Presets:     prefetch.Presets(),
	Check:       checkPolicies,
	Executor:    engine.PerPolicy(newPrefetch),
	ClientBytes: 72,
	Random:      network.DrawsLatency,
	Servers:     engine.TopologyServers,
	AffectedBy:  network.MessageFaults,
	Sidecar:     true,
}

// prefetched runs the clients, the servers that grant tokens and the calls between
// them. The event executor runs it if requests wait for tokens, otherwise the
// block executor.
type prefetched struct {
	network.Agenda // in blocks
	config         prefetch.Config
	clients        []prefetchClient
	servers        []*prefetch.Server // one stands for all servers, as long as each key is at one of them
	setting        *engine.Setting
	load           *measure.Load
	executor       *engine.EventExecutor // nil in blocks
	calls          network.Calls[fetch]
}

// prefetchClient is a client with the requests that wait for its tokens.
type prefetchClient struct {
	*prefetch.Client
	waiting perkey.Table[waitingRoom]
}

// waitingRoom holds the requests that wait for tokens of one key.
type waitingRoom struct {
	slots engine.FIFO[int32]
	cost  int64
}

// errWaits is the error of clients whose requests may wait, in multi-policy scenarios.
var errWaits = fmt.Errorf("prefetch with when_empty: wait %w: a request would wait for tokens of several keys at once, and the sources do not say "+
	"whether it holds those of one key meanwhile; use when_empty: reject", engine.ErrOnePolicy)

func checkPolicies(s *engine.Setting, a *scenarios.Algorithm) error {
	if s.MultiPolicy() && a.Options.String("when_empty") != "reject" {
		return errWaits
	}
	return engine.CheckPerPolicy(checkPrefetch)(s, a)
}

func checkPrefetch(s *engine.Setting, a *scenarios.Algorithm) error {
	c, err := prefetch.ConfigFrom(a.Options, s.Limit)
	if err != nil {
		return err
	}
	if keysMove(s) {
		err = s.CheckPairs(s.AllServers(), "servers")
	}
	return cmp.Or(err, s.CheckLimits(c.CheckLimit))
}

func newPrefetch(t *engine.Trial) (engine.Executor, error) {
	config := engine.Must(prefetch.ConfigFrom(t.Algorithm.Options, t.Limit))
	p := &prefetched{config: config, setting: t.Setting, load: t.Load(), clients: make([]prefetchClient, t.Clients())}
	p.servers = []*prefetch.Server{prefetch.NewServer(&p.config, t.Keys)}
	for keysMove(t.Setting) && len(p.servers) < t.AllServers() {
		p.servers = append(p.servers, prefetch.NewServer(&p.config, t.Keys))
	}
	for i := range p.clients {
		p.clients[i].Client = prefetch.NewClient(&p.config)
	}
	forget := func(_ int64, key, to int32) { p.at(to).Forget(key) }
	p.calls = network.NewCalls[fetch](t, &p.Agenda, config.Timeout, forget)
	p.Fire, p.calls.Apply = p.fire, p.applyFaults
	p.calls.Background = true
	if config.Rejects {
		return engine.NewBlockExecutor(t.Sinks, prefetchBlocks{p}), nil
	}
	p.executor = engine.NewEventExecutor(t.Sinks, t.Start)
	p.calls.Scheduler = p.executor
	p.executor.Run(prefetchEvents{p})
	return p.executor, nil
}

func (p *prefetched) applyFaults(c network.Change) {
	for _, server := range c.Restarted {
		p.restart(server)
	}
	p.calls.ApplyFaults(c.At)
	if c.Limited {
		for _, s := range p.servers {
			s.Relimit(c.At, c.Limit)
		}
	}
	for id := c.Active; id < c.Before; id++ {
		p.clients[id].Client = prefetch.NewClient(&p.config)
	}
}

// keysMove reports whether keys get other owners. Two servers then may count a key
// for a while.
func keysMove(s *engine.Setting) bool { return s.Faults.Moves() || s.Faults.ChangesServers() }

// at returns the state of a server.
func (p *prefetched) at(server int32) *prefetch.Server {
	if len(p.servers) == 1 {
		return p.servers[0]
	}
	return p.servers[server]
}

func (p *prefetched) restart(server int32) {
	if len(p.servers) > 1 || p.setting.Servers() == 1 {
		p.at(server).Restart()
		return
	}
	for key := range int32(p.setting.Keys) {
		if p.calls.Owner(key) == server {
			p.at(server).Forget(key)
		}
	}
}

// spend decides a request from what its client holds, if that suffices.
func (p *prefetched) spend(now int64, client, key int32, cost int64) (v counting.Verdict, settled bool) {
	p.calls.Follow(now)
	c := &p.clients[client]
	if c.waiting.At(key).slots.Len() == 0 && c.Spend(now, key, cost) {
		p.fetch(now, client, key, 0)
		return counting.MakeVerdict(true, counting.ByLocal), true
	}
	if p.config.AdmitAtStart && c.Starting(key) {
		p.fetch(now, client, key, cost)
		return counting.MakeVerdict(true, counting.ByLocal), true
	}
	if c.Refused(now, key) {
		return counting.MakeVerdict(false, counting.ByCache), true
	}
	return 0, false
}

// fetch asks for tokens if the client needs some.
func (p *prefetched) fetch(now int64, client, key int32, needed int64) {
	if tokens := p.clients[client].Fetch(now, key, needed); tokens > 0 {
		p.send(now, client, fetch{key: key, tokens: tokens})
	}
}
