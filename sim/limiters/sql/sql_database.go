package sql

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// sqlDatabase runs transactions: the processor's part, the row's lock, the commit.
type sqlDatabase struct {
	callers  *sqlCallers
	meter    *measure.Conflicts
	rows     *remote.Store
	began    int64 // when the current transaction began
	locks    *sql.Locks
	overhead engine.ServiceTime
	service  engine.ServiceTime

	idle          int64 // processors
	queue         engine.FIFO[int32]
	credited      bool // a wait for a lock is part of the transaction
	refusalWrites bool
}

// begunTable is a table whose calls belong to the current transaction.
type begunTable struct {
	counter.Transactional
	began *int64
}

func (t begunTable) Take(key int32, now, cost int64) counter.Verdict {
	return t.TakeIn(key, *t.began, now, cost)
}

// open creates the table of rows, whose last writes a failover may lose.
func (d *sqlDatabase) open(t *engine.Trial) (err error) {
	d.rows, err = remote.NewStore(network.StoreLosses(t), func() (counter.Table, error) {
		table, err := t.NewTable(t.Algorithm, t.Limit, engine.Whole, t.Keys)
		if err != nil {
			return nil, err
		}
		if inside := counter.Inside(table); inside != nil {
			d.refusalWrites = inside.RefusalWrites()
			return begunTable{inside, &d.began}, nil
		}
		return table, nil
	})
	return err
}

// reached queues a try for the processors.
func (d *sqlDatabase) reached(now int64, slot int32) {
	if d.callers.faults.StoreFails(now) {
		d.callers.lose(now, slot)
		return
	}
	d.callers.load.Call(now, 0, 1)
	d.enter(now, slot)
}

func (d *sqlDatabase) enter(now int64, slot int32) {
	d.callers.calls[slot].reached = now
	if d.idle == 0 {
		d.queue.Push(slot)
		return
	}
	d.idle--
	d.work(now, slot)
}

func (d *sqlDatabase) work(now int64, slot int32) {
	d.callers.executor.Schedule(now+d.callers.faults.Slow(now, d.overhead.Draw()), sqlBegins, slot)
}

// begin starts a try's transaction and its UPDATE.
func (d *sqlDatabase) begin(now int64, slot int32) {
	if d.queue.Len() > 0 {
		d.work(now, d.queue.Pop())
	} else {
		d.idle++
	}
	c := &d.callers.calls[slot]
	c.began = now
	switch {
	case !d.refusalWrites && d.rows.Level(c.key, now) < c.cost:
		// It changes nothing, so it needs no lock.
		c.locks = false
		d.run(now, slot)
	case d.locks.Update(c.key, slot):
		c.locks = true
		d.run(now, slot)
	}
}

// run decides a try and schedules its commit.
func (d *sqlDatabase) run(now int64, slot int32) {
	c := &d.callers.calls[slot]
	d.callers.load.StoreOp(now)
	d.callers.load.StoreWait(now, now-c.reached)
	if !d.credited {
		c.began = now
	}
	d.began = c.began
	c.verdict = d.rows.Take(c.key, now, c.cost)
	d.callers.faults.Written(now)
	if d.callers.maxWait > 0 && !c.verdict.Admitted() {
		c.retryAt = d.rows.RetryAt(c.key, now, c.cost)
	}
	d.callers.executor.Schedule(now+d.callers.faults.Slow(now, d.service.Draw()), sqlCommits, slot)
}

// commit ends a transaction, and the wait of the others for its row.
func (d *sqlDatabase) commit(now int64, slot int32) {
	c := &d.callers.calls[slot]
	d.meter.Committed(now, c.tries == 1)
	if c.locks {
		next, failed, state := d.locks.Commit(c.key)
		for _, other := range failed {
			d.fail(now, other, state)
		}
		if next != sql.Nobody {
			d.callers.calls[next].locks = true
			d.run(now, next)
		}
	}
	d.callers.answer(now, slot)
}

// fail ends a try whose row has changed.
func (d *sqlDatabase) fail(now int64, slot int32, state sql.SQLState) {
	c := &d.callers.calls[slot]
	c.failed = true
	d.callers.load.StoreOp(now)
	d.meter.Failed(now, c.tries == 1, state == sql.DuplicateKey)
	if d.callers.byServer && c.tries <= d.callers.retries {
		c.tries++
		c.failed = false
		d.enter(now, slot)
		return
	}
	d.callers.answer(now, slot)
}
