package sql

// SQLState is how a transaction ended.
type SQLState uint8

const (
	Committed     SQLState = iota
	Serialization          // 40001: the row was changed since the transaction began
	DuplicateKey           // 23505: somebody else has inserted the row
)

func (s SQLState) String() string { return [...]string{"00000", "40001", "23505"}[s] }

// Nobody is no transaction.
const Nobody = int32(-1)

// Locks are the row locks of a table and the transactions that wait for them,
// which have numbers of their own from 0 on.
type Locks struct {
	serializable bool
	rows         []lock
	failed       []int32
}

// lock is that of one row, or, before there is a row, of its place in the
// primary key's index.
type lock struct {
	holder  int32
	exists  bool // a row was committed
	waiting []int32
}

// NewLocks are the locks of a table without rows. Transactions are
// serializable, or else read committed.
func NewLocks(serializable bool, keys int) *Locks {
	l := &Locks{serializable: serializable, rows: make([]lock, keys)}
	for i := range l.rows {
		l.rows[i].holder = Nobody
	}
	return l
}

// Update is a transaction's UPDATE of a row, or INSERT where there is none. It
// gets the lock at once, or waits until Commit says what comes of it.
func (l *Locks) Update(key, transaction int32) bool {
	row := &l.rows[key]
	if row.holder != Nobody {
		row.waiting = append(row.waiting, transaction)
		return false
	}
	row.holder = transaction
	return true
}

// Commit ends the transaction that holds a row's lock. Those in failed, which
// is valid until the next call, have failed with the state; next has the lock
// now, or is Nobody.
//
// The waiting began while the row was as it was before the commit. That is
// fatal to all of them under serializable, and to those who found no row and
// so tried to insert one; else the one that came first goes on.
func (l *Locks) Commit(key int32) (next int32, failed []int32, state SQLState) {
	row := &l.rows[key]
	inserted := !row.exists
	row.exists, row.holder = true, Nobody
	switch {
	case l.serializable:
		state = Serialization
	case inserted:
		state = DuplicateKey
	case len(row.waiting) > 0:
		next = row.waiting[0]
		row.waiting = row.waiting[:copy(row.waiting, row.waiting[1:])]
		row.holder = next
		return next, nil, Committed
	default:
		return Nobody, nil, Committed
	}
	l.failed = append(l.failed[:0], row.waiting...)
	row.waiting = row.waiting[:0]
	return Nobody, l.failed, state
}
