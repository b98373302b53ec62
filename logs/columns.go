package logs

import "slices"

// columns stores requests as columns of equal length. Names are stored as
// codes; the recording's Names map codes to names.
type columns struct {
	time  []int64   // ns since 1970, or since the trace's start (Facts.Relative, Options.Rebase)
	cost  []int64   // >= 0; nil where no cost was asked for
	codes [][]int32 // of the key, of each of Options.Fields, of the client if one was asked for
}

// shape describes which columns a recording has.
type shape struct {
	codes  int
	client bool
	cost   bool
}

func (o *Options) shape() shape {
	s := shape{codes: 1 + len(o.Fields), client: o.Client != "", cost: len(o.Cost) > 0}
	if s.client {
		s.codes++
	}
	return s
}

// rowBytes returns the size of one row in memory.
func (s shape) rowBytes() int {
	n := 8 + 4*s.codes
	if s.cost {
		n += 8
	}
	return n
}

// make returns n rows.
func (s shape) make(n int) columns {
	r := columns{time: make([]int64, n), codes: make([][]int32, s.codes)}
	for k := range r.codes {
		r.codes[k] = make([]int32, n)
	}
	if s.cost {
		r.cost = make([]int64, n)
	}
	return r
}

// cut shortens the columns to n rows, or extends them again within their
// capacity.
func (r *columns) cut(n int) {
	r.time = r.time[:n]
	for k := range r.codes {
		r.codes[k] = r.codes[k][:n]
	}
	if r.cost != nil {
		r.cost = r.cost[:n]
	}
}

// grow adds space for n more rows.
func (r *columns) grow(n int) {
	r.time = slices.Grow(r.time, n)
	for k := range r.codes {
		r.codes[k] = slices.Grow(r.codes[k], n)
	}
	if r.cost != nil {
		r.cost = slices.Grow(r.cost, n)
	}
}

// add appends rows lo to hi of others.
func (r *columns) add(others *columns, lo, hi int) {
	r.time = append(r.time, others.time[lo:hi]...)
	for k := range r.codes {
		r.codes[k] = append(r.codes[k], others.codes[k][lo:hi]...)
	}
	if r.cost != nil {
		r.cost = append(r.cost, others.cost[lo:hi]...)
	}
}

// pick appends the rows of others with these numbers.
func (r *columns) pick(others *columns, numbers []int32) {
	r.time = picked(r.time, others.time, numbers)
	for k := range r.codes {
		r.codes[k] = picked(r.codes[k], others.codes[k], numbers)
	}
	if r.cost != nil {
		r.cost = picked(r.cost, others.cost, numbers)
	}
}

func picked[T any](to, from []T, numbers []int32) []T {
	for _, i := range numbers {
		to = append(to, from[i])
	}
	return to
}
