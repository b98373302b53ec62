package logs

import "github.com/limitgauge/limitgauge/internal/tempfile"

// sorter sorts rows by time. Rows with equal times keep their order. It is an
// external merge sort: it sorts as many rows as memory allows and packs them as
// one run. Rows that arrive in order extend the same run. At the end all runs
// are merged.
type sorter struct {
	shape shape
	room  room
	rows  columns // not sorted yet
	order ordering
	runs  []run
	out   *packer
	free  []*unpacker // to merge with
}

// room limits the memory used while rows are sorted.
type room struct {
	rows   int // rows that are sorted at a time
	memory int // bytes of sorted rows in memory; the others are in a temporary file
	runs   int // runs that are merged at a time

	create func() (*tempfile.File, error) // creates the temporary file
}

// run describes rows in time order, packed in the blocks [from, to) of a spool.
type run struct {
	first, last int64 // times
	from, to    int
}

// The default and the minimum of the memory for sorting.
const (
	DefaultSortMemory = int64(64 << 20)
	LeastSortMemory   = int64(1 << 20)
)

// roomIn divides memory: half for rows being sorted and half for sorted rows.
// During a merge the runs share the first half. 0 is DefaultSortMemory.
func roomIn(bytes int64, s shape) room {
	if bytes == 0 {
		bytes = DefaultSortMemory
	}
	const numbers = 16 // bytes per row for sorting
	half := int(bytes / 2)
	return room{
		rows:   max(blockRows, half/(s.rowBytes()+numbers)),
		memory: half,
		runs:   max(2, half/(2*blockRows*s.rowBytes())), // a block and its rows
		create: createTemporary,
	}
}

// newSorter returns a sorter of rows with these columns.
func newSorter(s shape, r room) *sorter {
	return &sorter{shape: s, room: r, rows: s.make(0), out: newPacker(&spool{memory: r.memory, create: r.create}, s)}
}

// ready flushes rows if there is no space for another one.
func (s *sorter) ready() error {
	switch n := len(s.rows.times()); n {
	case s.room.rows:
		return s.flush()
	case cap(s.rows.times()):
		s.rows.grow(min(max(n, blockRows), s.room.rows-n))
	}
	return nil
}

// flush sorts and packs the rows in memory. They extend the previous run if
// they come after it; otherwise they start a new run.
func (s *sorter) flush() error {
	times := s.rows.times()
	n := len(times)
	if n == 0 {
		return nil
	}
	s.out.unit = coarsest(times, s.out.unit)
	order := s.order.of(times)
	first, last := times[0], times[n-1]
	if order != nil {
		first, last = times[order[0]], times[order[n-1]]
	}
	if k := len(s.runs) - 1; k < 0 || first < s.runs[k].last {
		if err := s.endRun(); err != nil {
			return err
		}
		s.runs = append(s.runs, run{first: first, from: s.out.to.blocks()})
	}
	s.runs[len(s.runs)-1].last = last
	var err error
	if order == nil {
		err = s.out.add(s.rows, 0, n)
	} else {
		err = s.out.pick(s.rows, order)
	}
	s.rows.cut(0)
	return err
}

// endRun writes the last rows of the last run.
func (s *sorter) endRun() error {
	err := s.out.end()
	if k := len(s.runs) - 1; k >= 0 {
		s.runs[k].to = s.out.to.blocks()
	}
	return err
}

// coarsest returns the index of the largest unit, starting at unit, that
// divides all times.
func coarsest(times []int64, unit int) int {
	for _, t := range times {
		for t%resolutions[unit] != 0 {
			unit++
		}
	}
	return unit
}

// resolution returns the largest unit of stamps that divides the times of all
// rows.
func (s *sorter) resolution() int64 { return resolutions[s.out.unit] }
