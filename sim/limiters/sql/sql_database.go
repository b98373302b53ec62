package sql

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// sqlDatabase runs transactions: the processor's part at the caller's server, the
// statements at the leader of the row, the commit. On one server whose transactions
// wait for rows, as in PostgreSQL, processors also work on the statement, the
// response and the failure of a transaction; see processors.go.
type sqlDatabase struct {
	callers   *sqlCallers
	meter     *measure.Conflicts
	cluster   cluster
	rows      *remote.Store
	began     int64          // when the current transaction began
	locks     *sql.Locks     // nil if nobody waits
	conflicts *sql.Conflicts // nil if transactions wait
	overhead  engine.ServiceTime
	service   engine.ServiceTime
	work      work

	processors    []processors // by server
	credited      bool         // a wait for a lock is part of the transaction
	refusalWrites bool
	serializable  bool
	late          bool // a transaction may be aborted after its statement: rows change at the commit

	forUpdate  units.Fraction
	singleRow  units.Fraction
	statements random.Stream // which transactions are of these kinds
	priorities random.Stream
}

// begunTable is a table whose calls belong to the current transaction.
type begunTable struct {
	counting.Transactional
	began *int64
}

func (t begunTable) Take(key int32, now, cost int64) counting.Verdict {
	return t.TakeIn(key, *t.began, now, cost)
}

// open creates the table of rows, whose last writes a failover may lose.
func (d *sqlDatabase) open(t *engine.Trial) {
	o := t.Algorithm.Options
	d.processors = make([]processors, d.cluster.servers)
	for i := range d.processors {
		d.processors[i].idle = o.Int("processors")
	}
	d.serializable = o.String("isolation") == "serializable"
	if o.String("on_conflict") == "fail" {
		d.conflicts = sql.NewConflicts(t.Keys)
	} else {
		d.locks = sql.NewLocks(d.serializable, t.Keys)
	}
	losses := network.StoreLosses(t)
	if d.late = d.cluster.hashed || d.conflicts != nil; d.cluster.hashed {
		losses = nil
	}
	d.rows = remote.NewStore(losses, func() counting.Table {
		table := engine.Must(t.NewTable(t.Algorithm, t.Limit, engine.Whole, t.Keys))
		if inside := counting.Inside(table); inside != nil {
			d.refusalWrites = inside.RefusalWrites()
			return begunTable{inside, &d.began}
		}
		return table
	})
}

// reached queues a try for the processors of the caller's server.
func (d *sqlDatabase) reached(now int64, slot int32) {
	c := &d.callers.calls[slot]
	c.server = d.cluster.gateway(now, c.client)
	if d.cluster.fails(now, c.server) {
		d.callers.lose(now, slot)
		return
	}
	d.callers.load.Call(now, int(c.server), 1)
	d.enter(now, slot)
}

// begin starts a try's transaction and sends its first statement.
func (d *sqlDatabase) begin(now int64, slot int32) {
	c := &d.callers.calls[slot]
	if d.late {
		d.free(now, c.server)
	}
	if d.lostHere(now, slot) {
		return
	}
	if c.tries == 1 || d.serializable || d.locks != nil || !d.callers.byServer {
		c.began = now // otherwise the server retries a statement of the same transaction
	}
	c.selects = d.is(d.forUpdate)
	c.single = !c.selects && d.is(d.singleRow)
	switch {
	case d.conflicts == nil:
	case d.serializable && c.single:
		c.priority = sql.SingleRowPriority
	case d.serializable:
		c.priority = sql.Priority(c.selects, d.priorities.Uint64())
	default:
		c.priority = sql.HighestPriority
	}
	if d.late {
		d.send(now, slot)
		return
	}
	c.version = d.locks.Version(c.key)
	d.after(now, &d.work.statement, sqlUpdates, slot)
}

// is draws whether a transaction is of a kind that has a share of all.
func (d *sqlDatabase) is(share units.Fraction) bool {
	return share.Num > 0 && d.statements.Chance(uint64(share.Num), uint64(share.Den))
}

// lostHere reports whether a try is lost because the caller's server has stopped
// since the try was last seen there.
func (d *sqlDatabase) lostHere(now int64, slot int32) bool {
	c := &d.callers.calls[slot]
	return d.lost(now, slot, c.server, &c.here)
}

// lostThere is lostHere for the leader of the row.
func (d *sqlDatabase) lostThere(now int64, slot int32) bool {
	c := &d.callers.calls[slot]
	return d.lost(now, slot, c.leader, &c.there)
}

func (d *sqlDatabase) lost(now int64, slot, server int32, seen *int64) bool {
	if !d.cluster.stopped(server, *seen, now) {
		*seen = now
		return false
	}
	d.abort(now, slot)
	return true
}

// abort ends a try that gets no response, and frees its row.
func (d *sqlDatabase) abort(now int64, slot int32) {
	c := &d.callers.calls[slot]
	d.callers.lose(now, slot)
	if !c.locks {
		return
	}
	c.locks = false
	if d.conflicts != nil {
		d.conflicts.Release(c.key)
		return
	}
	d.pass(now, d.locks.Rollback(c.key))
}

// pass continues the transaction that has a row's lock now, unless it is Nobody.
func (d *sqlDatabase) pass(now int64, next int32) {
	if next == sql.Nobody {
		return
	}
	c := &d.callers.calls[next]
	c.locks = true
	if !d.lostThere(now, next) {
		d.run(now, next)
	}
}
