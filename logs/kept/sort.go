package kept

import (
	"cmp"

	"github.com/limitgauge/limitgauge/internal/tempfile"
)

// Sorter sorts rows by time. Rows with equal times keep their order. It is an
// external merge sort: it sorts as many rows as memory allows and packs them as
// one run. Rows that arrive in order extend the same run. At the end all runs
// are merged.
type Sorter struct {
	Shape Shape
	room  Room
	Rows  Columns // not sorted yet
	order ordering
	runs  []Run
	out   *packer
	free  []*Unpacker // to merge with
}

// Room limits the memory used while rows are sorted.
type Room struct {
	Rows   int // rows that are sorted at a time
	Memory int // bytes of sorted rows in memory; the others are in a temporary file
	Runs   int // runs that are merged at a time

	Create func() (*tempfile.File, error) // creates the temporary file
}

// Run describes rows in time order, packed in the blocks [from, to) of a spool.
type Run struct {
	First, Last int64 // times
	from, to    int
}

// The default and the minimum of the memory for sorting.
const (
	DefaultMemory = int64(64 << 20)
	LeastMemory   = int64(1 << 20)
)

// RoomIn divides memory: half for rows being sorted and half for sorted rows.
// During a merge the runs share the first half. 0 is DefaultMemory.
func RoomIn(bytes int64, s Shape) Room {
	bytes = cmp.Or(bytes, DefaultMemory)
	const numbers = 16 // bytes per row for sorting
	half := int(bytes / 2)
	return Room{
		Rows:   max(BlockRows, half/(s.rowBytes()+numbers)),
		Memory: half,
		Runs:   max(2, half/(2*BlockRows*s.rowBytes())), // a block and its rows
		Create: createTemporary,
	}
}

// NewSorter returns a sorter of rows with these columns.
func NewSorter(s Shape, r Room) *Sorter {
	return &Sorter{Shape: s, room: r, Rows: s.Make(0), out: newPacker(&Spool{memory: r.Memory, create: r.Create}, s)}
}

// Full reports whether the next call of Ready flushes the rows.
func (s *Sorter) Full() bool { return len(s.Rows.Times()) == s.room.Rows }

// Ready flushes rows if there is no space for another one.
func (s *Sorter) Ready() error {
	switch n := len(s.Rows.Times()); n {
	case s.room.Rows:
		return s.flush()
	case cap(s.Rows.Times()):
		s.Rows.grow(min(max(n, BlockRows), s.room.Rows-n))
	}
	return nil
}

// flush sorts and packs the rows in memory. They extend the previous run if
// they come after it; otherwise they start a new run.
func (s *Sorter) flush() error {
	times := s.Rows.Times()
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
	if k := len(s.runs) - 1; k < 0 || first < s.runs[k].Last {
		if err := s.endRun(); err != nil {
			return err
		}
		s.runs = append(s.runs, Run{First: first, from: s.out.to.blocks()})
	}
	s.runs[len(s.runs)-1].Last = last
	var err error
	if order == nil {
		err = s.out.add(s.Rows, 0, n)
	} else {
		err = s.out.pick(s.Rows, order)
	}
	s.Rows.Cut(0)
	return err
}

// endRun writes the last rows of the last run.
func (s *Sorter) endRun() error {
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

// Resolution returns the largest unit of stamps that divides the times of all
// rows.
func (s *Sorter) Resolution() int64 { return resolutions[s.out.unit] }
