// Package remote runs limiters that are asked over the network for each request
// or each batch of them: replicas, owners and a store behind them.
package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Limiter describes clients that ask a server replica about each request.
var Limiter = engine.Limiter{
	Entry:       remote.Entry(),
	Presets:     remote.Presets(),
	Check:       checkRemote,
	Executor:    newRemote,
	Random:      remoteDraws,
	Servers:     engine.TopologyServers,
	AffectedBy:  []string{"network", "partition", "store-down", "server-restart", "server-crash", "reshard", "slow-server", "autoscale", "policy-change"},
	MultiPolicy: true,
}

// remotes runs the calls of a remote limiter: it owns their ways, the queues in
// which they wait, and the clocks of those who wait for them.
//
// A call passes these events: it comes to a replica, leaves its queue, comes to
// the store, is back at the replica, is answered. Those at which nothing could
// happen are left out. When it is served is known as soon as it has come to a
// queue, so that serving takes no event of its own.
type remotes struct {
	config   remote.Config
	setting  *engine.Setting
	executor *engine.EventExecutor
	load     *measure.Load

	network, storeNetwork, sidecar remoteHop
	service, storeService          engine.ServiceTime
	direct                         bool // replicas have nothing to do but to ask the store

	replicas []remoteReplica
	queue    remote.Station // of the store
	store    *remote.Store  // nil unless each request is counted there
	totals   *remote.Totals // nil unless replicas sync with the store
	memory   *remote.Memory // nil with a store
	several  bool           // requests carry any number of keys, and may be split
	joint    bool           // requests are decided under all their keys
	rule     counter.Joint
	owners   routing.Map // nil where calls go to any replica
	owner    []int32     // by key, for memory: who owned it by the assignment of that version
	version  int
	turn     []int32 // by client: the replica that is next

	calls    []remoteCall
	free     []int32
	requests []openRequest // by slot, where requests may be split
	timers   engine.FIFO[callTimer]
	armed    bool
	batch    []remoteBatch // by client
	open     []int32       // by replica, while calls are made up: the call to it
	sent     []int32       // these calls
	syncs    []syncCall
	idle     []int32 // free syncs
	faults   remoteFaults
	change   int64 // when something next changes of its own accord
}

// remoteReplica is one server of the limiter.
type remoteReplica struct {
	queue   remote.Station
	cache   remote.Cache
	here    counter.Taker  // the counts in its memory; nil where it has none
	synced  *remote.Synced // the same, where it syncs with the store
	ticking bool           // its next sync is scheduled
	busy    int            // connections to the store in use
	waiting engine.FIFO[int32]
	epoch   int32 // how often it has started, from 1
	down    bool
}

// What happens at one instant, in this order.
const (
	callIsLost        uint32 = iota // of a call, foreseen
	batchIsOver                     // of a client
	syncStarts                      // of a replica
	callAtReplica                   // of a call, as all below
	callLeavesReplica               // it has been worked on
	callAtStore
	syncAtStore // of a sync
	callIsBack
	syncBack // of a sync
	callIsAnswered
	callTimesOut // of no one: the head of the timers
)

func (r *remotes) Arrive(now int64, slot int32) {
	if now >= r.change {
		r.catchUp(now)
	}
	ref := r.newCall(slot, r.executor.Attempt(slot))
	switch {
	case r.joint && r.askedNothing(ref):
		r.release(ref)
		r.executor.Admit(slot, counter.ByLimiter)
	case r.batch != nil:
		r.collect(now, ref)
	case r.several:
		r.spread(now, ref)
	default:
		r.executor.Asks(slot)
		c := &r.calls[ref]
		c.server = r.route(now, c.client, c.key)
		r.load.Fanout(now, 1)
		r.send(now, ref)
	}
}

func (r *remotes) Fire(e engine.Event) {
	if e.Time >= r.change {
		r.catchUp(e.Time)
	}
	switch e.Kind {
	case callIsLost:
		r.lose(e.Time, e.Ref)
	case batchIsOver:
		r.batchOver(e.Time, e.Ref)
	case syncStarts:
		r.sync(e.Time, e.Ref)
	case callAtReplica:
		r.atReplica(e.Time, e.Ref)
	case callLeavesReplica:
		r.askStore(e.Time, e.Ref)
	case callAtStore:
		r.atStore(e.Time, e.Ref)
	case syncAtStore:
		r.syncAtStore(e.Time, e.Ref)
	case callIsBack:
		r.backAtReplica(e.Time, e.Ref)
	case syncBack:
		r.syncBack(e.Time, e.Ref)
	case callIsAnswered:
		r.answered(e.Ref)
	case callTimesOut:
		r.timeOut(e.Time)
	}
}

// route is the replica that a client asks about a key at now.
func (r *remotes) route(now int64, client, key int32) int32 {
	if r.owners != nil {
		return r.asked(now, key)
	}
	n := int32(len(r.replicas))
	for range n {
		server := r.turn[client]
		if r.turn[client]++; r.turn[client] == n {
			r.turn[client] = 0
		}
		if !r.leftOut(now, server) {
			return server
		}
	}
	return r.turn[client] // all are down: it makes no difference
}

func (*remotes) Completed(int64, int32, int64) {}
func (*remotes) Finish(*measure.Recorder)      {}

// Inspect tells what the store or the owner knows, which the caller does not.
func (r *remotes) Inspect(key int32, now, cost int64) (level, retryAt int64) {
	switch {
	case r.store != nil:
		return r.store.Level(key, now), r.store.RetryAt(key, now, cost)
	case r.memory != nil:
		return r.memory.Level(key, now), r.memory.RetryAt(key, now, cost)
	}
	return r.totals.Level(key, now), r.totals.RetryAt(key, now, cost)
}
