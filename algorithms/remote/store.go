package remote

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Loss is a failover of the store at a time At, which loses the writes at Since or
// later.
type Loss struct{ At, Since int64 }

// Store is the table of counters in the store. A failover reverts recent writes.
// The store therefore keeps, beside the active table, one table for each future
// failover, without the writes that the failover will lose. It is not safe for
// concurrent use.
type Store struct {
	table  counter.Table
	losses []Loss          // future ones, in time order
	after  []counter.Table // the table after each of them
}

// NewStore returns a store with tables from make.
func NewStore(losses []Loss, make func() (counter.Table, error)) (*Store, error) {
	s := &Store{losses: losses}
	var err error
	if s.table, err = make(); err != nil {
		return nil, err
	}
	for range losses {
		t, err := make()
		if err != nil {
			return nil, err
		}
		s.after = append(s.after, t)
	}
	return s, nil
}

// Take decides one request. Times must not go backwards.
func (s *Store) Take(key int32, now, cost int64) counter.Verdict {
	s.write(now, func(t counter.Table) { t.Take(key, now, cost) })
	return s.table.Take(key, now, cost)
}

// Correct changes what a request took: see counter.Table.
func (s *Store) Correct(key int32, now, taken, tokens int64, debt bool) {
	s.write(now, func(t counter.Table) { t.Correct(key, now, taken, tokens, debt) })
	s.table.Correct(key, now, taken, tokens, debt)
}

// CountsUntil returns until when what is taken at a time counts: see counter.Table.
func (s *Store) CountsUntil(taken int64) int64 { return s.table.CountsUntil(taken) }

// write makes the failovers that are due, and repeats a write at now for those that
// will not lose it.
func (s *Store) write(now int64, repeat func(t counter.Table)) {
	if len(s.losses) == 0 {
		return
	}
	s.reach(now)
	for i := range s.losses {
		if s.losses[i].takes(now) {
			return
		}
	}
	for _, t := range s.after {
		repeat(t)
	}
}

func (l *Loss) takes(now int64) bool { return now >= l.Since && now < l.At }

// reach makes the failovers that are due.
func (s *Store) reach(now int64) {
	for len(s.losses) > 0 && s.losses[0].At <= now {
		s.table, s.after, s.losses = s.after[0], s.after[1:], s.losses[1:]
	}
}

// Level is that of the active table.
func (s *Store) Level(key int32, now int64) int64 {
	s.reach(now)
	return s.table.Level(key, now)
}

// RetryAt is that of the active table.
func (s *Store) RetryAt(key int32, now, cost int64) int64 {
	s.reach(now)
	return s.table.RetryAt(key, now, cost)
}
