package sql

import "slices"

// SQLState is the result of a transaction.
type SQLState uint8

const (
	Committed     SQLState = iota
	Serialization          // 40001: the row was changed since the transaction began
	DuplicateKey           // 23505: another transaction has inserted the row
)

// Nobody stands for no transaction.
const Nobody = int32(-1)

// Locks holds the row locks of a table and the transactions that wait for them.
// Transactions have numbers from 0 on. It is not safe for concurrent use.
type Locks struct {
	serializable bool
	rows         []lock
	failed       []int32
}

// Waiter is a transaction that waits for a row.
type Waiter struct {
	Transaction int32
	start       int64
}

// lock is the lock of one row or, before there is a row, of its place in the primary
// key's index.
type lock struct {
	holder  int32
	version int64    // commits
	waiting []Waiter // by start
}

// NewLocks returns the locks of a table without rows. Its transactions are
// serializable, or else read committed.
func NewLocks(serializable bool, keys int) *Locks {
	l := &Locks{serializable: serializable, rows: make([]lock, keys)}
	for i := range l.rows {
		l.rows[i].holder = Nobody
	}
	return l
}

// Update performs a transaction's UPDATE of a row, or its INSERT if there is none.
// It returns true if the transaction has the lock. Otherwise it waits, and a later
// Commit or Rollback returns its result. start is the time at which it began, in any
// unit: transactions that began earlier go first, those that began at the same time
// in the order of their updates.
func (l *Locks) Update(key, transaction int32, start int64) bool {
	row := &l.rows[key]
	if row.holder != Nobody {
		i := len(row.waiting)
		for i > 0 && row.waiting[i-1].start > start {
			i--
		}
		row.waiting = slices.Insert(row.waiting, i, Waiter{transaction, start})
		return false
	}
	row.holder = transaction
	return true
}

// Commit ends the transaction that holds a row's lock. The transactions in failed,
// which is valid until the next call, have failed with the given state. next has the
// lock now, or is Nobody.
//
// The waiting transactions began before the commit changed the row. Under
// serializable, all of them therefore fail. Under read committed, those that found no
// row and tried to insert one fail; otherwise the first one continues.
func (l *Locks) Commit(key int32) (next int32, failed []int32, state SQLState) {
	row := &l.rows[key]
	inserted := row.version == 0
	row.version++
	switch {
	case l.serializable:
		state = Serialization
	case inserted:
		state = DuplicateKey
	default:
		return l.pass(row), nil, Committed
	}
	l.failed = l.failed[:0]
	for _, w := range row.waiting {
		l.failed = append(l.failed, w.Transaction)
	}
	row.holder, row.waiting = Nobody, row.waiting[:0]
	return Nobody, l.failed, state
}

// Version returns the number of transactions that have committed a change of a row.
func (l *Locks) Version(key int32) int64 { return l.rows[key].version }

// Stale returns the state in which a transaction fails that now updates a row, or
// Committed if it does not fail. version is that of the row when the statement took
// its snapshot: under serializable, the row has changed since; under read committed,
// it did not exist then and does now.
func (l *Locks) Stale(key int32, version int64) SQLState {
	switch now := l.rows[key].version; {
	case l.serializable && now != version:
		return Serialization
	case version == 0 && now != version:
		return DuplicateKey
	}
	return Committed
}

// Waiting returns the transactions that wait for a row, first those that began first. They
// are valid until the next call.
func (l *Locks) Waiting(key int32) []Waiter { return l.rows[key].waiting }

// Rollback ends the transaction that holds a row's lock without a change of the row.
// The next waiting transaction, or Nobody, has the lock now: nothing has happened that
// it conflicts with.
func (l *Locks) Rollback(key int32) (next int32) { return l.pass(&l.rows[key]) }

// pass gives a row's lock to the first transaction that waits for it.
func (*Locks) pass(row *lock) (next int32) {
	row.holder = Nobody
	if len(row.waiting) > 0 {
		row.holder = row.waiting[0].Transaction
		row.waiting = row.waiting[:copy(row.waiting, row.waiting[1:])]
	}
	return row.holder
}
