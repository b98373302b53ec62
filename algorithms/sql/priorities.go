package sql

// Priorities of transactions under YugabyteDB's Fail-on-Conflict. Transactions of the
// normal bucket have 0 to HighPriority-1, those of the high bucket the rest.
//
// Source: docs.yugabyte.com, architecture/transactions/transaction-priorities.
const (
	SingleRowPriority = HighPriority - 1  // of transactions that read and write one row: the highest of the normal bucket
	HighPriority      = uint64(1)<<32 - 1 // the lowest of the high bucket
	HighestPriority   = ^uint64(0)        // of every transaction under read committed
)

// Priority returns the priority of a transaction for a draw that is uniform over
// 64 bits. high means that its first statement is SELECT ... FOR UPDATE.
func Priority(high bool, draw uint64) uint64 {
	if high {
		return max(draw, HighPriority) // all but 2^-32 of the draws are above it
	}
	return (draw >> 32) % HighPriority // 2^-32 of the draws are 0 instead of 2^32-1
}

// Conflicts holds the rows of a table that transactions have written and not yet
// committed, under Fail-on-Conflict: no transaction waits. Transactions have numbers
// from 0 on. It is not safe for concurrent use.
//
// Source: docs.yugabyte.com, architecture/transactions/concurrency-control.
type Conflicts struct{ rows []written }

// written is the uncommitted write of a row.
type written struct {
	holder   int32
	commits  bool // the commit has begun, so nothing can abort the holder
	priority uint64
}

// NewConflicts returns the state of a table without uncommitted writes.
func NewConflicts(keys int) *Conflicts {
	c := &Conflicts{rows: make([]written, keys)}
	for i := range c.rows {
		c.rows[i].holder = Nobody
	}
	return c
}

// Update performs a transaction's first access to a row. It returns true if the
// transaction has the row now. It then has aborted the transaction in wounded, unless
// that is Nobody: the holder had a lower priority and had not begun to commit
// ("wound"). Otherwise the transaction must abort itself ("die").
func (c *Conflicts) Update(key, transaction int32, priority uint64) (has bool, wounded int32) {
	row := &c.rows[key]
	wounded = row.holder
	if wounded != Nobody && (row.commits || priority <= row.priority) {
		return false, Nobody
	}
	*row = written{holder: transaction, priority: priority}
	return true, wounded
}

// Commits notes that the transaction that has a row begins to commit.
func (c *Conflicts) Commits(key int32) { c.rows[key].commits = true }

// Release ends the transaction that has a row, by a commit or an abort.
func (c *Conflicts) Release(key int32) { c.rows[key] = written{holder: Nobody} }
