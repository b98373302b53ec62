// Package remote simulates clients that ask a server about each request or each
// batch of requests: replicas, owners of keys, and a store behind them.
//
// The package makes no promise: it can change at any time.
package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
	"github.com/limitgauge/limitgauge/sim/settlement"
)

// Limiter describes clients that ask a server replica about each request.
var Limiter = engine.Limiter{
	Entry:      remote.Entry(),
	Presets:    remote.Presets(),
	Check:      checkRemote,
	Executor:   newRemote,
	Random:     remoteDraws,
	Servers:    engine.TopologyServers,
	AffectedBy: []string{"network", "partition", "store-down", "server-restart", "server-crash", "reshard", "server-added", "server-removed", "slow-server", "store-latency", "server-latency", "autoscale", "policy-change"},
	Unaffected: unaffected,
	Settles:    true,
}

// remotes runs the calls of a remote limiter, the queues in which they wait and
// their timeouts.
//
// A call has these events: it arrives at a replica, leaves the replica's queue,
// arrives at the store, returns to the replica, returns to the client. Events at
// which nothing can happen are left out. The time at which a queue serves a call
// is known when the call arrives there, so serving needs no event.
type remotes struct {
	config   remote.Config
	setting  *engine.Setting
	executor *engine.EventExecutor
	load     *measure.Load

	network, storeNetwork, sidecar network.Hop
	service, storeService          engine.ServiceTime
	direct                         bool // replicas only pass calls on to the store

	replicas    []remoteReplica
	queue       remote.Station // of the store
	store       *remote.Store  // nil unless each request is counted there
	totals      *remote.Totals // nil unless replicas sync with the store
	memory      *remote.Memory // nil with a store
	multiPolicy bool           // requests carry any number of keys, and may be split
	joint       bool           // requests are decided under all their keys
	rule        counting.Joint
	owners      network.Owners   // unless calls go to any replica
	rotation    network.Rotation // if they do

	calls    engine.Pool[remoteCall]
	settling *settling     // nil if costs are known on arrival
	requests []openRequest // by slot, if requests may be split
	timers   engine.FIFO[callTimer]
	armed    bool
	batch    []remoteBatch // by client
	open     []int32       // by replica, while calls are composed: the call to it
	sent     []int32       // these calls
	syncs    engine.Pool[syncCall]

	timeline  *faults.Timeline // nil without faults
	faults    network.Changes
	change    int64 // when faults or owners next change
	storeDown int64 // when the store has failed or will next fail
}

// remoteReplica is one server of the limiter.
type remoteReplica struct {
	id      int32
	queue   remote.Station
	cache   remote.Cache
	here    counting.Taker // the counts in its memory; nil if it has none
	synced  *remote.Synced // the same, if it syncs with the store
	phase   int64          // of its syncs
	ticking bool           // its next sync is scheduled
	oldest  int64          // the first request that its next sync can be about
	busy    int            // connections to the store in use
	waiting engine.FIFO[int32]
	epoch   int32 // number of starts, from 1
	down    bool
}

// Event kinds, in the order in which they run when they share a timestamp. Ref is
// a call unless noted.
const (
	answerArrives      uint32 = iota // Ref is a notice
	noticeAtReplica                  // Ref is a notice
	noticeAtStore                    // Ref is a notice
	reservationLapses                // Ref is a reservation
	reservationExpires               // Ref is a reservation
	callIsLost                       // at a time known before
	batchIsOver                      // Ref is a client
	syncStarts                       // Ref is a replica
	callAtReplica
	callLeavesReplica // the replica has served it
	callAtStore
	syncAtStore // Ref is a sync
	callIsBack
	syncIsBack // Ref is a sync
	callIsAnswered
	callTimesOut // the first of the timers; no Ref
)

func (r *remotes) Arrive(now int64, slot int32) {
	if now >= r.change {
		r.catchUp(now)
	}
	ref := r.newCall(slot, r.executor.Attempt(slot))
	switch {
	case r.joint && r.askedNothing(ref):
		r.release(ref)
		r.executor.Admit(slot, counting.ByLimiter)
	case r.batch != nil:
		r.collect(now, ref)
	case r.multiPolicy:
		r.spread(now, ref)
	default:
		r.executor.Asks(slot)
		c := r.calls.At(ref)
		c.server = r.route(now, c.client, c.key[0])
		r.load.Fanout(now, 1)
		r.send(now, ref)
	}
}

func (r *remotes) Fire(e engine.Event) {
	if e.Time >= r.change {
		r.catchUp(e.Time)
	}
	handlers[e.Kind](r, e.Time, e.Ref)
}

// handlers holds what runs at each kind of event.
var handlers = [...]func(r *remotes, now int64, ref int32){
	callIsLost:         (*remotes).lose,
	batchIsOver:        (*remotes).batchOver,
	syncStarts:         (*remotes).sync,
	callAtReplica:      (*remotes).atReplica,
	callLeavesReplica:  (*remotes).askStore,
	callAtStore:        (*remotes).atStore,
	syncAtStore:        (*remotes).syncAtStore,
	callIsBack:         (*remotes).backAtReplica,
	syncIsBack:         (*remotes).syncBack,
	callIsAnswered:     (*remotes).answered,
	callTimesOut:       (*remotes).timeOut,
	answerArrives:      (*remotes).notify,
	noticeAtReplica:    (*remotes).noticeAtReplica,
	noticeAtStore:      (*remotes).noticeAtStore,
	reservationLapses:  func(r *remotes, now int64, ref int32) { r.settling.book.Happen(now, settlement.Lapses, ref) },
	reservationExpires: func(r *remotes, now int64, ref int32) { r.settling.book.Happen(now, settlement.Expires, ref) },
}

// route returns the replica that a client asks about a key at now.
func (r *remotes) route(now int64, client, key int32) int32 {
	if r.config.Any {
		return r.rotation.Next(now, client)
	}
	return r.owners.Asked(now, client, key)
}

// Inspect returns the state at the store or the owner, which clients do not know.
func (r *remotes) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	if r.settling != nil {
		cost = max(1, r.settling.book.Charge([]int32{key}, cost))
	}
	switch {
	case r.store != nil:
		return r.store.Level(key, now), r.store.RetryAt(key, now, cost)
	case r.memory != nil:
		owner := remote.Owned{Memory: r.memory}
		return owner.Level(key, now), owner.RetryAt(key, now, cost)
	}
	return r.totals.Level(key, now), r.totals.RetryAt(key, now, cost)
}
