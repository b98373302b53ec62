package remote

import "github.com/limitgauge/limitgauge/algorithms/counter"

// atReplica lets a call queue at its replica. Where counts are in its memory it
// is decided when it is served.
func (r *remotes) atReplica(now int64, ref int32) {
	c := &r.calls[ref]
	if r.serverDown(now, c.server) {
		r.lose(now, ref)
		return
	}
	server := &r.replicas[c.server]
	c.came = now
	begin := server.queue.Begin(now)
	if r.config.Drop && c.deadline <= begin || r.stops(c.server, now, begin) {
		r.lose(now, ref)
		return
	}
	_, end := server.queue.Serve(now, r.slow(begin, r.service.Draw()))
	if r.owners != nil {
		for at := ref; at != noCall; at = r.calls[at].next {
			r.served(now, &r.calls[at])
		}
	}
	switch {
	case server.here != nil:
		for at := ref; at != noCall; at = r.calls[at].next {
			if !r.takesAll(begin, &r.calls[at], c.server) {
				r.lose(now, ref)
				return
			}
			r.decideHere(begin, server, &r.calls[at])
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

// served tells the map of owners what a replica was asked for.
func (r *remotes) served(now int64, c *remoteCall) {
	if !r.joint {
		r.owners.Served(now, c.key, c.cost)
		return
	}
	for _, key := range c.keys {
		r.owners.Served(now, key, c.cost)
	}
}

// takesAll reports whether a replica answers for all keys of a request.
func (r *remotes) takesAll(now int64, c *remoteCall, server int32) bool {
	if !r.joint {
		return r.takes(now, c.key, server)
	}
	for _, key := range c.keys {
		if !r.takes(now, key, server) {
			return false
		}
	}
	return true
}

// take decides one request of a call.
func (r *remotes) take(t counter.Taker, c *remoteCall, now int64) counter.Verdict {
	if !r.joint {
		return t.Take(c.key, now, c.cost)
	}
	return r.rule.Take(t, c.keys, now, c.cost)
}

// decideHere decides one request of a call by what a replica has in its memory.
func (r *remotes) decideHere(now int64, server *remoteReplica, c *remoteCall) {
	if r.config.Cache && r.known(server, c, now) {
		return
	}
	c.verdict = r.take(server.here, c, now)
	if r.config.Cache {
		r.note(c, now, server.here)
		server.remember(c, now)
	}
}

// known refuses a request of which the replica's cache knows that a key is over
// its limit.
func (r *remotes) known(server *remoteReplica, c *remoteCall, now int64) bool {
	over := !r.joint && server.cache.Over(c.key, now)
	for _, key := range c.keys {
		over = over || server.cache.Over(key, now)
	}
	if over {
		c.verdict, c.decided = counter.MakeVerdict(false, counter.ByCache), true
	}
	return over
}

// note notes until when the keys of a refused request are over their limit, even
// for a request of cost 1. The counter is asked as it decides: by the time that
// the replica hears of it, it may have gone on.
func (r *remotes) note(c *remoteCall, now int64, t counter.Taker) {
	if c.verdict.Admitted() {
		return
	}
	if !r.joint {
		c.over = append(c.over[:0], t.RetryAt(c.key, now, 1))
	}
	for _, key := range c.keys {
		c.over = append(c.over, t.RetryAt(key, now, 1))
	}
}

// remember lets a replica refuse the keys that a call was told are over their
// limit.
func (s *remoteReplica) remember(c *remoteCall, now int64) {
	for i, until := range c.over {
		key := c.key
		if len(c.keys) > 0 {
			key = c.keys[i]
		}
		if until > now {
			s.cache.Remember(key, until)
		}
	}
}

// askStore answers from the replica's cache what it can, and takes a connection
// for the rest.
func (r *remotes) askStore(now int64, ref int32) {
	c := &r.calls[ref]
	if r.stops(c.server, c.came, now) {
		r.lose(now, ref)
		return
	}
	server := &r.replicas[c.server]
	if r.config.Cache {
		left := false
		for at := ref; at != noCall; at = r.calls[at].next {
			left = !r.known(server, &r.calls[at], now) || left
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
	r.leaveForStore(now, ref)
}

// hangUp gives a call's connection back, where it has one that its replica still
// knows of, to the call that waits longest.
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
		c := &r.calls[ref]
		if r.config.Drop && c.gone {
			r.lose(now, ref)
			continue
		}
		c.connection = server.epoch
		r.leaveForStore(now, ref)
		return
	}
	server.busy--
}

// atStore lets a call queue at the store, which decides when it serves it. A
// caller who has gone by then changes nothing, unless such calls are dropped.
func (r *remotes) atStore(now int64, ref int32) {
	c := &r.calls[ref]
	down := r.faults.store
	begin := r.queue.Begin(now)
	if begin >= down || r.config.Drop && c.deadline <= begin {
		r.loseAt(now, min(begin, down), ref)
		return
	}
	r.load.StoreWait(begin, begin-now)
	end, first := begin, true
	for at := ref; at != noCall; at = r.calls[at].next {
		c := &r.calls[at]
		if c.decided {
			continue
		}
		for ops := r.operations(c, first); ops > 0; ops-- {
			var ends int64
			begin, ends = r.queue.Serve(now, r.slow(r.queue.Begin(now), r.storeService.Draw()))
			end = max(end, ends)
			r.load.StoreOp(begin)
		}
		first = false
		if begin < down {
			c.verdict = r.take(r.store, c, begin)
			if r.config.Cache {
				r.note(c, begin, r.store)
			}
		}
	}
	back := end + c.wayBack
	switch {
	case end >= down:
		r.loseAt(now, down, ref)
	case r.direct:
		r.reply(now, back, ref)
	default:
		r.executor.Schedule(back, callIsBack, ref)
	}
}

// operations is how many the store needs for a request of a call.
func (r *remotes) operations(c *remoteCall, first bool) int {
	switch {
	case r.config.PerKey:
		return max(1, len(c.keys))
	case first:
		return 1
	}
	return 0
}

// backAtReplica gives the connection back, and remembers what is over its limit.
func (r *remotes) backAtReplica(now int64, ref int32) {
	c := &r.calls[ref]
	r.hangUp(now, c)
	if r.stops(c.server, c.came, now) {
		r.lose(now, ref)
		return
	}
	for at := ref; r.config.Cache && at != noCall; at = r.calls[at].next {
		r.replicas[c.server].remember(&r.calls[at], now)
	}
	r.reply(now, now, ref)
}
