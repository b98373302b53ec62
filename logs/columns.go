package logs

import "slices"

// columns stores requests as columns of equal length.
type columns struct {
	// wide holds the times (ns since 1970, or since the trace's start), and the
	// costs, the estimates and the ns until the answers, if there are any.
	wide [][]int64
	// codes holds the codes of keys, of each of Options.Fields, of verdicts and of
	// clients, if there are any. The recording's Names map codes to names.
	codes [][]int32
}

// shape describes which columns a recording has.
type shape struct {
	wide, codes int
	client      bool
	verdict     bool
	estimate    bool // after the costs, which are then there
	answer      bool // the last of wide
}

// rowBytes returns the size of one row in memory.
func (s shape) rowBytes() int { return 8*s.wide + 4*s.codes }

// make returns columns without rows that have space for n.
func (s shape) make(n int) columns {
	c := columns{make([][]int64, s.wide), make([][]int32, s.codes)}
	c.grow(n)
	return c
}

func (c columns) times() []int64 { return c.wide[0] }

// cut shortens the columns to n rows, or extends them within their capacity.
func (c columns) cut(n int) { cut(c.wide, n); cut(c.codes, n) }

// grow adds space for n more rows.
func (c columns) grow(n int) { grow(c.wide, n); grow(c.codes, n) }

// add appends rows lo to hi of others.
func (c columns) add(others columns, lo, hi int) {
	add(c.wide, others.wide, lo, hi)
	add(c.codes, others.codes, lo, hi)
}

// pick appends the rows of others with these numbers.
func (c columns) pick(others columns, numbers []int32) {
	pick(c.wide, others.wide, numbers)
	pick(c.codes, others.codes, numbers)
}

func cut[T any](columns [][]T, n int) {
	for k := range columns {
		columns[k] = columns[k][:n]
	}
}

func grow[T any](columns [][]T, n int) {
	for k := range columns {
		columns[k] = slices.Grow(columns[k], n)
	}
}

func add[T any](columns, others [][]T, lo, hi int) {
	for k := range columns {
		columns[k] = append(columns[k], others[k][lo:hi]...)
	}
}

func pick[T any](columns, others [][]T, numbers []int32) {
	for k, from := range others {
		to := columns[k]
		for _, i := range numbers {
			to = append(to, from[i])
		}
		columns[k] = to
	}
}

// verdictColumn returns the column of codes that holds the verdicts.
func (s shape) verdictColumn() int {
	if s.client {
		return s.codes - 2
	}
	return s.codes - 1
}
