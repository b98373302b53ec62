package remote

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// atReplica queues a call at its replica. A replica that counts in its memory
// decides when it serves the call.
func (r *remotes) atReplica(now int64, ref int32) {
	c := r.calls.At(ref)
	if r.serverDown(now, c.server) {
		r.lose(now, ref)
		return
	}
	server := &r.replicas[c.server]
	c.arrived = now
	begin := server.queue.Begin(now)
	if r.config.Drop && c.deadline <= begin || r.stops(c.server, now, begin) {
		r.lose(now, ref)
		return
	}
	_, end := server.queue.Serve(now, r.slow(begin, r.service.Draw()))
	if !r.config.Any {
		for at := ref; at != noCall; at = r.calls.At(at).next {
			r.served(now, r.calls.At(at))
		}
	}
	switch {
	case server.here != nil:
		for at := ref; at != noCall; at = r.calls.At(at).next {
			if !r.takesAll(begin, r.calls.At(at), c.server) {
				r.lose(now, ref)
				return
			}
			r.decideHere(begin, server, at)
		}
		if server.synced != nil && server.synced.Pending() {
			r.tick(begin, c.server)
		}
		r.reply(now, end, ref)
	case end > now:
		r.executor.Schedule(end, callLeavesReplica, ref)
	default:
		r.askStore(now, ref)
	}
}

// served tells the owners about the load that a request causes.
func (r *remotes) served(now int64, c *remoteCall) {
	for _, key := range r.keys(c) {
		r.owners.Served(now, key, c.cost)
	}
}

// takesAll reports whether a replica answers for all keys of a request.
func (r *remotes) takesAll(now int64, c *remoteCall, server int32) bool {
	for _, key := range r.keys(c) {
		if !r.owners.Takes(now, key, server) {
			return false
		}
	}
	return true
}

// take decides about one request of a call.
func (r *remotes) take(t counting.Taker, ref int32, now int64) counting.Verdict {
	c := r.calls.At(ref)
	if r.settling != nil {
		return r.settling.take(r.rule, t, ref, r.keys(c), now, c.cost)
	}
	if !r.joint {
		return t.Take(c.key[0], now, c.cost)
	}
	return r.rule.Take(t, c.keys, now, c.cost)
}

// decideHere decides about one request of a call by the replica's memory.
func (r *remotes) decideHere(now int64, server *remoteReplica, ref int32) {
	c := r.calls.At(ref)
	if r.config.Cache && r.known(server, c, now) {
		return
	}
	c.verdict = r.take(server.here, ref, now)
	for _, key := range r.keys(c) {
		r.timeline.Holds(c.server, key)
	}
	if r.config.Cache {
		r.note(c, now, server.here)
		r.remember(server, c, now)
	}
}

// known rejects a request if a key is over its limit by the replica's cache.
func (r *remotes) known(server *remoteReplica, c *remoteCall, now int64) bool {
	if !slices.ContainsFunc(r.keys(c), func(key int32) bool { return server.cache.Over(key, now) }) {
		return false
	}
	c.verdict, c.decided = counting.MakeVerdict(false, counting.ByCache), true
	return true
}

// note stores until when the keys of a rejected request are over their limit, even
// for a request of cost 1. It reads the counter when that decides, because later
// requests change it before the response arrives.
func (r *remotes) note(c *remoteCall, now int64, t counting.Taker) {
	if c.verdict.Admitted() {
		return
	}
	for _, key := range r.keys(c) {
		c.over = append(c.over, t.RetryAt(key, now, 1))
	}
}

// remember stores in a replica's cache which keys of a call are over their limit.
func (r *remotes) remember(server *remoteReplica, c *remoteCall, now int64) {
	for i, until := range c.over {
		if until > now {
			server.cache.Remember(r.keys(c)[i], until)
			r.timeline.Holds(server.id, r.keys(c)[i])
		}
	}
}

