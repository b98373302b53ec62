package logs

import (
	"slices"
	"sort"
)

// Cursor iterates over a recording once. It is not safe for concurrent use;
// each run needs its own.
type Cursor struct {
	r        *Recording
	from, to int64
	turn     int
	ended    bool
	err      error

	unpacked *unpacker // the times of its rows are played times
	at       int       // index of the next row, with each copy counted
	first    int64     // the number of copies before its first row, in the whole play
	after    int64     // and up to its last row
	rows     columns   // of the last Fill
	kept     []int32   // reused for the numbers of rows, if only a share is kept
}

// Play returns a cursor over the requests from one instant (inclusive) to
// another (exclusive).
func (r *Recording) Play(from, to int64) *Cursor {
	c := &Cursor{r: r, from: from, to: to, unpacked: newUnpacker(r.shape)}
	c.unpacked.begin(r.in, r.run)
	return c
}

// Fill writes the instants of the next requests and returns their number. If it
// is less than len(times), there are no more requests or an error occurred; see
// Err.
func (c *Cursor) Fill(times []int64) int {
	if cap(c.rows.time) < len(times) {
		c.rows = c.r.shape.make(len(times))
	}
	c.rows.cut(len(times))
	if p := &c.r.player; !p.sieve.keepsAll() {
		return c.fillKept(times, p)
	}
	copies := c.r.player.copies
	n := 0
	for n < len(times) {
		from := &c.unpacked.rows
		left := len(from.time)*copies - c.at
		if left == 0 {
			if !c.next() {
				break
			}
			continue
		}
		left = min(left, len(times)-n)
		copied(times[n:n+left], from.time, c.at, copies)
		for k, column := range c.rows.codes {
			copied(column[n:n+left], from.codes[k], c.at, copies)
		}
		if from.cost != nil {
			copied(c.rows.cost[n:n+left], from.cost, c.at, copies)
		}
		n += left
		c.at += left
	}
	c.rows.cut(n)
	return n
}

// copied fills part with a section of a column in which every element is
// repeated.
func copied[T any](part, column []T, from, copies int) {
	if copies == 1 {
		copy(part, column[from:])
		return
	}
	for i := range part {
		part[i] = column[(from+i)/copies]
	}
}

// next unpacks the next block of rows. It returns false at the end.
func (c *Cursor) next() bool {
	rows := &c.unpacked.rows
	c.at = 0
	for !c.ended && c.err == nil {
		if c.err = c.unpacked.next(); c.err != nil {
			break
		}
		c.first, c.after = c.after, c.after+int64(len(rows.time)*c.r.player.copies)
		if len(rows.time) == 0 {
			if c.turn++; c.turn >= c.r.player.turns {
				break
			}
			c.unpacked.begin(c.r.in, c.r.run)
			continue
		}
		c.r.player.play(rows.time, c.turn)
		if last := len(rows.time) - 1; rows.time[last] >= c.to {
			rows.cut(sort.Search(last, func(i int) bool { return rows.time[i] >= c.to }))
			c.ended = true
		}
		n := len(rows.time)
		skip := sort.Search(n, func(i int) bool { return rows.time[i] >= c.from })
		if c.at = skip * c.r.player.copies; skip < n {
			return true
		}
	}
	rows.cut(0)
	c.at, c.ended = 0, true
	return false
}

// Keys returns the codes of the keys of the requests of the last Fill. They are
// valid until the next Fill.
func (c *Cursor) Keys() []int32 { return c.rows.codes[0] }

// Field returns the codes of field i of Options.Fields of the same requests.
func (c *Cursor) Field(i int) []int32 { return c.rows.codes[1+i] }

// Clients returns the codes of their clients, or nil if no client field was
// requested.
func (c *Cursor) Clients() []int32 {
	if !c.r.shape.client {
		return nil
	}
	return c.rows.codes[len(c.rows.codes)-1]
}

// Costs returns their costs, or nil if every cost of the recording is 1.
func (c *Cursor) Costs() []int64 {
	if !c.r.weighed {
		return nil
	}
	return c.rows.cost
}

// Err returns why the recording could not be read to its end, or nil.
func (c *Cursor) Err() error { return c.err }

// Span summarises the requests that Play yields.
type Span struct {
	Rows        int64
	First, Last int64 // times; 0 without rows
	MaxCost     int64
}

// Span summarises the requests from one instant (inclusive) to another
// (exclusive).
func (r *Recording) Span(from, to int64) (Span, error) {
	p := &r.player
	if from <= p.first && p.last < to && p.sieve.keepsAll() {
		return Span{Rows: r.Facts.Rows * int64(p.turns*p.copies), First: p.first, Last: p.last, MaxCost: r.largest}, nil
	}
	var s Span
	c := r.Play(from, to)
	times := make([]int64, blockRows)
	for {
		n := c.Fill(times)
		if n == 0 {
			return s, c.Err()
		}
		if s.Rows == 0 {
			s.First = times[0]
		}
		s.Rows, s.Last = s.Rows+int64(n), times[n-1]
		if costs := c.Costs(); costs != nil {
			s.MaxCost = max(s.MaxCost, slices.Max(costs))
		} else {
			s.MaxCost = max(s.MaxCost, 1)
		}
	}
}
