package remote

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Memory holds the counters in the memory of the servers: one for each key, at its
// owner. A key that moves starts with a new counter unless its state is kept, and
// a restarted server forgets its keys. A previous owner that is still called
// continues with the state it had. It is not safe for concurrent use.
type Memory struct {
	kept  bool
	parts []Part
	slot  []int32        // by key: its state, or none before the first use
	left  map[pair]int32 // states that servers still hold of keys that moved away
	pages []page
	free  []int32 // unused pages
}

// Part holds the keys of one policy, in the order of their numbers.
type Part struct {
	Keys  int
	Table func(keys int) counter.Table

	to   int32 // its keys end before this one
	open int32 // the page from which new states come
	used int32 // number of states used of that page
}

// pair is a key in a server's memory.
type pair struct{ server, key int32 }

// page is a table whose states are used one after the other. It is freed as a
// whole when none of them is in use.
type page struct {
	table counter.Table
	live  int32
	open  bool // not all states of it have been used
}

const (
	pageSize = 256
	none     = int32(-1)
)

// NewMemory returns the memory for the keys of all parts.
func NewMemory(kept bool, parts ...Part) *Memory {
	m := &Memory{kept: kept, parts: parts, left: map[pair]int32{}}
	keys := 0
	for i := range parts {
		keys += parts[i].Keys
		parts[i].to, parts[i].open = int32(keys), none
	}
	m.slot = make([]int32, keys)
	for i := range m.slot {
		m.slot[i] = none
	}
	return m
}

// state returns the table of a state, and the state's place there.
func (m *Memory) state(slot int32) (counter.Table, int32) {
	return m.pages[slot/pageSize].table, slot % pageSize
}

// Move gives a key another owner. The previous owner may still be called for it
// for some time.
func (m *Memory) Move(key, from, to int32) {
	if m.kept || from == to {
		return
	}
	m.drop(pair{from, key})
	if m.slot[key] != none {
		m.left[pair{from, key}] = m.slot[key]
		m.slot[key] = none
	}
	m.drop(pair{to, key})
}

// Forget removes the state of a key, because its owner restarted.
func (m *Memory) Forget(key int32) {
	if m.slot[key] != none {
		m.release(m.slot[key])
		m.slot[key] = none
	}
}

// Expire removes the states of keys that moved away, if asked reports that the
// server is not called for the key any more.
func (m *Memory) Expire(asked func(server, key int32) bool) {
	for p := range m.left {
		if !asked(p.server, p.key) {
			m.drop(p)
		}
	}
}

func (m *Memory) drop(p pair) {
	if s, holds := m.left[p]; holds {
		m.release(s)
		delete(m.left, p)
	}
}

// own returns the state of a key at its owner.
func (m *Memory) own(key int32) int32 {
	if m.slot[key] == none {
		m.slot[key] = m.fresh(key)
	}
	return m.slot[key]
}

// late returns the state of a key at a server that does not own it.
func (m *Memory) late(server, key int32) int32 {
	s, holds := m.left[pair{server, key}]
	if !holds {
		s = m.fresh(key)
		m.left[pair{server, key}] = s
	}
	return s
}

// fresh returns a new state for a key.
func (m *Memory) fresh(key int32) int32 {
	i := 0
	for key >= m.parts[i].to {
		i++
	}
	p := &m.parts[i]
	if p.open == none || p.used == pageSize {
		m.turn(p)
	}
	s := p.open*pageSize + p.used
	p.used++
	m.pages[p.open].live++
	return s
}

// turn opens a new page, in the place of a free one if possible.
func (m *Memory) turn(p *Part) {
	full := p.open
	p.used = 0
	if n := len(m.free); n > 0 {
		p.open, m.free = m.free[n-1], m.free[:n-1]
	} else {
		p.open = int32(len(m.pages))
		m.pages = append(m.pages, page{})
	}
	m.pages[p.open] = page{table: p.Table(pageSize), open: true}
	if full != none {
		m.pages[full].open = false
		m.retire(full)
	}
}

func (m *Memory) release(slot int32) {
	m.pages[slot/pageSize].live--
	m.retire(slot / pageSize)
}

// retire frees a page whose states have all been used and released.
func (m *Memory) retire(number int32) {
	if p := &m.pages[number]; p.live == 0 && !p.open {
		p.table = nil
		m.free = append(m.free, number)
	}
}

// Owned is the memory as one server sees it, or without an Owner as the owners do.
type Owned struct {
	Memory *Memory
	Owner  []int32 // by key; nil if the server owns all keys
	Server int32
}

// Take decides a request with the key's state at the server.
func (o Owned) Take(key int32, now, cost int64) counter.Verdict {
	t, place := o.state(key)
	return t.Take(place, now, cost)
}

// Level returns the level of the key's state at the server.
func (o Owned) Level(key int32, now int64) int64 {
	t, place := o.state(key)
	return t.Level(place, now)
}

// RetryAt returns the retry time of the key's state at the server.
func (o Owned) RetryAt(key int32, now, cost int64) int64 {
	t, place := o.state(key)
	return t.RetryAt(place, now, cost)
}

func (o Owned) state(key int32) (counter.Table, int32) {
	if o.Owner == nil || o.Owner[key] == o.Server || o.Memory.kept {
		return o.Memory.state(o.Memory.own(key))
	}
	return o.Memory.state(o.Memory.late(o.Server, key))
}
