package faults

import "github.com/limitgauge/limitgauge/internal/random"

// move is one reshard: each key moves with probability num/den.
type move struct {
	entry    int
	at       int64
	num, den uint64
	both     int64 // ns during which the old owner still accepts requests
	draws    random.Stream
	staleness
}

// Owners holds the owner of each key in one trial with reshard faults. A
// limiter that assigns keys to servers uses it in place of its own assignment.
//
// A key that moves has no count at its new owner, because no state moves with
// it. During two_owners_for the old owner still counts and answers the requests
// that it receives. During stale_for stale clients still send requests to the old
// owner. After two_owners_for the old owner has dropped the count and rejects
// requests like a server that is down.
type Owners struct {
	timeline *Timeline
	servers  int32
	next     int // index of the next move
	keys     []ownership
}

type ownership struct {
	owner, old int32
	until      int64 // end of the time in which the old owner accepts requests
	stale      int64 // end of the time in which stale clients send to the old owner
	move       int32 // index of the latest move
	mover      int   // entry of the latest move + 1, until a request notices it
}

// NewOwners returns the owners after the limiter's own assignment home, by key.
func NewOwners(t *Timeline, home []int32, servers int) *Owners {
	o := &Owners{timeline: t, servers: int32(servers), keys: make([]ownership, len(home))}
	for key, server := range home {
		o.keys[key] = ownership{owner: server, old: server}
	}
	return o
}

// Moves reports whether keys ever move. If not, no Owners is needed.
func (t *Timeline) Moves() bool { return t != nil && len(t.moves) > 0 }

// Advance makes the moves up to and including now, which must not go back. It
// calls forget for each key that moves, with the new owner,
// which has no count of the key.
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
			*k = ownership{owner: to, old: k.owner, until: m.at + m.both, stale: m.at + m.stale, move: int32(o.next), mover: m.entry + 1}
			forget(int32(key), to)
		}
	}
}

// Asked returns the server to which a client sends requests for a key at now:
// the owner, or the previous owner while the client's map is stale. It counts
// the key if it has moved since the last request.
func (o *Owners) Asked(now int64, client, key int32) int32 {
	o.noticed(key)
	k := &o.keys[key]
	if now < k.stale && o.timeline.moves[k.move].concerns(client) {
		return k.old
	}
	return k.owner
}

// AskedBySome reports whether a client, stale or not, sends requests for a key to a
// server at now. It counts nothing.
func (o *Owners) AskedBySome(now int64, key, server int32) bool {
	k := &o.keys[key]
	switch {
	case now >= k.stale:
		return server == k.owner
	case o.timeline.moves[k.move].whose == nil:
		return server == k.old
	}
	return server == k.owner || server == k.old
}

// Takes reports whether a server answers requests for a key at now: the owner
// does, and so does the previous owner during two_owners_for. It counts the key
// as Asked does.
func (o *Owners) Takes(now int64, key, server int32) bool {
	o.noticed(key)
	k := &o.keys[key]
	return server == k.owner || server == k.old && now < k.until
}

func (o *Owners) noticed(key int32) {
	if k := &o.keys[key]; k.mover > 0 {
		o.timeline.touch(k.mover - 1)
		k.mover = 0
	}
}
