package trace

import "context"

// finish merges all runs into one and returns it with the spool that keeps it,
// which is then the caller's to close.
func (s *sorter) finish(ctx context.Context) (run, *spool, error) {
	err := s.flush()
	if err == nil {
		err = s.endRun()
	}
	s.rows = columns{} // what merges has its room
	for err == nil && len(s.runs) > 1 {
		err = s.mergeAll(ctx)
	}
	if err != nil {
		return run{}, nil, err
	}
	return s.runs[0], s.out.to, nil
}

// close gives back what is kept.
func (s *sorter) close() { s.out.to.close() }

// mergeAll merges neighbouring runs, as many at a time as there is room for,
// into runs of a new spool.
func (s *sorter) mergeAll(ctx context.Context) error {
	old, unit := s.out.to, s.out.unit
	defer old.close()
	s.out = newPacker(&spool{memory: old.memory, create: old.create}, s.shape)
	s.out.unit = unit
	merged := s.runs[:0] // never ahead of what is still to be read
	for left := s.runs; len(left) > 0; {
		n := min(len(left), s.room.runs)
		r := run{first: left[0].first, last: left[0].last, from: s.out.to.pages()}
		for _, one := range left[1:n] {
			r.first, r.last = min(r.first, one.first), max(r.last, one.last)
		}
		if err := mergeRuns(ctx, old, left[:n], s.out); err != nil {
			return err
		}
		r.to = s.out.to.pages()
		merged, left = append(merged, r), left[n:]
	}
	s.runs = merged
	return nil
}

// mergeRuns merges runs; of rows of one instant those of the earlier run come
// first.
func mergeRuns(ctx context.Context, from *spool, runs []run, to *packer) error {
	h := make(heads, len(runs))
	for i, r := range runs {
		h[i] = &head{time: r.first, number: i, run: r}
	}
	for i := len(h) / 2; i >= 0; i-- {
		h.sink(i)
	}
	for len(h) > 0 {
		if err := h[0].open(from, to.shape); err != nil {
			return err
		}
		if err := h[0].write(ctx, to, h.second()); err != nil {
			return err
		}
		if len(h[0].rows.time) == 0 {
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		}
		h.sink(0)
	}
	return to.end()
}

// head is the next rows of a run that is merged.
type head struct {
	time   int64 // of the next row
	number int   // of the run, by age
	run    run
	*unpacker
	row int // the next one of its rows
}

// before says which of two heads comes first.
func (a *head) before(b *head) bool {
	return a.time < b.time || a.time == b.time && a.number < b.number
}

// open begins to read the run. Nothing is held of a run before its first time
// has come: those of a log that is nearly in order hardly overlap.
func (a *head) open(from *spool, s shape) error {
	if a.unpacker != nil {
		return nil
	}
	a.unpacker = newUnpacker(from, s, a.run)
	return a.next()
}

// write moves on past all rows that come before another head; nil is none.
func (a *head) write(ctx context.Context, to *packer, other *head) error {
	for len(a.rows.time) > 0 {
		n := a.row
		for n < len(a.rows.time) {
			if a.time = a.rows.time[n]; other != nil && !a.before(other) {
				break
			}
			n++
		}
		if err := to.add(&a.rows, a.row, n); err != nil {
			return err
		}
		if a.row = n; n < len(a.rows.time) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.next(); err != nil {
			return err
		}
		a.row = 0
	}
	return nil
}

// heads is a heap, the first one on top.
type heads []*head

// sink lets head i sink to its place.
func (h heads) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].before(h[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// second is the one that comes after the top.
func (h heads) second() *head {
	switch {
	case len(h) < 2:
		return nil
	case len(h) == 2 || h[1].before(h[2]):
		return h[1]
	}
	return h[2]
}
