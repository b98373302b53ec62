// Package kept keeps the rows of logs: sorted by time and packed, in memory or in
// a temporary file. It sorts more rows than memory holds.
//
// The package makes no promise: it can change at any time.
package kept

import "slices"

// Columns stores requests as columns of equal length.
type Columns struct {
	// Wide holds the times (ns since 1970, or since the trace's start), and the
	// costs, the estimates and the ns until the answers, if there are any.
	Wide [][]int64
	// Codes holds the codes of keys, of further fields, of verdicts and of
	// clients, if there are any. The recording's Names map codes to names.
	Codes [][]int32
}

// Shape describes which columns a recording has.
type Shape struct {
	Wide, Codes int
	Client      bool
	Verdict     bool
	Estimate    bool // after the costs, which are then there
	Answer      bool // the last of wide
}

// rowBytes returns the size of one row in memory.
func (s Shape) rowBytes() int { return 8*s.Wide + 4*s.Codes }

// Make returns columns without rows that have space for n.
func (s Shape) Make(n int) Columns {
	c := Columns{make([][]int64, s.Wide), make([][]int32, s.Codes)}
	c.grow(n)
	return c
}

// Times returns the times of the rows.
func (c Columns) Times() []int64 { return c.Wide[0] }

// Cut shortens the columns to n rows, or extends them within their capacity.
func (c Columns) Cut(n int) { cut(c.Wide, n); cut(c.Codes, n) }

// grow adds space for n more rows.
func (c Columns) grow(n int) { grow(c.Wide, n); grow(c.Codes, n) }

// Add appends rows lo to hi of others.
func (c Columns) Add(others Columns, lo, hi int) {
	add(c.Wide, others.Wide, lo, hi)
	add(c.Codes, others.Codes, lo, hi)
}

// Pick appends the rows of others with these numbers.
func (c Columns) Pick(others Columns, numbers []int32) {
	pick(c.Wide, others.Wide, numbers)
	pick(c.Codes, others.Codes, numbers)
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

// VerdictColumn returns the column of codes that holds the verdicts.
func (s Shape) VerdictColumn() int {
	if s.Client {
		return s.Codes - 2
	}
	return s.Codes - 1
}
