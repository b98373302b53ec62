package faults

import (
	"slices"
	"sort"
)

// Store is the server number of the store.
const Store = int32(-1)

// Restart is a loss of memory.
type Restart struct {
	At    int64
	entry int
	owned int // 0, or 1 + the index in Timeline.owned of what Server is then
	// Server is the server whose memory is empty from At on, or Store.
	Server int32
	// LoseFrom applies to the store only: what was written from that time on is
	// lost, and earlier writes are kept. Saves reports true for that time.
	LoseFrom int64
}

// outage is a server that does not respond.
type outage struct {
	entry   int
	server  int32
	owned   int   // as in Restart
	noticed int64 // when its peers detect it; Never for a restart, after which the server keeps its keys
	left    bool  // for good: concerns only limiters that follow which servers there are
}

// slowdown is a factor on service times.
type slowdown struct {
	entry  int
	factor int64 // 1 without a fault
}

// StoreDown reports whether the store is down at now. It counts nothing.
func (t *Timeline) StoreDown(now int64) bool { return len(t.at(now).storeDown) > 0 }

// StoreFails reports whether a call to the store fails at now because the store
// is down, and counts the call.
func (t *Timeline) StoreFails(now int64) bool {
	down := t.at(now).storeDown
	for _, entry := range down {
		t.touch(entry)
	}
	return len(down) > 0
}

// Written records a call that writes to the store at now. It counts the call if
// a failover loses the write.
func (t *Timeline) Written(now int64) {
	if t == nil || len(t.saves) == 0 {
		return
	}
	for i := range t.restarts {
		if r := &t.restarts[i]; r.Server == Store && now >= r.LoseFrom && now <= r.At {
			t.touch(r.entry)
		}
	}
}

// ServerDown reports whether a server has crashed or restarts at now. It counts
// nothing.
func (t *Timeline) ServerDown(now int64, server int32) bool {
	for _, o := range t.at(now).down {
		if t.concerns(o, server) {
			return true
		}
	}
	return false
}

// ServerFails reports whether a call fails at now because its server has crashed
// or restarts, and counts the call. Its caller times out.
func (t *Timeline) ServerFails(now int64, server int32) (down bool) {
	for _, o := range t.at(now).down {
		if t.concerns(o, server) {
			t.touch(o.entry)
			down = true
		}
	}
	return down
}

// concerns reports whether an outage is that of a server.
func (t *Timeline) concerns(o outage, server int32) bool {
	if o.left && t.counts != nil && !t.counts.follows {
		return false
	}
	return t.serverOf(o.server, o.owned) == server
}

// FailsDuring reports whether a call fails because its server is down at any time
// from from to to, or restarts after from, and counts the call.
func (t *Timeline) FailsDuring(from, to int64, server int32) bool {
	if t.ServerFails(from, server) {
		return true
	}
	for at := t.Next(from); at <= to; at = t.Next(at) {
		if t.ServerFails(at, server) {
			return true
		}
	}
	for _, r := range t.Lost(from, to) {
		if r.Server == server {
			t.touch(r.entry)
			return true
		}
	}
	return false
}

// NoticedBy returns the entry of an outage of a server that has been detected at
// now. The server's keys are then assigned to other servers until it is back.
func (t *Timeline) NoticedBy(now int64, server int32) (entry int, ok bool) {
	for _, o := range t.at(now).down {
		if o.noticed <= now && t.concerns(o, server) {
			return o.entry, true
		}
	}
	return 0, false
}

// Avoids is NoticedBy for a call that goes to another server instead. It counts
// the call.
func (t *Timeline) Avoids(now int64, server int32) (avoids bool) {
	for _, o := range t.at(now).down {
		if o.noticed <= now && t.concerns(o, server) {
			t.touch(o.entry)
			avoids = true
		}
	}
	return avoids
}

// Lost returns the losses of memory in (from, to] in time order. Those of one
// instant are in the order of the scenario. It counts nothing.
func (t *Timeline) Lost(from, to int64) (restarts []Restart) {
	if t == nil {
		return nil
	}
	lo := sort.Search(len(t.restarts), func(i int) bool { return t.restarts[i].At > from })
	hi := sort.Search(len(t.restarts), func(i int) bool { return t.restarts[i].At > to })
	restarts = t.restarts[lo:hi]
	for i, r := range restarts {
		if r.owned > 0 {
			restarts = slices.Clone(restarts)
			for j := i; j < len(restarts); j++ {
				restarts[j].Server = t.serverOf(restarts[j].Server, restarts[j].owned)
			}
			break
		}
	}
	return restarts
}

// Saves reports whether a later loss of the store's memory restores the state
// of this instant. The simulation of the store must copy that state before
// anything else happens at now.
func (t *Timeline) Saves(now int64) bool {
	if t == nil {
		return false
	}
	_, saves := slices.BinarySearch(t.saves, now)
	return saves
}

// Slow returns the time in ns that a service takes at a server or the store if
// it starts at now, and counts the service if a fault makes that longer.
func (t *Timeline) Slow(now, service int64) int64 {
	slow := t.at(now).slow
	if slow.factor > 1 && service > 0 {
		t.touch(slow.entry)
	}
	return service * slow.factor
}
