package remote

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/network"
)

func remoteConfig(s *engine.Setting, a *scenarios.Algorithm) (remote.Config, error) {
	return remote.ConfigFrom(a.Options, a.Counter, s.Servers(), s.Origin)
}

// remoteHops returns the latency distributions of the hops: between client and
// replica, between replica and store, and through a sidecar.
func remoteHops(s *engine.Setting, c *remote.Config) (network, store, sidecar random.Latency, err error) {
	network, err = engine.LatencyOf(s.Scenario.Topology.Network)
	store = network
	if c.StoreNetwork.Name != "same" && err == nil {
		store, err = engine.LatencyOf(c.StoreNetwork)
	}
	if c.Sidecar.Name != "none" && err == nil {
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
	return cmp.Or(
		catalog.ErrorIf(s.Settles && c.Sync > 0,
			"sync_interval cannot be combined with costs that become known with the answer: replicas sync counts that only grow"),
		catalog.ErrorIf(a.Options.Set("block") && c.Sync > 0,
			"block: replicas that sync their counts block no key: leave out block or sync_interval"),
		s.CheckTables(a, engine.Whole))
}

func remoteDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	c := engine.Must(remoteConfig(s, a))
	network, store, sidecar, err := remoteHops(s, &c)
	return err == nil && (network.Random() || sidecar.Random() || c.Service.Name == "exponential" ||
		c.Store && (store.Random() || c.StoreService.Name == "exponential"))
}

func newRemote(t *engine.Trial) (engine.Executor, error) {
	c := engine.Must(remoteConfig(t.Setting, t.Algorithm))
	r := &remotes{
		config: c, setting: t.Setting, load: t.Load(), rotation: network.NewRotation(t.Setting),
		timeline: t.Faults, faults: network.NewChanges(t, t.AllServers()), storeDown: engine.Never,
	}
	clientHop, storeHop, sidecarHop, _ := remoteHops(t.Setting, &c) // checkRemote has seen no error
	r.network, r.storeNetwork, r.sidecar = network.NewHop(t, faults.Servers, clientHop, "network"), network.NewHop(t, faults.TheStore, storeHop, "store network"), network.NewHop(t, faults.Peers, sidecarHop, "sidecar")
	r.sidecar.Faults = nil // faults change the network, not the way to the sidecar
	r.service = engine.ServiceOf(c.Service, t.Stream("service"))
	r.storeService = engine.ServiceOf(c.StoreService, t.Stream("store service"))
	r.queue = remote.NewStation(1)
	r.replicas = make([]remoteReplica, t.AllServers())
	for i := range r.replicas {
		r.replicas[i].id = int32(i)
		r.replicas[i].queue, r.replicas[i].epoch = remote.NewStation(c.Concurrency), 1
	}
	r.direct = c.Store && c.Sync == 0 && !c.Cache && c.Connections == 0 && r.service.TakesNone()
	if !c.Any {
		r.owners = network.NewOwners(t.Setting, network.NewMap(t.Setting, c.Owners), r.move)
	}
	r.change = min(r.faults.NextChange, r.owners.Next())
	r.multiPolicy, r.joint, r.rule = t.MultiPolicy(), engine.IsJoint(t.Setting, t.Algorithm), counting.JointOf(t.Algorithm.Options)
	if c.BatchSize > 1 {
		r.batch = make([]remoteBatch, t.Clients())
	}
	r.open = slices.Repeat([]int32{noCall}, len(r.replicas))
	r.startCounting(t)
	if t.Settles {
		r.settling = newSettling(t, r)
	}
	if r.looksAhead(t) {
		return r.lookahead(t), nil
	}
	r.executor = engine.NewEventExecutor(t.Sinks, t.Start)
	r.executor.Run(r)
	return r.executor, nil
}

// startCounting creates the counters in the store or the replicas.
func (r *remotes) startCounting(t *engine.Trial) {
	switch {
	case !r.config.Store:
		r.startMemory(t)
	case r.config.Sync > 0:
		limit := func(key int32, now int64) counting.Limit { return t.LimitAt(t.LimitOf(key), now) }
		r.totals = remote.NewTotals(limit, t.Keys)
		phases := ticks.Staggered.First(t.Servers(), r.config.Sync, nil)
		for i := range r.replicas {
			server := &r.replicas[i]
			server.phase, server.synced = phases[i%len(phases)], remote.NewSynced(limit)
			server.here = server.synced
		}
	default:
		r.store = remote.NewStore(network.StoreLosses(t), func() counting.Table {
			return engine.Must(engine.NewTables(t.Setting, t.Algorithm, engine.Whole))
		})
	}
}

// startMemory gives each replica its part of the counters that owners keep in
// memory.
func (r *remotes) startMemory(t *engine.Trial) {
	var parts []remote.Part
	_ = t.EachLimit(func(limit counting.Limit, keys int) error {
		parts = append(parts, remote.Part{Keys: keys, Table: func(keys int) counting.Table {
			return engine.Must(t.NewTable(t.Algorithm, limit, engine.Whole, keys))
		}})
		return nil
	})
	r.memory = remote.NewMemory(r.config.Kept, parts...)
	for i := range r.replicas {
		r.replicas[i].here = remote.Owned{Memory: r.memory, Owner: r.owners.Home, Server: int32(i)}
	}
}
