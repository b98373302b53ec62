package remote

import (
	"maps"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Memory holds the counters in the memory of the servers: one for each key, at its
// owner. A key that moves starts with a new counter unless its state is kept, and
// a restarted server forgets its keys. A previous owner that is still called
// continues with the state it had. It is not safe for concurrent use.
type Memory struct {
	kept  bool
	parts []Part
	own   []state        // by key: that of its owner; the zero state before the first use
	left  map[pair]state // states that servers still hold of keys that moved away
}

// Part holds the keys of one policy, in the order of their numbers.
type Part struct {
	Keys  int
	Table func(keys int) counting.Table

	to   int32          // its keys end before this one
	open counting.Table // from which new states come; nil at first
	used int32          // number of its states that were used
}

// state is one state of a table. A table is garbage when none of its states is in
// use any more.
type state struct {
	table counting.Table
	place int32
}

// tableSize is the number of states in one table.
const tableSize = 256

// pair is a key in a server's memory.
type pair struct{ server, key int32 }

// NewMemory returns the memory for the keys of all parts.
func NewMemory(kept bool, parts ...Part) *Memory {
	m := &Memory{kept: kept, parts: parts, left: map[pair]state{}}
	keys := 0
	for i := range parts {
		keys += parts[i].Keys
		parts[i].to = int32(keys)
	}
	m.own = make([]state, keys)
	return m
}

// Move gives a key another owner. The previous owner may still be called for it
// for some time.
func (m *Memory) Move(key, from, to int32) {
	if m.kept || from == to {
		return
	}
	delete(m.left, pair{from, key})
	delete(m.left, pair{to, key})
	if m.own[key].table != nil {
		m.left[pair{from, key}] = m.own[key]
		m.own[key] = state{}
	}
}

// Forget removes the state of a key, because its owner restarted.
func (m *Memory) Forget(key int32) { m.own[key] = state{} }

// Expire removes the states of keys that moved away, if asked reports that the
// server is not called for the key any more.
func (m *Memory) Expire(asked func(server, key int32) bool) {
	maps.DeleteFunc(m.left, func(p pair, _ state) bool { return !asked(p.server, p.key) })
}

// owned returns the state of a key at its owner.
func (m *Memory) owned(key int32) *state {
	s := &m.own[key]
	if s.table == nil {
		*s = m.fresh(key)
	}
	return s
}

// late returns the state of a key at a server that does not own it.
func (m *Memory) late(server, key int32) state {
	s, holds := m.left[pair{server, key}]
	if !holds {
		s = m.fresh(key)
		m.left[pair{server, key}] = s
	}
	return s
}

// fresh returns a new state for a key.
func (m *Memory) fresh(key int32) state {
	i := 0
	for key >= m.parts[i].to {
		i++
	}
	p := &m.parts[i]
	if p.open == nil || p.used == tableSize {
		p.open, p.used = p.Table(tableSize), 0
	}
	p.used++
	return state{p.open, p.used - 1}
}

// Owned is the memory as one server sees it, or without an Owner as the owners do.
type Owned struct {
	Memory *Memory
	Owner  []int32 // by key; nil if the server owns all keys
	Server int32
}

// Take decides a request with the key's state at the server.
func (o Owned) Take(key int32, now, cost int64) counting.Verdict {
	s := o.state(key)
	return s.table.Take(s.place, now, cost)
}

// Level returns the level of the key's state at the server.
func (o Owned) Level(key int32, now int64) int64 {
	s := o.state(key)
	return s.table.Level(s.place, now)
}

// RetryAt returns the retry time of the key's state at the server.
func (o Owned) RetryAt(key int32, now, cost int64) int64 {
	s := o.state(key)
	return s.table.RetryAt(s.place, now, cost)
}

// Correct changes what a request took from the key's state at the server: see
// counting.Table.
func (o Owned) Correct(key int32, now, taken, tokens int64, debt bool) {
	s := o.state(key)
	s.table.Correct(s.place, now, taken, tokens, debt)
}

// CountsUntil returns until when what is taken at a time counts: see counting.Table. All
// policies must have such counters.
func (o Owned) CountsUntil(taken int64) (until int64) {
	for i := range o.Memory.parts {
		p := &o.Memory.parts[i]
		if p.open == nil {
			p.open = p.Table(tableSize)
		}
		until = max(until, p.open.CountsUntil(taken))
	}
	return until
}

func (o Owned) state(key int32) state {
	if o.Owner == nil || o.Owner[key] == o.Server || o.Memory.kept {
		return *o.Memory.owned(key)
	}
	return o.Memory.late(o.Server, key)
}
