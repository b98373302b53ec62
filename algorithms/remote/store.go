package remote

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Loss is a failover of the store at a time At, which loses the writes at Since or
// later.
type Loss struct{ At, Since int64 }

func (l Loss) takes(now int64) bool { return now >= l.Since && now < l.At }

// Store is the table of counters in the store. A failover reverts recent writes.
// The store therefore keeps, beside the active table, one table for each future
// failover, without the writes that the failover will lose. Times must not go
// backwards. It is not safe for concurrent use.
type Store struct {
	losses []Loss           // future ones, in time order
	tables []counting.Table // the active one, and the one after each loss
}

// NewStore returns a store with tables from make.
func NewStore(losses []Loss, make func() counting.Table) *Store {
	s := &Store{losses: losses}
	for range len(losses) + 1 {
		s.tables = append(s.tables, make())
	}
	return s
}

// Tables makes the failovers that are due and returns the active table and the one
// after each future failover.
func (s *Store) Tables(now int64) []counting.Table {
	for len(s.losses) > 0 && s.losses[0].At <= now {
		s.losses, s.tables = s.losses[1:], s.tables[1:]
	}
	return s.tables
}

// Written returns the tables that a write at now changes: the active one, and the others
// unless a failover will lose it.
func (s *Store) Written(now int64) []counting.Table {
	tables := s.Tables(now)
	if slices.ContainsFunc(s.losses, func(l Loss) bool { return l.takes(now) }) {
		return tables[:1]
	}
	return tables
}

// Take decides one request.
func (s *Store) Take(key int32, now, cost int64) counting.Verdict {
	tables := s.Written(now)
	for _, t := range tables[1:] {
		t.Take(key, now, cost)
	}
	return tables[0].Take(key, now, cost)
}

// Correct changes what a request took: see counting.Table.
func (s *Store) Correct(key int32, now, taken, tokens int64, debt bool) {
	for _, t := range s.Written(now) {
		t.Correct(key, now, taken, tokens, debt)
	}
}

// CountsUntil returns until when what is taken at a time counts: see counting.Table.
func (s *Store) CountsUntil(taken int64) int64 { return s.tables[0].CountsUntil(taken) }

// Level is that of the active table.
func (s *Store) Level(key int32, now int64) int64 { return s.Tables(now)[0].Level(key, now) }

// RetryAt is that of the active table.
func (s *Store) RetryAt(key int32, now, cost int64) int64 {
	return s.Tables(now)[0].RetryAt(key, now, cost)
}
