package sql

import "github.com/limitgauge/limitgauge/algorithms/sql"

// wake has the transactions that wait for a row notice a commit. Those that have
// failed notice it one after another.
func (d *sqlDatabase) wake(now int64, key, next int32, failed []int32, state sql.SQLState) {
	for i, loser := range failed {
		c := &d.callers.calls[loser]
		c.asleep, c.state, c.next = false, state, sql.Nobody
		if i > 0 {
			d.callers.calls[failed[i-1]].next = loser
		}
	}
	if len(failed) > 0 {
		d.queue(now, failed[0], rechecks)
		return
	}
	if next == sql.Nobody {
		return
	}
	d.callers.calls[next].locks = true
	d.rouse(now, next)
	for _, other := range d.locks.Waiting(key) {
		d.rouse(now, other.Transaction)
	}
}

// rouse has a transaction recheck its row unless it will do so anyway.
func (d *sqlDatabase) rouse(now int64, slot int32) {
	if c := &d.callers.calls[slot]; c.asleep {
		c.asleep = false
		d.queue(now, slot, rechecks)
	}
}

// rechecked continues a transaction that has seen its row: it has failed, it has
// the row and repeats its statement, or it waits again.
func (d *sqlDatabase) rechecked(now int64, slot int32) {
	c := &d.callers.calls[slot]
	if c.state != sql.Committed {
		next := c.next
		d.aborts(now, slot, c.state)
		if next != sql.Nobody {
			d.queue(now, next, rechecks)
		}
		return
	}
	if c.asleep = !c.locks; c.locks {
		d.after(now, &d.work.statement, sqlRepeats, slot)
		return
	}
	d.free(now, c.server)
}

// repeat decides by a row that another transaction has changed since the snapshot.
func (d *sqlDatabase) repeat(now int64, slot int32) {
	d.run(now, slot)
	d.free(now, d.callers.calls[slot].server)
}
