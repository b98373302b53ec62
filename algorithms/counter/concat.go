package counter

import "fmt"

// Concat is one table of several: its keys are those of the first one, then
// those of the second, and so on. The tables may be of different limits, and
// even of different counters.
type Concat struct{ parts []concatPart }

type concatPart struct {
	from, to int32 // its keys: from <= key < to
	table    Table
}

var _ Table = (*Concat)(nil)

// Add appends a table of so many keys.
func (c *Concat) Add(t Table, keys int) {
	from := int32(0)
	if n := len(c.parts); n > 0 {
		from = c.parts[n-1].to
	}
	c.parts = append(c.parts, concatPart{from: from, to: from + int32(keys), table: t})
}

// of is the table that a key is in, and its number there.
func (c *Concat) of(key int32) (Table, int32) {
	for i := range c.parts {
		if p := &c.parts[i]; key < p.to {
			return p.table, key - p.from
		}
	}
	panic(fmt.Sprintf("counters: there is no key %d", key))
}

func (c *Concat) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		verdicts[i] = c.Take(keys[i], times[i], costs[i])
	}
}

func (c *Concat) Take(key int32, now, cost int64) Verdict {
	t, k := c.of(key)
	return t.Take(k, now, cost)
}

func (c *Concat) Level(key int32, now int64) int64 {
	t, k := c.of(key)
	return t.Level(k, now)
}

func (c *Concat) RetryAt(key int32, now, cost int64) int64 {
	t, k := c.of(key)
	return t.RetryAt(k, now, cost)
}

func (c *Concat) State(key int32) []StateField {
	t, k := c.of(key)
	return t.State(k)
}