// askStore decides requests by the replica's cache if it can, and takes a
// connection to the store for the others.
func (r *remotes) askStore(now int64, ref int32) {
	c := r.calls.At(ref)
	if r.stops(c.server, c.arrived, now) {
		r.lose(now, ref)
		return
	}
	server := &r.replicas[c.server]
	if r.config.Cache {
		left := false
		for at := ref; at != noCall; at = r.calls.At(at).next {
			left = !r.known(server, r.calls.At(at), now) || left
		}
		if !left {
			r.reply(now, now, ref)
			return
		}
	}
	if r.config.Connections > 0 {
		if server.busy == r.config.Connections {
			server.waiting.Push(ref)
			return
		}
		server.busy++
		c.connection = server.epoch
	}
	r.callStore(now, ref)
}

// hangUp passes a call's connection to the call that waits longest for one. A
// connection from before the replica's latest start has ended already.
func (r *remotes) hangUp(now int64, held *remoteCall) {
	if r.config.Connections == 0 {
		return
	}
	server := &r.replicas[held.server]
	if held.connection != server.epoch {
		return
	}
	held.connection = 0
	for server.waiting.Len() > 0 {
		ref := server.waiting.Pop()
		c := r.calls.At(ref)
		if r.config.Drop && c.gone {
			r.lose(now, ref)
			continue
		}
		c.connection = server.epoch
		r.callStore(now, ref)
		return
	}
	server.busy--
}

// atStore queues a call at the store, which decides when it serves the call. The
// store also serves a call whose caller has stopped waiting, unless the option
// abandoned is dropped.
func (r *remotes) atStore(now int64, ref int32) {
	c := r.calls.At(ref)
	down := r.storeDown
	begin := r.queue.Begin(now)
	if begin >= down || r.config.Drop && c.deadline <= begin {
		if begin >= down {
			r.timeline.StoreFails(down)
		}
		r.loseAt(now, min(begin, down), ref)
		return
	}
	r.load.StoreWait(begin, begin-now)
	end, first := begin, true
	for at := ref; at != noCall; at = r.calls.At(at).next {
		c := r.calls.At(at)
		if c.decided {
			continue
		}
		ops, commands := r.operations(c, first)
		if ops == 0 {
			r.load.StoreCommands(begin, commands)
		}
		for ; ops > 0; ops-- {
			var ends int64
			begin, ends = r.queue.Serve(now, r.slow(r.queue.Begin(now), r.storeService.Draw()))
			end = max(end, ends)
			r.load.StoreOp(begin, commands)
		}
		first = false
		if begin < down {
			c.verdict = r.take(r.store, at, begin)
			r.timeline.Written(begin)
			if r.config.Cache {
				r.note(c, begin, r.store)
			}
		}
	}
	back := end + c.storeBack
	switch {
	case end >= down:
		r.timeline.StoreFails(down)
		r.loseAt(now, down, ref)
	case r.direct:
		r.reply(now, back, ref)
	default:
		r.executor.Schedule(back, callIsBack, ref)
	}
}

// operations returns how many operations the store needs for a request of a call, and
// the commands of each. The operation of a whole call also has those of its further
// requests, which need none of their own.
func (r *remotes) operations(c *remoteCall, first bool) (ops int, commands int64) {
	keys := len(r.keys(c))
	switch {
	case r.config.PerKey:
		return keys, r.config.Commands
	case first:
		ops = 1
	}
	return ops, int64(keys) * r.config.Commands
}

// backAtReplica passes the connection on and updates the cache.
func (r *remotes) backAtReplica(now int64, ref int32) {
	c := r.calls.At(ref)
	r.hangUp(now, c)
	if r.stops(c.server, c.arrived, now) {
		r.lose(now, ref)
		return
	}
	for at := ref; r.config.Cache && at != noCall; at = r.calls.At(at).next {
		r.remember(&r.replicas[c.server], r.calls.At(at), now)
	}
	r.reply(now, now, ref)
}
