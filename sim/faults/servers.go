package faults

import (
	"slices"
	"sort"
)

// Store is the server number of the store.
const Store = int32(-1)

// Restart is a loss of memory.
type Restart struct {
	At int64
	// Server is the server whose memory is empty from At on, or Store.
	Server int32
	// LoseFrom applies to the store only: what was written from that time on is
	// lost, and earlier writes are kept. Saves reports true for that time.
	LoseFrom int64
}

// outage is a server that does not respond.
type outage struct {
	server  int32
	noticed int64 // when its peers detect it; Never for a restart, after which the server keeps its keys
}

// StoreDown reports whether the store is down at now. Calls to it fail.
func (t *Timeline) StoreDown(now int64) bool { return t.at(now).storeDown }

// ServerDown reports whether a server has crashed or restarts at now. Calls to
// it fail and their callers time out.
func (t *Timeline) ServerDown(now int64, server int32) bool {
	for _, o := range t.at(now).down {
		if o.server == server {
			return true
		}
	}
	return false
}

// Noticed reports whether the outage of a server that is down at now has been
// detected. Its keys are then assigned to other servers until it is back.
func (t *Timeline) Noticed(now int64, server int32) bool {
	for _, o := range t.at(now).down {
		if o.server == server && o.noticed <= now {
			return true
		}
	}
	return false
}

// Lost returns the losses of memory in (from, to] in time order. Those of one
// instant are in the order of the scenario.
func (t *Timeline) Lost(from, to int64) (restarts []Restart) {
	if t == nil {
		return nil
	}
	lo := sort.Search(len(t.restarts), func(i int) bool { return t.restarts[i].At > from })
	hi := sort.Search(len(t.restarts), func(i int) bool { return t.restarts[i].At > to })
	return t.restarts[lo:hi]
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

// Slow returns the factor on the service time of servers and store for service
// that starts at now. It is 1 without a fault.
func (t *Timeline) Slow(now int64) int64 { return t.at(now).slow }
