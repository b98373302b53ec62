package counting

import "fmt"

// Concat joins tables into one: the keys of the first table come first, then
// those of the second, and so on. The tables may have different limits, and may
// even be different counters. The zero Concat has no keys.
type Concat struct{ parts []concatPart }

type concatPart struct {
	from, to int32 // its keys: from <= key < to
	table    Table
}

var _ Table = (*Concat)(nil)

// Add appends a table of this many keys.
func (c *Concat) Add(t Table, keys int) {
	from := int32(0)
	if n := len(c.parts); n > 0 {
		from = c.parts[n-1].to
	}
	c.parts = append(c.parts, concatPart{from: from, to: from + int32(keys), table: t})
}

// of returns the table that holds a key, and the key's number in that table.
func (c *Concat) of(key int32) (Table, int32) {
	for i := range c.parts {
		if p := &c.parts[i]; key < p.to {
			return p.table, key - p.from
		}
	}
	panic(fmt.Sprintf("counting: no table holds key %d", key))
}

// TakeBlock decides each request by Take.
func (c *Concat) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		verdicts[i] = c.Take(keys[i], times[i], costs[i])
	}
}

// Take decides one request by the table that holds the key.
func (c *Concat) Take(key int32, now, cost int64) Verdict {
	t, k := c.of(key)
	return t.Take(k, now, cost)
}

// Level returns the level of the key in its table.
func (c *Concat) Level(key int32, now int64) int64 {
	t, k := c.of(key)
	return t.Level(k, now)
}

// RetryAt returns the retry time of the key in its table.
func (c *Concat) RetryAt(key int32, now, cost int64) int64 {
	t, k := c.of(key)
	return t.RetryAt(k, now, cost)
}

// State returns the state of the key in its table.
func (c *Concat) State(key int32) []StateField {
	t, k := c.of(key)
	return t.State(k)
}
