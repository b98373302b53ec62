package faults

import "sort"

// Store stands for the store where a server's number is asked.
const Store = int32(-1)

// Restart is a loss of memory.
type Restart struct {
	At int64
	// Server is whose memory is empty from At on, or Store.
	Server int32
	// LoseFrom is for the store only: what was written from that instant on is
	// gone, and what was written before is there. Saves is true then.
	LoseFrom int64
}

// outage is a server that does not answer.
type outage struct {
	server  int32
	noticed int64 // when its peers know; Never for a restart, which takes nobody's keys
}

// StoreDown reports whether the store does not answer at now: calls to it fail.
func (t *Timeline) StoreDown(now int64) bool { return t.at(now).storeDown }

// ServerDown reports whether a server does not answer at now, because it has
// crashed or restarts: calls to it fail, and its caller times out.
func (t *Timeline) ServerDown(now int64, server int32) bool {
	for _, o := range t.at(now).down {
		if o.server == server {
			return true
		}
	}
	return false
}

// Noticed reports whether a server that is down at now is known to be: whoever
// assigns its keys gives them to others until it is back.
func (t *Timeline) Noticed(now int64, server int32) bool {
	for _, o := range t.at(now).down {
		if o.server == server && o.noticed <= now {
			return true
		}
	}
	return false
}

// Lost are the losses of memory in (from, to], in time order; those of one
// instant in the order of the scenario.
func (t *Timeline) Lost(from, to int64) (restarts []Restart) {
	if t == nil {
		return nil
	}
	lo := sort.Search(len(t.restarts), func(i int) bool { return t.restarts[i].At > from })
	hi := sort.Search(len(t.restarts), func(i int) bool { return t.restarts[i].At > to })
	return t.restarts[lo:hi]
}

// Saves reports whether a later loss of the store's memory falls back to the
// state of this instant: whoever simulates the store keeps a copy of it, taken
// before anything else happens at now.
func (t *Timeline) Saves(now int64) bool {
	if t == nil {
		return false
	}
	i := sort.Search(len(t.saves), func(i int) bool { return t.saves[i] >= now })
	return i < len(t.saves) && t.saves[i] == now
}

// Slow is the factor on the service time of servers and store at now: 1 when
// they are well. It counts for service that starts at now.
func (t *Timeline) Slow(now int64) int64 { return t.at(now).slow }
