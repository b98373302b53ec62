package logs

import (
	"slices"

	"github.com/limitgauge/limitgauge/logs/kept"
)

// Cursor iterates over a recording once. It is not safe for concurrent use;
// each run needs its own.
type Cursor struct {
	r        *Recording
	from, to int64
	turn     int
	ended    bool
	err      error

	unpacked *kept.Unpacker // the times of its rows are played times
	at       int            // index of the next row, with each copy counted
	first    int64          // the number of copies before its first row, in the whole play
	after    int64          // and up to its last row
	kept     []int32        // reused for the numbers of rows
	filled   kept.Columns   // of the last Fill; their times are the caller's
}

// Play returns a cursor over the requests from one instant (inclusive) to
// another (exclusive).
func (r *Recording) Play(from, to int64) *Cursor {
	c := &Cursor{r: r, from: from, to: to, unpacked: kept.NewUnpacker(r.shape), filled: r.shape.Make(0)}
	c.unpacked.Begin(r.in, r.run)
	return c
}

// Fill writes the instants of the next requests and returns their number. If it
// is less than len(times), there are no more requests or an error occurred; see
// Err.
func (c *Cursor) Fill(times []int64) int {
	c.filled.Cut(0)
	c.filled.Wide[0] = times[:0]
	p := &c.r.player
	for len(c.filled.Times()) < len(times) {
		rows, left := c.unpacked.Rows, len(times)-len(c.filled.Times())
		end := len(rows.Times()) * p.copies
		switch {
		case c.at == end:
			if !c.next() {
				return len(c.filled.Times())
			}
		case p.copies == 1 && p.sieve.keepsAll():
			to := min(c.at+left, end)
			c.filled.Add(rows, c.at, to)
			c.at = to
		default:
			c.kept = slices.Grow(c.kept[:0], left)
			c.kept, c.at = p.sieve.sift(c.kept[:0:left], c.first+int64(c.at), c.at, end, p.copies)
			c.filled.Pick(rows, c.kept)
		}
	}
	return len(times)
}

// next unpacks the next block of rows. It returns false at the end.
func (c *Cursor) next() bool {
	rows := c.unpacked.Rows
	c.at = 0
	for !c.ended && c.err == nil {
		if c.err = c.unpacked.Next(); c.err != nil {
			break
		}
		times := rows.Times()
		c.first, c.after = c.after, c.after+int64(len(times)*c.r.player.copies)
		if len(times) == 0 {
			if c.turn++; c.turn >= c.r.player.turns {
				break
			}
			c.unpacked.Begin(c.r.in, c.r.run)
			continue
		}
		c.r.player.play(times, c.turn)
		end, _ := slices.BinarySearch(times, c.to)
		c.ended = end < len(times)
		rows.Cut(end)
		skip, _ := slices.BinarySearch(times, c.from)
		if c.at = skip * c.r.player.copies; skip < end {
			return true
		}
	}
	rows.Cut(0)
	c.at, c.ended = 0, true
	return false
}

// Keys returns the codes of the keys of the requests of the last Fill. They are
// valid until the next Fill.
func (c *Cursor) Keys() []int32 { return c.filled.Codes[0] }

// Field returns the codes of field i of Options.Fields of the same requests.
func (c *Cursor) Field(i int) []int32 { return c.filled.Codes[1+i] }

// Clients returns the codes of their clients, or nil if no client field was
// requested.
func (c *Cursor) Clients() []int32 {
	return columnIf(c.r.shape.Client, c.filled.Codes, len(c.filled.Codes)-1)
}

// Rejected returns 1 for each of them that the limiter which wrote the log
// rejected, else 0. It is nil if no verdict field was requested.
func (c *Cursor) Rejected() []int32 {
	return columnIf(c.r.shape.Verdict, c.filled.Codes, c.r.shape.VerdictColumn())
}

// Costs returns their costs, or nil if every cost of the recording is 1.
func (c *Cursor) Costs() []int64 { return columnIf(c.r.weighed, c.filled.Wide, 1) }

// Estimates returns what was known of the costs on arrival, or nil if the log does not
// say it.
func (c *Cursor) Estimates() []int64 { return columnIf(c.r.shape.Estimate, c.filled.Wide, 2) }

// Answers returns the ns until the answers, or nil if the log does not say it.
func (c *Cursor) Answers() []int64 {
	return columnIf(c.r.shape.Answer, c.filled.Wide, len(c.filled.Wide)-1)
}

// Line returns the file and the line of row i of the last Fill. The log must have been
// read with Options.Lines.
func (c *Cursor) Line(i int) (file string, line int64) {
	at := c.filled.Wide[len(c.filled.Wide)-1][i]
	return c.r.Facts.Files[at>>lineBits], at & (1<<lineBits - 1)
}

// columnIf returns the column at a place if the recording has it, else nil.
func columnIf[T any](has bool, columns [][]T, at int) []T {
	if !has {
		return nil
	}
	return columns[at]
}

// Err returns why the recording could not be read to its end, or nil.
func (c *Cursor) Err() error { return c.err }

// Span summarises the requests that Play yields.
type Span struct {
	Rows        int64
	First, Last int64 // times; 0 without rows
	MaxCost     int64
	MaxEstimate int64
}

// Span summarises the requests from one instant (inclusive) to another
// (exclusive).
func (r *Recording) Span(from, to int64) (Span, error) {
	p := &r.player
	if from <= p.first && p.last < to && p.sieve.keepsAll() {
		return Span{Rows: r.Facts.Rows * int64(p.turns*p.copies), First: p.first, Last: p.last, MaxCost: r.largest, MaxEstimate: r.largestEstimate}, nil
	}
	var s Span
	c := r.Play(from, to)
	times := make([]int64, kept.BlockRows)
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
		if estimates := c.Estimates(); estimates != nil {
			s.MaxEstimate = max(s.MaxEstimate, slices.Max(estimates))
		}
	}
}
