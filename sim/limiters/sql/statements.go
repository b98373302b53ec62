package sql

import "github.com/limitgauge/limitgauge/algorithms/sql"

// send sends a statement to the leader of its row.
func (d *sqlDatabase) send(now int64, slot int32) {
	c := &d.callers.calls[slot]
	if c.leader = d.cluster.of(now, c.key); c.leader == c.server {
		d.statement(now, slot)
		return
	}
	there, back := d.cluster.hop.RoundTrip(now)
	c.rest = back
	d.callers.executor.Schedule(now+there, sqlAtLeader, slot)
}

// statement begins a statement at the leader of its row.
func (d *sqlDatabase) statement(now int64, slot int32) {
	c := &d.callers.calls[slot]
	if d.cluster.unavailable(now, c.key, c.leader) {
		d.abort(now, slot)
		return
	}
	if c.leader != c.server {
		d.callers.load.Call(now, int(c.leader), 1)
	}
	c.there = now
	if c.locks {
		d.run(now, slot)
		return
	}
	if c.wounded {
		d.fail(now, slot, sql.Serialization)
		return
	}
	if d.reads(now, c) {
		d.run(now, slot)
		return
	}
	if d.conflicts == nil {
		c.locks = d.locks.Update(c.key, slot, c.began)
		if c.asleep = !c.locks; c.locks {
			d.run(now, slot)
		}
		return
	}
	has, wounded := d.conflicts.Update(c.key, slot, c.priority)
	if wounded != sql.Nobody {
		loser := &d.callers.calls[wounded]
		loser.locks, loser.wounded = false, true
	}
	if c.locks = has; has {
		d.run(now, slot)
		return
	}
	d.fail(now, slot, sql.Serialization)
}

// reads reports whether a statement changes nothing, so that it needs no lock.
func (d *sqlDatabase) reads(now int64, c *sqlCall) bool {
	return !d.late && !d.refusalWrites && !c.selects && !c.locks && d.rows.Level(c.key, now) < c.cost
}

// run works on a statement that has its row. The last one decides.
func (d *sqlDatabase) run(now int64, slot int32) {
	c := &d.callers.calls[slot]
	d.callers.load.StoreOp(now, 1)
	if !c.running {
		d.callers.load.StoreWait(now, now-c.reached)
		if !d.credited {
			c.began = now
		}
		c.running = true
	}
	switch {
	case c.selects:
	case d.late:
		c.decided = now
	default:
		d.take(now, slot, now)
	}
	d.callers.executor.Schedule(now+d.callers.faults.Slow(now, d.service.Draw()), sqlServed, slot)
}

// take changes the row by a call at a time of its statement.
func (d *sqlDatabase) take(now int64, slot int32, at int64) {
	c := &d.callers.calls[slot]
	d.began = c.began
	c.verdict = d.rows.Take(c.key, at, c.cost)
	if !d.cluster.hashed {
		d.callers.faults.Written(at)
	}
	if d.callers.maxWait > 0 && !c.verdict.Admitted() {
		c.retryAt = d.rows.RetryAt(c.key, now, c.cost)
	}
}

// reply sends the result of a statement from the leader to the caller's server.
func (d *sqlDatabase) reply(now int64, slot int32) {
	c := &d.callers.calls[slot]
	switch {
	case d.lostThere(now, slot):
	case d.late && c.single && c.locks && c.state == sql.Committed:
		d.commits(now, slot, c.leader)
	case c.leader == c.server:
		d.replied(now, slot)
	default:
		d.callers.executor.Schedule(now+c.rest, sqlReplied, slot)
	}
}

// replied handles the result of a statement at the caller's server.
func (d *sqlDatabase) replied(now int64, slot int32) {
	c := &d.callers.calls[slot]
	switch {
	case d.lostHere(now, slot):
	case c.done:
		d.callers.answer(now, slot)
	case c.state != sql.Committed:
		d.failed(now, slot, c.state)
	case c.wounded:
		d.failed(now, slot, sql.Serialization)
	case c.selects:
		c.selects = false
		d.send(now, slot)
	case !d.late:
		d.queue(now, slot, commits)
	default:
		d.commits(now, slot, c.server)
	}
}

// commits begins a transaction's commit at a server, after which nothing can abort it.
func (d *sqlDatabase) commits(now int64, slot, server int32) {
	c := &d.callers.calls[slot]
	ns, ok := d.cluster.round(now, server)
	if !ok {
		d.abort(now, slot)
		return
	}
	if d.conflicts != nil {
		d.conflicts.Commits(c.key)
	}
	if ns == 0 {
		d.commit(now, slot)
		return
	}
	d.callers.executor.Schedule(now+ns, sqlCommits, slot)
}

// commit ends a transaction.
func (d *sqlDatabase) commit(now int64, slot int32) {
	c := &d.callers.calls[slot]
	d.meter.Committed(now, c.tries == 1)
	if d.late {
		at := c.decided
		if d.callers.faults.Next(at) <= now {
			at = now // the limit may have changed meanwhile
		}
		d.take(now, slot, at)
	}
	far := c.leader != c.server
	switch {
	case !c.locks:
	case far && !c.single:
		d.callers.executor.Schedule(now+d.cluster.hop.Latency(now)/2, sqlReleases, c.key)
	default:
		d.release(now, c.key)
	}
	c.locks, c.done = false, true
	switch {
	case !d.late:
		d.after(now, &d.work.response, sqlResponds, slot)
	case c.single && d.cluster.stopped(c.leader, c.there, now), d.cluster.stopped(c.server, c.here, now):
		d.callers.lose(now, slot) // its writes remain
	case c.single && far:
		d.callers.executor.Schedule(now+c.rest, sqlReplied, slot)
	default:
		d.callers.answer(now, slot)
	}
}

// release ends the others' wait for a row whose change its leader knows.
func (d *sqlDatabase) release(now int64, key int32) {
	if d.conflicts != nil {
		d.conflicts.Release(key)
		return
	}
	next, failed, state := d.locks.Commit(key)
	if !d.late {
		d.wake(now, key, next, failed, state)
		return
	}
	for _, other := range failed {
		if !d.lostThere(now, other) {
			d.fail(now, other, state)
		}
	}
	d.pass(now, next)
}

// fail ends a statement at the leader: its row has changed or is taken.
func (d *sqlDatabase) fail(now int64, slot int32, state sql.SQLState) {
	d.callers.load.StoreOp(now, 1)
	d.callers.calls[slot].state = state
	d.reply(now, slot)
}

// failed ends a try at the caller's server.
func (d *sqlDatabase) failed(now int64, slot int32, state sql.SQLState) {
	c := &d.callers.calls[slot]
	d.meter.Failed(now, c.tries == 1, state == sql.DuplicateKey)
	if d.callers.byServer && c.tries <= d.callers.retries {
		wait := d.callers.backoff.next(c.tries)
		c.retry()
		if wait > 0 {
			d.callers.executor.Schedule(now+wait, sqlEnters, slot)
		} else {
			d.enter(now, slot)
		}
		return
	}
	c.failed = true
	d.callers.answer(now, slot)
}

// enters retries a try after a wait at its server.
func (d *sqlDatabase) enters(now int64, slot int32) {
	if !d.lostHere(now, slot) {
		d.enter(now, slot)
	}
}
