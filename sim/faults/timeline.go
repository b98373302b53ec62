// Package faults is what goes wrong in one replication of a scenario, and when:
// messages that get lost, servers that stop, clients that are cut off, clocks
// that are off, limits that change. It says what befalls whom at an instant and
// does nothing by itself: an enforcement asks it, and feels what its published
// system would feel.
//
// A nil Timeline is a world without faults; all its methods work.
package faults

import (
	"math"
	"sort"

	"github.com/limitgauge/limitgauge/sim/random"
)

// Never is later than any instant of a simulation.
const Never = int64(math.MaxInt64)

// Timeline is the faults of one replication. It never changes, so any number of
// trials may ask it at once. All instants are simulated time in nanoseconds, and
// a fault from A to B is in force at A <= now < B.
type Timeline struct {
	begins   []int64 // of each state, ascending; the first is the least instant there is
	states   []state
	restarts []Restart // by At
	saves    []int64   // ascending
	moves    []move    // by at
	spans    []Span    // by From
}

// state is what holds between two changes.
type state struct {
	storeDown bool
	down      []outage
	cuts      []members
	slow      int64 // factor, 1 when well
	messages  []message
	latency   *random.Latency
	clocks    []clock
	active    int // clients alive; 0 is all of them
	num, den  int64
}

// healthy is the state of a world without faults.
var healthy = state{slow: 1, num: 1, den: 1}

// at is the state at an instant.
func (t *Timeline) at(now int64) *state {
	if t == nil || len(t.begins) == 0 {
		return &healthy
	}
	// The first state that begins after now, less one.
	i := sort.Search(len(t.begins), func(i int) bool { return t.begins[i] > now })
	return &t.states[i-1]
}

// Next is the next instant after now at which anything changes, or Never: what
// is asked between two of them has one answer (the clocks aside, which drift).
// Restarts, saves and moves happen at such instants.
func (t *Timeline) Next(now int64) int64 {
	if t == nil {
		return Never
	}
	i := sort.Search(len(t.begins), func(i int) bool { return t.begins[i] > now })
	if i == len(t.begins) {
		return Never
	}
	return t.begins[i]
}

// Span is one occurrence of a fault: in force at From <= now < To.
type Span struct {
	Kind     string // as a scenario names it
	From, To int64
}

// Spans are all occurrences of faults, by their start.
func (t *Timeline) Spans() []Span {
	if t == nil {
		return nil
	}
	return t.spans
}
