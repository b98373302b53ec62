package faults

import "math"

// Responder is what answers a call over a hop: what store-latency or
// server-latency makes answer later.
type Responder uint8

// The responders of calls. Peers are of no kind that answers later.
const (
	Peers Responder = iota
	TheStore
	Servers
	responders
)

// lateness is what a fault does to the round trips of calls to a responder.
type lateness struct {
	entry       int
	factor, add int64 // add is in ns
}

// RoundTrip returns the duration in ns of a round trip to a responder that starts
// at now and usually takes ns, and counts the call if a fault makes it longer. The
// result is at most the longest int64.
func (t *Timeline) RoundTrip(now int64, to Responder, ns int64) int64 {
	late := t.at(now).late[to]
	if late.factor <= 1 && late.add == 0 {
		return ns
	}
	longer := int64(math.MaxInt64) / 4 // half a century, so that sums of a few do not overflow
	if ns < (longer-late.add)/late.factor {
		longer = ns*late.factor + late.add
	}
	if longer > ns {
		t.touch(late.entry)
	}
	return longer
}
