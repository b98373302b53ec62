package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/random"
)

func remoteConfig(s *engine.Setting, a *scenarios.Algorithm) (remote.Config, error) {
	return remote.ConfigFrom(a.Options, a.Counter, s.Servers(), s.Origin)
}

// remoteHops are the laws of the ways, without streams to draw from.
func remoteHops(s *engine.Setting, c *remote.Config) (network, store, sidecar random.Latency, err error) {
	if network, err = s.Latency(); err != nil {
		return
	}
	store = network
	if c.StoreNetwork.Name != "same" {
		if store, err = engine.LatencyOf(c.StoreNetwork); err != nil {
			return
		}
	}
	if c.Sidecar.Name != "none" {
		sidecar, err = engine.LatencyOf(c.Sidecar)
	}
	return
}

func checkRemote(s *engine.Setting, a *scenarios.Algorithm) error {
	c, err := remoteConfig(s, a)
	if err != nil {
		return err
	}
	if _, _, _, err = remoteHops(s, &c); err != nil {
		return err
	}
	return s.EachLimit(func(limit counter.Limit, _ int) error {
		_, err := s.NewTable(a, limit, engine.Whole, 0)
		return err
	})
}

func remoteDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	c, err := remoteConfig(s, a)
	if err != nil {
		return false // checkRemote says so
	}
	network, store, sidecar, err := remoteHops(s, &c)
	asks := c.Store // the store is asked
	return err == nil && (network.Random() || sidecar.Random() || c.Service.Name == "exponential" ||
		asks && (store.Random() || c.StoreService.Name == "exponential"))
}

func newRemote(t *engine.Trial) (engine.Executor, error) {
	c, err := remoteConfig(t.Setting, t.Algorithm)
	if err != nil {
		return nil, err
	}
	r := &remotes{config: c, setting: t.Setting, load: t.Recorder.Load()}
	if r.network.latency, r.storeNetwork.latency, r.sidecar.latency, err = remoteHops(t.Setting, &c); err != nil {
		return nil, err
	}
	r.network.stream, r.storeNetwork.stream, r.sidecar.stream = t.Stream("network"), t.Stream("store network"), t.Stream("sidecar")
	r.service = engine.ServiceOf(c.Service, t.Stream("service"))
	r.storeService = engine.ServiceOf(c.StoreService, t.Stream("store service"))
	r.queue = remote.NewStation(c.StoreParallel)
	r.replicas = make([]remoteReplica, t.Servers())
	for i := range r.replicas {
		r.replicas[i].queue, r.replicas[i].epoch = remote.NewStation(c.Concurrency), 1
	}
	r.direct = c.Store && c.Sync == 0 && !c.Cache && c.Connections == 0 && r.service.TakesNone()
	r.turn = make([]int32, t.Clients())
	for i := range r.turn {
		r.turn[i] = int32(i % len(r.replicas))
	}
	if !c.Any {
		r.owners = routing.New(c.Owners)
		r.version = r.owners.Version()
	}
	r.several, r.joint, r.rule = t.MultiPolicy(), engine.IsJoint(t.Setting, t.Algorithm), counter.JointOf(t.Algorithm.Options)
	if c.BatchSize > 1 {
		r.batch = make([]remoteBatch, t.Clients())
	}
	r.open = make([]int32, len(r.replicas))
	for i := range r.open {
		r.open[i] = noCall
	}
	r.startFaults(t)
	if err := r.startCounting(t); err != nil {
		return nil, err
	}
	if r.looksAhead(t) {
		return r.lookahead(t), nil
	}
	r.executor = engine.NewEventExecutor(t.Sinks, t.Start)
	r.executor.Run(r)
	return r.executor, nil
}

// startCounting makes what requests are counted in.
func (r *remotes) startCounting(t *engine.Trial) error {
	switch {
	case !r.config.Store:
		return r.startMemory(t)
	case r.config.Sync > 0:
		limit := func(key int32, now int64) counter.Limit { return t.LimitAt(t.LimitOf(key), now) }
		r.totals = remote.NewTotals(limit, t.Keys)
		for i := range r.replicas {
			server := &r.replicas[i]
			server.synced = remote.NewSynced(limit)
			server.here = server.synced
		}
		return nil
	}
	var err error
	r.store, err = remote.NewStore(r.storeLosses(), func() (counter.Table, error) { return engine.NewTables(t.Setting, t.Algorithm, engine.Whole) })
	return err
}

// startMemory gives each replica its view of what owners hold in memory.
func (r *remotes) startMemory(t *engine.Trial) error {
	var parts []remote.Part
	err := t.EachLimit(func(limit counter.Limit, keys int) error {
		_, err := t.NewTable(t.Algorithm, limit, engine.Whole, 0)
		parts = append(parts, remote.Part{Keys: keys, Table: func(keys int) counter.Table {
			table, err := t.NewTable(t.Algorithm, limit, engine.Whole, keys)
			if err != nil {
				panic(err) // the same call has succeeded before
			}
			return table
		}})
		return err
	})
	r.memory = remote.NewMemory(r.config.Kept, parts...)
	if r.owners != nil {
		r.owner = r.home(t.Keys)
	}
	for i := range r.replicas {
		r.replicas[i].here = remote.Owned{Memory: r.memory, Owner: r.owner, Server: int32(i)}
	}
	return err
}
