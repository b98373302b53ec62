package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// remoteFaults is the world's faults and how far they have been followed.
type remoteFaults struct {
	timeline *faults.Timeline // nil where nothing goes wrong
	last     int64            // the latest instant that was looked at
	next     int64            // the next one to look at
	store    int64            // since when, or from when on, the store is down
	moving   *faults.Owners   // nil unless keys are moved about
}

func (r *remotes) startFaults(t *engine.Trial) {
	f := &r.faults
	f.timeline, f.last, f.next, f.store = t.Faults, t.Origin-1, engine.Never, engine.Never
	if f.timeline != nil {
		f.next = t.Origin
	}
	if r.owners != nil && f.timeline.Moves() {
		f.moving = faults.NewOwners(f.timeline, r.home(t.Keys), len(r.replicas))
	}
	r.change = t.Origin
}

// home is the owner of each key by the present assignment.
func (r *remotes) home(keys int) []int32 {
	owner := make([]int32, keys)
	for key := range owner {
		owner[key] = r.owners.Owner(int32(key))
	}
	return owner
}

// storeLosses are the failovers of the store that lose what was written last.
func (r *remotes) storeLosses() (losses []remote.Loss) {
	for _, l := range r.faults.timeline.Lost(r.faults.last, r.setting.End) {
		if l.Server == faults.Store {
			losses = append(losses, remote.Loss{At: l.At, Since: l.LoseFrom})
		}
	}
	return losses
}

// catchUp makes what changes of its own accord up to now: faults come and go,
// keys move.
func (r *remotes) catchUp(now int64) {
	for r.change <= now {
		at := r.change
		if r.faults.next <= at {
			r.applyFaults(at)
		}
		r.change = r.faults.next
		if r.owners == nil {
			continue
		}
		if r.owners.Next() <= at {
			r.owners.Step(at)
		}
		r.change = min(r.change, r.owners.Next())
		if v := r.owners.Version(); v != r.version {
			r.version = v
			r.reassign(at)
		}
	}
}

// befall brings the faults up to an instant at which they change.
func (r *remotes) applyFaults(at int64) {
	f := &r.faults
	for _, l := range f.timeline.Lost(f.last, at) {
		r.wipe(at, l.Server)
	}
	if r.totals != nil && f.timeline.Saves(at) {
		r.totals.Save()
	}
	if r.owners != nil {
		for i := range r.replicas {
			if id := int32(i); f.timeline.Noticed(at, id) {
				r.owners.Fail(at, id)
			} else {
				r.owners.Recover(at, id)
			}
		}
	}
	for i := range r.replicas {
		server, down := &r.replicas[i], f.timeline.ServerDown(at, int32(i))
		if down && !server.down {
			r.stop(at, server)
		}
		server.down = down
	}
	if f.moving != nil {
		f.moving.Advance(at, r.move)
		r.expire(at)
	}
	if f.store <= f.last && !f.timeline.StoreDown(at) {
		r.queue.Clear() // what it had in its queue is lost
	}
	f.last, f.next = at, f.timeline.Next(at)
	for f.store = at; !f.timeline.StoreDown(f.store); {
		if f.store = f.timeline.Next(f.store); f.store == engine.Never {
			break
		}
	}
}

// stop drops what is in a replica's queues, with its connections.
func (r *remotes) stop(now int64, server *remoteReplica) {
	server.queue.Clear()
	server.busy = 0
	server.epoch++
	for server.waiting.Len() > 0 {
		r.lose(now, server.waiting.Pop())
	}
}

// wipe empties the memory of a server, or takes the store's counts back to what
// was saved of them.
func (r *remotes) wipe(now int64, id int32) {
	if id == faults.Store {
		if r.totals != nil {
			r.totals.Restore()
		}
		return
	}
	if int(id) >= len(r.replicas) {
		return
	}
	server := &r.replicas[id]
	r.stop(now, server)
	server.cache.Forget()
	if server.synced != nil {
		server.synced.Forget()
	}
	if r.memory == nil {
		return
	}
	for key := range int32(r.setting.Keys) {
		if r.owner == nil || r.owner[key] == id {
			r.memory.Forget(key)
		}
	}
	r.memory.Expire(func(server, _ int32) bool { return server != id })
}

// reassign moves the counts of keys that have got other owners.
func (r *remotes) reassign(now int64) {
	if r.owner == nil || r.faults.moving != nil {
		return
	}
	for key := range r.owner {
		if to := r.owners.Owner(int32(key)); to != r.owner[key] {
			r.move(int32(key), to)
		}
	}
	r.expire(now)
}

func (r *remotes) move(key, to int32) {
	if r.owner != nil { // counts live at owners
		r.memory.Move(key, r.owner[key], to)
		r.owner[key] = to
	}
}

// expire forgets what servers hold of keys that nobody asks them about.
func (r *remotes) expire(now int64) {
	if r.owner != nil {
		r.memory.Expire(func(server, key int32) bool { return r.asked(now, key) == server })
	}
}

// asked is the replica that clients take for a key's owner.
func (r *remotes) asked(now int64, key int32) int32 {
	if r.faults.moving != nil {
		return r.faults.moving.Asked(now, key)
	}
	return r.owners.Known(key, now)
}

// takes reports whether a replica answers for a key: one that has ceased to own
// it refuses after a while, as if it were down.
func (r *remotes) takes(now int64, key, server int32) bool {
	return r.faults.moving == nil || r.faults.moving.Takes(now, key, server)
}

func (r *remotes) cut(now int64, client int32) bool {
	return r.faults.timeline != nil && r.faults.timeline.Cut(now, client)
}

func (r *remotes) serverDown(now int64, server int32) bool {
	return r.faults.timeline != nil && r.faults.timeline.ServerDown(now, server)
}

// stops reports whether a replica is down at an instant, or stops between it and
// a later one.
func (r *remotes) stops(server int32, from, to int64) bool {
	timeline := r.faults.timeline
	if timeline == nil {
		return false
	}
	if timeline.ServerDown(from, server) {
		return true
	}
	for at := timeline.Next(from); at <= to; at = timeline.Next(at) {
		if timeline.ServerDown(at, server) {
			return true
		}
	}
	for _, l := range timeline.Lost(from, to) {
		if l.Server == server {
			return true
		}
	}
	return false
}

// leftOut reports whether a replica is known to be down.
func (r *remotes) leftOut(now int64, server int32) bool {
	return r.faults.timeline != nil && r.faults.timeline.Noticed(now, server)
}

func (r *remotes) slow(now, service int64) int64 {
	if r.faults.timeline == nil {
		return service
	}
	return service * r.faults.timeline.Slow(now)
}
