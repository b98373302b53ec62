package network

import (
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Owners assigns keys to servers. If faults move keys, they replace the
// assignment from the start.
type Owners struct {
	Home    []int32     // by key: its owner; nil if keys never move
	Map     routing.Map // nil: keys are assigned by hash
	Stagger int64       // ns over which the clients, one after the other, learn of an assignment before its propagation is over

	faults  *faults.Timeline
	moving  *faults.Owners // nil unless faults move keys at random
	clients int64
	present []bool // by server: whether it has joined and not left
	version int    // of the assignment in Home
	blame   int    // entry of the latest outage that Map knows + 1
	moved   []int  // by key: the blame when it moved, until a request notices it
	move    func(now int64, key, to int32)
}

// NewMap returns a map from whose earlier assignments clients may be told, if faults
// make them stale.
func NewMap(s *engine.Setting, c routing.Config) routing.Map {
	c.Stale = s.Faults.LongestStale()
	return routing.New(c)
}

// NewOwners returns the assignment of a map, or by hash if it is nil. Owners
// calls move for each key that gets another owner, before it notes that.
func NewOwners(s *engine.Setting, m routing.Map, move func(now int64, key, to int32)) Owners {
	s.Faults.FollowServers()
	if m == nil && s.Faults.ChangesServers() {
		m = NewMap(s, routing.Config{Kind: routing.ByHash, Servers: s.Servers(), Start: s.Origin})
	}
	o := Owners{Map: m, faults: s.Faults, clients: int64(s.Clients()), present: make([]bool, s.AllServers()), move: move}
	for i := range s.Servers() {
		o.present[i] = true
	}
	if m == nil && !s.Faults.Moves() {
		return o.followed()
	}
	o.Home = make([]int32, s.Keys)
	for key := range o.Home {
		o.Home[key] = routing.Owner(int32(key), len(o.present))
		if m != nil {
			o.Home[key] = m.Owner(int32(key))
		}
	}
	if m != nil {
		o.version = m.Version()
	}
	if s.Faults.Moves() {
		o.moving = faults.NewOwners(s.Faults, o.Home, len(o.present))
	}
	return o.followed()
}

// followed tells the faults who owns a key.
func (o Owners) followed() Owners {
	o.faults.OwnedBy(o.Owner)
	return o
}

// FaultsMove reports whether faults move keys at random.
func (o *Owners) FaultsMove() bool { return o.moving != nil }

// Asked returns the server that a client takes for the owner of a key at now. It
// counts the key if a fault has moved it since the last request.
func (o *Owners) Asked(now int64, client, key int32) int32 {
	switch {
	case o.moving != nil:
		return o.moving.Asked(now, client, key)
	case o.Map == nil:
		return routing.Owner(key, len(o.present))
	case o.moved != nil && o.moved[key] > 0:
		o.faults.Touch(o.moved[key] - 1)
		o.moved[key] = 0
	}
	view := now
	if o.faults != nil {
		view = o.faults.View(now, client)
	}
	if o.Stagger > 0 {
		view += o.Stagger * (o.clients - 1 - int64(client)) / o.clients
	}
	return o.Map.Known(key, view)
}

// AskedBySome reports whether a client, stale or not, takes a server for the owner of
// a key at now. It counts nothing.
func (o *Owners) AskedBySome(now int64, key, server int32) bool {
	if o.moving != nil {
		return o.moving.AskedBySome(now, key, server)
	}
	some := false
	o.faults.Views(now, func(view int64) { some = some || o.Map.Known(key, view) == server })
	return some
}

// Owner returns the owner of a key.
func (o *Owners) Owner(key int32) int32 {
	if o.Home != nil {
		return o.Home[key]
	}
	return routing.Owner(key, len(o.present))
}

// Takes reports whether a server that is up answers for a key at now. A server
// that has lost a key answers for it for a while.
func (o *Owners) Takes(now int64, key, server int32) bool {
	return o.moving == nil || o.moving.Takes(now, key, server)
}

// Served tells the assignment about load, by which it may move keys.
func (o *Owners) Served(now int64, key int32, cost int64) {
	if o.Map != nil {
		o.Map.Served(now, key, cost)
	}
}

// Next returns when the assignment may next change by itself, or engine.Never.
func (o *Owners) Next() int64 {
	if o.Map == nil || o.moving != nil {
		return engine.Never
	}
	return o.Map.Next()
}

// ApplyFaults tells the assignment which servers there are and which of them are
// known to be down, and moves the keys that faults move at random, at an instant at
// which faults change.
func (o *Owners) ApplyFaults(now int64) {
	for i := int32(0); o.Map != nil && int(i) < len(o.present); i++ {
		o.applyMembership(now, i)
		if !o.present[i] {
			continue
		}
		if entry, down := o.faults.NoticedBy(now, i); down {
			o.blame = entry + 1
			o.Map.Fail(now, i)
		} else {
			o.Map.Recover(now, i)
		}
	}
	if o.moving != nil {
		o.moving.Advance(now, func(key, to int32) { o.give(now, key, to) })
	}
}

// applyMembership tells the assignment about a server that has joined or left.
func (o *Owners) applyMembership(now int64, server int32) {
	member, entry := o.faults.Member(now, server)
	if member == o.present[server] {
		return
	}
	o.present[server], o.blame = member, entry+1
	if member {
		o.Map.Join(now)
	} else {
		o.Map.Leave(now, server)
	}
}

// Reassign moves the keys that have other owners by the assignment of now. It
// reports whether the assignment is new.
func (o *Owners) Reassign(now int64) bool {
	if o.Map == nil || o.moving != nil {
		return false
	}
	if o.Map.Next() <= now {
		o.Map.Step(now)
	}
	if o.Map.Version() == o.version {
		return false
	}
	o.version = o.Map.Version()
	for key := range o.Home {
		if to := o.Map.Owner(int32(key)); to != o.Home[key] {
			if o.blame > 0 { // the next request about the key counts its move
				if o.moved == nil {
					o.moved = make([]int, len(o.Home))
				}
				o.moved[key] = o.blame
			}
			o.give(now, int32(key), to)
		}
	}
	return true
}

func (o *Owners) give(now int64, key, to int32) {
	o.move(now, key, to)
	o.Home[key] = to
}
