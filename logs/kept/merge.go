package kept

import "context"

// Finish merges all runs into one and returns it with the spool that holds it.
// The caller closes the spool.
func (s *Sorter) Finish(ctx context.Context) (Run, *Spool, error) {
	err := s.flush()
	if err == nil {
		err = s.endRun()
	}
	s.Rows, s.order = Columns{}, ordering{} // frees the space for merging
	for err == nil && len(s.runs) > 1 {
		err = s.mergeAll(ctx)
	}
	if err != nil {
		return Run{}, nil, err
	}
	return s.runs[0], s.out.to, nil
}

// Close releases memory and the temporary file.
func (s *Sorter) Close() { s.out.to.Close() }

// mergeAll merges adjacent runs, as many at a time as memory allows, into runs
// of a new spool.
func (s *Sorter) mergeAll(ctx context.Context) error {
	old, unit := s.out.to, s.out.unit
	defer old.Close()
	s.out = newPacker(&Spool{memory: old.memory, create: old.create}, s.Shape)
	s.out.unit = unit
	merged := s.runs[:0] // the write position never passes the read position
	for left := s.runs; len(left) > 0; {
		n := min(len(left), s.room.Runs)
		r := Run{First: left[0].First, Last: left[0].Last, from: s.out.to.blocks()}
		for _, one := range left[1:n] {
			r.First, r.Last = min(r.First, one.First), max(r.Last, one.Last)
		}
		if err := s.merge(ctx, old, left[:n]); err != nil {
			return err
		}
		r.to = s.out.to.blocks()
		merged, left = append(merged, r), left[n:]
	}
	s.runs = merged
	return nil
}

// merge merges runs. Rows with equal times keep the order of their runs.
func (s *Sorter) merge(ctx context.Context, from *Spool, runs []Run) error {
	h := make(heads, len(runs))
	for i, r := range runs {
		h[i] = &head{time: r.First, number: i, run: r}
	}
	for i := len(h) / 2; i >= 0; i-- {
		h.sink(i)
	}
	for len(h) > 0 {
		top := h[0]
		// A run takes memory only between its first and its last time. The
		// runs of a log that is nearly in order hardly overlap.
		if top.Unpacker == nil {
			top.Unpacker = s.unpacker()
			top.Begin(from, top.run)
			if err := top.Next(); err != nil {
				return err
			}
		}
		if err := top.write(ctx, s.out, h.second()); err != nil {
			return err
		}
		if len(top.Rows.Times()) == 0 {
			s.free = append(s.free, top.Unpacker)
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		}
		h.sink(0)
	}
	return s.out.end()
}

// unpacker returns an unused unpacker.
func (s *Sorter) unpacker() *Unpacker {
	last := len(s.free) - 1
	if last < 0 {
		return NewUnpacker(s.Shape)
	}
	u := s.free[last]
	s.free = s.free[:last]
	return u
}

// head holds the next rows of a run during a merge.
type head struct {
	time      int64 // of the next row
	number    int   // of the run, by age
	run       Run
	*Unpacker     // nil before its first row is needed
	row       int // the next one of its rows
}

// before reports whether a's next row precedes b's.
func (a *head) before(b *head) bool {
	return a.time < b.time || a.time == b.time && a.number < b.number
}

// write writes all rows that precede another head, or all rows if other is nil.
func (a *head) write(ctx context.Context, to *packer, other *head) error {
	for len(a.Rows.Times()) > 0 {
		times, n := a.Rows.Times(), a.row
		for n < len(times) {
			if a.time = times[n]; other != nil && !a.before(other) {
				break
			}
			n++
		}
		if err := to.add(a.Rows, a.row, n); err != nil {
			return err
		}
		if a.row = n; n < len(times) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.Next(); err != nil {
			return err
		}
		a.row = 0
	}
	return nil
}

// heads is a heap. The head with the earliest row is on top.
type heads []*head

// sink moves head i down to its place in the heap.
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

// second returns the head that follows the top.
func (h heads) second() *head {
	switch {
	case len(h) < 2:
		return nil
	case len(h) == 2 || h[1].before(h[2]):
		return h[1]
	}
	return h[2]
}
