package patterns

import (
	"sort"

	"github.com/limitgauge/limitgauge/random"
)

// Table is a pattern whose arrivals are given row by row.
type Table struct {
	Times  []int64 // of each row, ascending
	Counts []int64 // arrivals of each row; nil for one each
	lo, hi int     // rows [lo, hi) are sent
}

// NewTable returns the pattern of the rows in [from, to).
func NewTable(times, counts []int64, from, to int64) *Table {
	row := func(t int64) int { return sort.Search(len(times), func(i int) bool { return times[i] >= t }) }
	lo := row(from)
	return &Table{Times: times, Counts: counts, lo: lo, hi: max(lo, row(to))}
}

// Rows returns the range of rows that are sent.
func (t *Table) Rows() (lo, hi int) { return t.lo, t.hi }

func (t *Table) Random() bool { return false }

func (t *Table) Open(random.Stream) Clock { return &TableClock{table: t, row: t.lo} }

// TableClock is a Clock that also reports the row of each arrival.
type TableClock struct {
	table *Table
	row   int
	sent  int64 // arrivals of this row that have been returned
	rows  []int32
}

// Rows returns the rows of the arrivals of the last Fill.
func (c *TableClock) Rows() []int32 { return c.rows }

func (c *TableClock) Fill(times []int64) int {
	if cap(c.rows) < len(times) {
		c.rows = make([]int32, len(times))
	}
	t := c.table
	n := 0
	rows := c.rows[:len(times)]
	for n < len(times) && c.row < t.hi {
		if t.Counts != nil && t.Counts[c.row] <= c.sent {
			c.row++
			c.sent = 0
			continue
		}
		times[n] = t.Times[c.row]
		rows[n] = int32(c.row)
		n++
		if t.Counts == nil {
			c.row++
		} else {
			c.sent++
		}
	}
	c.rows = rows[:n]
	return n
}
