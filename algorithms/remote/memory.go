package remote

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Memory is the counters that owners hold in their memory: one for each key, at
// its owner. A key that moves starts afresh unless its state is kept, and a
// server that restarts forgets its keys. While the owner before a move is still
// asked, it goes on with the state it had.
type Memory struct {
	kept  bool
	parts []Part
	slot  []int32        // by key, of its state; none before it is first used
	left  map[pair]int32 // states that servers still hold of keys that moved away
	pages []page
	free  []int32 // pages
}

// Part is the keys of one policy, in the order of their numbers.
type Part struct {
	Keys  int
	Table func(keys int) counter.Table

	to   int32 // its keys end before this one
	open int32 // the page that new states come from
	used int32 // places of it
}

// pair is a key in a server's memory.
type pair struct{ server, key int32 }

// page is a table whose states are given out one after the other, and used
// again as a whole when none is left.
type page struct {
	table counter.Table
	live  int32
	open  bool // states of it are still to be given out
}

const (
	pageSize = 256
	none     = int32(-1)
)

// NewMemory returns memory for the keys of all parts.
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

// Take decides a request by the key's state at its owner.
func (m *Memory) Take(key int32, now, cost int64) counter.Verdict {
	t, place := m.state(m.own(key))
	return t.Take(place, now, cost)
}

// TakeLate decides a request at a server that does not own the key any more, or
// never did.
func (m *Memory) TakeLate(server, key int32, now, cost int64) counter.Verdict {
	if m.kept {
		return m.Take(key, now, cost)
	}
	t, place := m.state(m.late(server, key))
	return t.Take(place, now, cost)
}

// Level and RetryAt are those of the key's state at its owner.
func (m *Memory) Level(key int32, now int64) int64 {
	t, place := m.state(m.own(key))
	return t.Level(place, now)
}

func (m *Memory) RetryAt(key int32, now, cost int64) int64 {
	t, place := m.state(m.own(key))
	return t.RetryAt(place, now, cost)
}

// state is the table of a state, and its place there.
func (m *Memory) state(slot int32) (counter.Table, int32) {
	return m.pages[slot/pageSize].table, slot % pageSize
}

// Move says that a key has got another owner. The one before may be asked about
// it for a while yet.
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

// Forget wipes the state of a key, because its owner restarted.
func (m *Memory) Forget(key int32) {
	if m.slot[key] != none {
		m.release(m.slot[key])
		m.slot[key] = none
	}
}

// Expire drops what servers hold of keys that moved away, where they are not
// asked about them any more.
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

// own is the state of a key at its owner.
func (m *Memory) own(key int32) int32 {
	if m.slot[key] == none {
		m.slot[key] = m.fresh(key)
	}
	return m.slot[key]
}

// late is the state of a key at a server that does not own it any more, or
// never did.
func (m *Memory) late(server, key int32) int32 {
	s, holds := m.left[pair{server, key}]
	if !holds {
		s = m.fresh(key)
		m.left[pair{server, key}] = s
	}
	return s
}

// fresh is a state for a key that nothing has been counted in.
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

// turn opens a new page, in the place of one that is used up where there is one.
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

// retire gives a page back that is used up and has no state left.
func (m *Memory) retire(number int32) {
	if p := &m.pages[number]; p.live == 0 && !p.open {
		p.table = nil
		m.free = append(m.free, number)
	}
}

// Owned is the memory as one server sees it.
type Owned struct {
	Memory *Memory
	Owner  []int32 // of each key; nil where all keys are the server's
	Server int32
}

// Take decides a request by the key's state at the server.
func (o Owned) Take(key int32, now, cost int64) counter.Verdict {
	t, place := o.state(key)
	return t.Take(place, now, cost)
}

func (o Owned) Level(key int32, now int64) int64 {
	t, place := o.state(key)
	return t.Level(place, now)
}

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
