package logs

// sorter takes rows in any order and brings them into order of time; those of
// one instant keep the order in which they came. It is an external merge sort:
// as many rows as there is room for are sorted at a time and kept, packed, as a
// run. columns that come in order make one run, however many they are. If there
// are several in the end, they are merged.
type sorter struct {
	shape shape
	room  room
	rows  columns // not sorted yet
	order ordering
	runs  []run
	out   *packer
	free  []*unpacker // to merge with
}

// room is how much is held in memory while rows are sorted.
type room struct {
	rows  int // that are sorted at a time
	pages int // of kept rows; the others go to a temporary file
	runs  int // that are merged at a time
}

// run is rows in order of time, packed in pages from to below to of a spool.
type run struct {
	first, last int64 // times
	from, to    int
}

// Options.SortMemory where it is not given, and the least that works well.
const (
	DefaultSortMemory = int64(64 << 20)
	LeastSortMemory   = int64(1 << 20)
)

// roomIn splits memory: half for rows that are sorted, and half for those that
// are kept. When runs are merged, nothing is left to sort, and its half is
// shared by the runs.
func roomIn(bytes int64, s shape) room {
	const numbers = 16 // what sorting takes for a row, in bytes
	half := int(bytes / 2)
	return room{
		rows:  max(blockRows, half/(s.rowBytes()+numbers)),
		pages: half / pageBytes,
		runs:  max(2, half/(pageBytes+blockRows*s.rowBytes())),
	}
}

func newSorter(o *Options) *sorter {
	s := &sorter{shape: o.shape()}
	if o.room != nil {
		s.room = *o.room
	} else {
		memory := o.SortMemory
		if memory == 0 {
			memory = DefaultSortMemory
		}
		s.room = roomIn(memory, s.shape)
	}
	s.rows = s.shape.make(0)
	to := &spool{memory: s.room.pages, create: createTemporary}
	if o.create != nil {
		to.create = o.create
	}
	s.out = newPacker(to, s.shape)
	return s
}

// ready makes room for one more row.
func (s *sorter) ready() error {
	n := len(s.rows.time)
	switch {
	case n == s.room.rows:
		return s.flush()
	case n == cap(s.rows.time):
		s.rows.grow(min(max(n, blockRows), s.room.rows-n))
	}
	return nil
}

// flush sorts what there is and keeps it: at the end of the run before if it
// goes on from there, or as a run of its own.
func (s *sorter) flush() error {
	n := len(s.rows.time)
	if n == 0 {
		return nil
	}
	s.out.unit = coarsest(s.rows.time, s.out.unit)
	order := s.order.of(s.rows.time)
	first, last := s.rows.time[0], s.rows.time[n-1]
	if order != nil {
		first, last = s.rows.time[order[0]], s.rows.time[order[n-1]]
	}
	if k := len(s.runs) - 1; k < 0 || first < s.runs[k].last {
		if err := s.endRun(); err != nil {
			return err
		}
		s.runs = append(s.runs, run{first: first, from: s.out.to.pages()})
	}
	s.runs[len(s.runs)-1].last = last
	var err error
	if order == nil {
		err = s.out.add(&s.rows, 0, n)
	} else {
		err = s.out.pick(&s.rows, order)
	}
	s.rows.cut(0)
	return err
}

// endRun writes the last pages of the last run.
func (s *sorter) endRun() error {
	err := s.out.end()
	if k := len(s.runs) - 1; k >= 0 {
		s.runs[k].to = s.out.to.pages()
	}
	return err
}
