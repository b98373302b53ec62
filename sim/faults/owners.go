package faults

import "github.com/limitgauge/limitgauge/sim/random"

// move is one reshard: each key moves with the chance num/den.
type move struct {
	at       int64
	num, den uint64
	both     int64 // ns that the old owner still takes what reaches it
	stale    int64 // ns that clients still ask the old owner
	draws    random.Stream
}

// Owners is who owns each key while keys move: the state of one trial. An
// enforcement that assigns keys to servers keeps one and asks it instead of its
// own assignment.
//
// A key that moves finds no count at its new owner: no state moves with it.
// While two own it (two_owners_for) the old owner still counts and answers what
// reaches it; while a client's map is stale (stale_for) what it sends still
// goes there. After two_owners_for the old owner refuses what reaches it, as a
// server that is down does, and has dropped the count.
type Owners struct {
	timeline *Timeline
	servers  int32
	next     int // move
	keys     []ownership
}

type ownership struct {
	owner, old int32
	until      int64 // that the old owner still takes calls
	stale      int64 // that clients still ask the old one
}

// NewOwners starts with the owners an enforcement has assigned, by key.
func NewOwners(t *Timeline, home []int32, servers int) *Owners {
	o := &Owners{timeline: t, servers: int32(servers), keys: make([]ownership, len(home))}
	for key, server := range home {
		o.keys[key] = ownership{owner: server, old: server}
	}
	return o
}

// Moves reports whether keys ever move: without that nobody needs an Owners.
func (t *Timeline) Moves() bool { return t != nil && len(t.moves) > 0 }

// Advance makes the moves up to and including now; time never goes back. For
// each key that moves it calls forget, which may be nil, with the server that
// starts to own the key with nothing counted.
func (o *Owners) Advance(now int64, forget func(key, server int32)) {
	for ; o.timeline != nil && o.next < len(o.timeline.moves) && o.timeline.moves[o.next].at <= now; o.next++ {
		m := &o.timeline.moves[o.next]
		draws := m.draws
		for key := range o.keys {
			if !draws.Chance(m.num, m.den) || o.servers < 2 {
				continue
			}
			k := &o.keys[key]
			to := int32(draws.Below(uint64(o.servers - 1)))
			if to >= k.owner {
				to++
			}
			*k = ownership{owner: to, old: k.owner, until: m.at + m.both, stale: m.at + m.stale}
			if forget != nil {
				forget(int32(key), to)
			}
		}
	}
}

// Owner is who owns a key now.
func (o *Owners) Owner(key int32) int32 { return o.keys[key].owner }

// Asked is the server that a client asks about a key at now: the owner, or the
// one before while the client's map is stale.
func (o *Owners) Asked(now int64, key int32) int32 {
	k := &o.keys[key]
	if now < k.stale {
		return k.old
	}
	return k.owner
}

// Takes reports whether a server answers for a key at now: its owner does, and
// while there are two owners the one before.
func (o *Owners) Takes(now int64, key, server int32) bool {
	k := &o.keys[key]
	return server == k.owner || server == k.old && now < k.until
}
