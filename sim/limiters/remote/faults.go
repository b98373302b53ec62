package remote

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// unaffected returns why a fault cannot affect an algorithm.
func unaffected(s *engine.Setting, a *scenarios.Algorithm, f *scenarios.Fault) string {
	c := engine.Must(remoteConfig(s, a))
	takesNone := func(service catalog.Choice) bool {
		t := engine.ServiceOf(service, random.Stream{})
		return t.TakesNone()
	}
	switch {
	case (f.Kind == "store-down" || f.Kind == "store-latency") && !c.Store:
		return "its replicas count in memory, without a store"
	case f.Kind == "slow-server" && takesNone(c.Service) && (!c.Store || takesNone(c.StoreService)):
		return "its replicas and its store take no time"
	case c.Any && (f.Kind == "reshard" || f.Owned()):
		return "any replica takes any request, and none owns a key"
	}
	return ""
}

// catchUp applies the faults and moves the keys up to now.
func (r *remotes) catchUp(now int64) {
	for r.change <= now {
		at := r.change
		if r.faults.NextChange <= at {
			r.applyFaults(r.faults.Advance())
		}
		if r.owners.Reassign(at) {
			r.expire(at)
		}
		r.change = min(r.faults.NextChange, r.owners.Next())
	}
}

func (r *remotes) applyFaults(c network.Change) {
	for _, server := range c.Restarted {
		r.wipe(c.At, server)
	}
	if r.totals != nil {
		for range c.Failovers {
			r.totals.Restore()
		}
		if c.Saves {
			r.totals.Save()
		}
	}
	for i := range r.replicas {
		server, down := &r.replicas[i], r.timeline.ServerDown(c.At, int32(i))
		if down && !server.down {
			r.stop(c.At, int32(i))
		}
		server.down = down
	}
	r.owners.ApplyFaults(c.At)
	if r.owners.FaultsMove() || r.timeline.ChangesServers() {
		r.expire(c.At)
	}
	if r.storeDown < c.At && !r.timeline.StoreDown(c.At) {
		r.queue.Clear() // a failure loses what is queued
	}
	for r.storeDown = c.At; r.storeDown < engine.Never && !r.timeline.StoreDown(r.storeDown); {
		r.storeDown = r.timeline.Next(r.storeDown)
	}
}

// stop drops a replica's queues and connections.
func (r *remotes) stop(now int64, id int32) {
	server := &r.replicas[id]
	server.queue.Clear()
	server.busy = 0
	server.epoch++
	for server.waiting.Len() > 0 {
		r.stops(id, now-1, now) // counts the call
		r.lose(now, server.waiting.Pop())
	}
}

// wipe empties the memory of a replica.
func (r *remotes) wipe(now int64, id int32) {
	server := &r.replicas[id]
	r.stop(now, id)
	server.cache.Forget()
	if server.synced != nil {
		server.synced.Forget()
	}
	if r.memory == nil {
		return
	}
	for key := range int32(r.setting.Keys) {
		if r.config.Any || r.owners.Owner(key) == id {
			r.memory.Forget(key)
		}
	}
	r.memory.Expire(func(server, _ int32) bool { return server != id })
}

// move gives a key's count to another owner.
func (r *remotes) move(_ int64, key, to int32) {
	if r.memory != nil {
		r.timeline.Holds(to, key)
		r.memory.Move(key, r.owners.Owner(key), to)
	}
}

// expire forgets the counts that replicas keep of keys for which clients no longer
// ask them.
func (r *remotes) expire(now int64) {
	if r.memory != nil {
		r.memory.Expire(func(server, key int32) bool { return r.owners.AskedBySome(now, key, server) })
	}
}

func (r *remotes) cut(now int64, client int32) bool {
	return r.timeline != nil && r.timeline.Cut(now, client)
}

func (r *remotes) serverDown(now int64, server int32) bool {
	return r.timeline != nil && r.timeline.ServerFails(now, server)
}

// stops reports whether a call is lost because its replica is down at any time of
// an interval, or restarts in it.
func (r *remotes) stops(server int32, from, to int64) bool {
	return r.timeline != nil && r.timeline.FailsDuring(from, to, server)
}

// slow returns the service time of an operation that begins at now.
func (r *remotes) slow(now, service int64) int64 {
	if r.timeline == nil {
		return service
	}
	return r.timeline.Slow(now, service)
}
