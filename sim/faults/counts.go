package faults

import (
	"math"
	"slices"
)

// counts holds what the faults of a timeline have touched in one trial.
type counts struct {
	touched []int64         // by entry
	clients map[int]members // by entry: clients whose clock was read while it was wrong
	held    []members       // by server: the keys of which it has state
	known   []members       // by server: the keys of which it ever had state
	holds   bool            // a server may lose its state
	owner   func(key int32) int32
	follows bool    // the limiter follows which servers join and leave
	servers []int32 // by index in Timeline.owned: the owner at the beginning, or undecided
}

// owned is an outage of the server that owns a key when the outage begins.
type owned struct {
	key  int32
	from int64
}

const undecided = int32(-3)

// Nobody is the owner of a key in a limiter whose servers own no keys.
const Nobody = int32(-2)

// FollowServers states that the limiter has servers that join and leave. Otherwise no
// server of it ever leaves.
func (t *Timeline) FollowServers() {
	if t != nil && t.counts != nil {
		t.counts.follows = true
	}
}

// Counting returns a copy of the timeline that counts what its faults touch, for
// one trial. It is not safe for concurrent use. Timelines that are not counting
// ignore what they are told to count.
func (t *Timeline) Counting() *Timeline {
	if t == nil {
		return nil
	}
	c := *t
	c.counts = &counts{
		touched: append([]int64(nil), t.scaled...), clients: map[int]members{}, servers: slices.Repeat([]int32{undecided}, len(t.owned)),
		holds: slices.ContainsFunc(t.restarts, func(r Restart) bool { return r.Server != Store }),
	}
	return &c
}

// Part returns a copy of a counting timeline for a part of the limiter that has
// servers of its own. What it counts is added to t.
func (t *Timeline) Part() *Timeline {
	if t == nil || t.counts == nil {
		return t
	}
	c := *t
	c.counts = &counts{touched: t.counts.touched, clients: t.counts.clients, holds: t.counts.holds, servers: slices.Clone(t.counts.servers)}
	return &c
}

// Touched returns what each fault of the scenario's list has touched so far, in
// the unit that scenarios.FaultUnit returns.
func (t *Timeline) Touched() []int64 {
	if t == nil || t.counts == nil {
		return nil
	}
	n := append([]int64(nil), t.counts.touched...)
	for entry, clients := range t.counts.clients {
		n[entry] += clients.size()
	}
	return n
}

// Touch counts something that the fault of an entry has changed.
func (t *Timeline) Touch(entry int) { t.touch(entry) }

func (t *Timeline) touch(entry int) {
	if t.counts != nil {
		t.counts.touched[entry]++
	}
}

// LosesState reports whether a server may lose its state.
func (t *Timeline) LosesState() bool { return t != nil && t.counts != nil && t.counts.holds }

// Holds records that a server has state of a key in its memory. A restart that
// loses the state counts the key. It reports whether the server never had state of it.
func (t *Timeline) Holds(server, key int32) (first bool) {
	if !t.LosesState() {
		return false
	}
	c := t.counts
	if n := int(server) + 1 - len(c.held); n > 0 {
		c.held, c.known = append(c.held, make([]members, n)...), append(c.known, make([]members, n)...)
	}
	first = !c.known[server].has(key)
	c.held[server], c.known[server] = c.held[server].with(key), c.known[server].with(key)
	return first
}

// Forgets counts the keys of which a server loses state in a restart that Lost
// has returned.
func (t *Timeline) Forgets(r Restart) {
	if t == nil || t.counts == nil || r.Server < 0 || int(r.Server) >= len(t.counts.held) {
		return
	}
	t.counts.touched[r.entry] += t.counts.held[r.Server].size()
	clear(t.counts.held[r.Server])
}

// FailsAfterRestart counts a call at now that a server treats differently because
// of its latest restart.
func (t *Timeline) FailsAfterRestart(now int64, server int32) {
	lost := t.Lost(math.MinInt64, now)
	for i := len(lost) - 1; i >= 0; i-- {
		if lost[i].Server == server {
			t.touch(lost[i].entry)
			return
		}
	}
}

// OwnedBy sets the owners of keys, from which the timeline takes the server of a
// fault with server: owner. Without it no server owns a key.
func (t *Timeline) OwnedBy(owner func(key int32) int32) {
	if t != nil && t.counts != nil {
		t.counts.owner = owner
	}
}

// Decide fixes the servers of outages that begin up to now. Before, they are the
// owners of the moment.
func (t *Timeline) Decide(now int64) {
	if t == nil || t.counts == nil {
		return
	}
	for i, o := range t.owned {
		if o.from <= now && t.counts.servers[i] == undecided {
			t.counts.servers[i] = t.counts.ownerOf(o.key)
		}
	}
}

func (c *counts) ownerOf(key int32) int32 {
	if c.owner == nil {
		return Nobody
	}
	return c.owner(key)
}

// serverOf returns the server of an outage or a restart.
func (t *Timeline) serverOf(server int32, owned int) int32 {
	switch {
	case owned == 0:
		return server
	case t.counts == nil:
		return Nobody
	case t.counts.servers[owned-1] == undecided:
		return t.counts.ownerOf(t.owned[owned-1].key)
	}
	return t.counts.servers[owned-1]
}
