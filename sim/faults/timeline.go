// Package faults turns the faults of a scenario into a timeline of one
// replication: lost messages, stopped servers, partitioned clients, wrong
// clocks, changed limits. Limiters and the network ask the Timeline for the
// state at an instant and simulate the consequences; the package itself changes
// nothing.
//
// A nil Timeline is a replication without faults. All its methods work.
//
// The package makes no promise: it can change at any time.
package faults

import (
	"math"
	"sort"
)

// Never is later than any instant of a simulation.
const Never = int64(math.MaxInt64)

// Timeline holds the faults of one replication. It is immutable and safe for
// concurrent use, unless it is one of Counting. Times are simulated time in ns.
// A fault from A to B is in force at A <= now < B. An entry is the index of a
// fault in the scenario's list.
type Timeline struct {
	begins      []int64 // start of each state, ascending; the first is the smallest int64
	states      []state
	restarts    []Restart    // by At
	saves       []int64      // ascending
	moves       []move       // by at
	servers     int32        // at the beginning
	memberships []membership // by at
	spans       []Span       // by From
	scaled      []int64      // by entry: clients that an autoscale stops or starts
	owned       []owned      // servers that are known when their outage begins
	counts      *counts      // nil unless the timeline counts
}

// state holds the active faults between two changes.
type state struct {
	storeDown []int // entries
	down      []outage
	cuts      []cut
	slow      slowdown
	late      [responders]lateness
	messages  []message
	latency   *latency
	clocks    []clock
	active    int // clients alive; 0 means all
	num, den  int64
}

// healthy is the state without faults.
var healthy = state{slow: slowdown{factor: 1}, num: 1, den: 1}

// at returns the state at now.
func (t *Timeline) at(now int64) *state {
	if t == nil {
		return &healthy
	}
	return &t.states[t.after(now)-1]
}

// after returns the index of the first state that begins after now.
func (t *Timeline) after(now int64) int {
	return sort.Search(len(t.begins), func(i int) bool { return t.begins[i] > now })
}

// Next returns the first change after now, or Never. Between two changes every
// method returns the same result, except Clock, which may drift. Restarts,
// saves and moves happen at changes.
func (t *Timeline) Next(now int64) int64 {
	if t != nil {
		if i := t.after(now); i < len(t.begins) {
			return t.begins[i]
		}
	}
	return Never
}

// Span is one occurrence of a fault. It is in force at From <= now < To.
type Span struct {
	Kind     string // as named in the scenario
	Entry    int
	From, To int64
}

// Spans returns all occurrences of faults by their start.
func (t *Timeline) Spans() []Span {
	if t == nil {
		return nil
	}
	return t.spans
}

// Active returns the number of clients that are alive at now; they have the
// numbers 0 to Active-1. The result is 0 if autoscaling is not simulated and
// all clients are alive. Alive reassigns the requests of other clients before a
// limiter receives them.
func (t *Timeline) Active(now int64) int { return t.at(now).active }

// LimitScale returns the factor num/den, in lowest terms, of every policy's
// count and burst at now. It is 1/1 if no fault changes the limits.
func (t *Timeline) LimitScale(now int64) (num, den int64) {
	s := t.at(now)
	return s.num, s.den
}
