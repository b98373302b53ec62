package lanes

import (
	"cmp"
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Limiter is an algorithm whose callers may have to wait. It is told of one
// thing at a time and answers through the lane's Admit, Reject and Schedule.
type Limiter interface {
	// Arrive decides the attempt in the slot, or keeps it.
	Arrive(now int64, slot int32)
	// Fire runs something it scheduled.
	Fire(e Event)
	// Completed says that the guarded backend has finished cost it was given.
	Completed(now int64, key int32, cost int64)
	// Inspect tells what a key could still admit at now, and when a request of
	// this cost would be admitted.
	Inspect(key int32, now, cost int64) (level, retryAt int64)
	// Finish reports what only the limiter knows at the end.
	Finish(r *measure.Recorder)
}

// EventLane runs a Limiter: one event at a time, with arrivals, dispatches and
// the reference's dispatches merged into one stream.
type EventLane struct {
	Books
	limiter Limiter

	now     int64
	seq     int64
	events  EventHeap
	slots   []Attempt
	free    []int32
	waiting int64
	rows    *flowRows
	one     [1]int32
	keys    [][]int32  // of the attempt in each slot, where requests carry descriptors
	behind  []Dispatch // of the reference, not yet merged
	retrying
	outcome measure.Outcome // the latest, kept here because what is handed to a meter escapes
}

// Attempt is a request that has arrived and not ended.
type Attempt struct {
	Index    int64 // among all attempts of the trial
	Fresh    int64 // index of the fresh request, which is the same for every algorithm
	Try      int32 // 0: the fresh request itself; its retries count from 1
	Arrival  int64
	Cost     int64
	Key      int32
	Tenant   int32
	Client   int32
	Keys     []int32 // all keys where requests carry several, else nil
	waited   int64   // ns inside the limiter, up to when it last left it
	entered  int64   // when it last came into the limiter
	where    whereabouts
	timedOut bool
}

// whereabouts is where an attempt is.
type whereabouts uint8

const (
	ended   whereabouts = iota
	arrived             // being decided, at the instant of its arrival
	waiting             // inside the limiter
	asking              // on the network: it costs its caller time, but waits in no queue of the limiter
)

// NewEventLane returns a lane that has no limiter yet: see Run. What it measures
// begins at start.
func NewEventLane(b Books, start int64) *EventLane {
	b.Recorder.Waiting(start, 0)
	return &EventLane{Books: b, rows: newFlowRows(b.Recorder)}
}

// Run gives the lane its limiter, which knows the lane.
func (l *EventLane) Run(limiter Limiter) { l.limiter = limiter }

// Attempt is the attempt in a slot that is open.
func (l *EventLane) Attempt(slot int32) *Attempt { return &l.slots[slot] }

// Keys are all keys that the attempt in a slot falls under; valid until the next
// call, and no longer than the attempt.
func (l *EventLane) Keys(slot int32) []int32 {
	s := &l.slots[slot]
	if l.keys == nil {
		l.one[0] = s.Key
		return l.one[:]
	}
	return s.Keys
}

// carry gives the attempt in a slot a copy of its keys.
func (l *EventLane) carry(slot int32, keys []int32) {
	for int(slot) >= len(l.keys) {
		l.keys = append(l.keys, nil)
	}
	l.keys[slot] = append(l.keys[slot][:0], keys...)
	l.slots[slot].Keys = l.keys[slot]
}

// Open calls f with every attempt that has not ended.
func (l *EventLane) Open(f func(slot int32, a *Attempt)) {
	for slot := range l.slots {
		if a := &l.slots[slot]; a.where != ended {
			f(int32(slot), a)
		}
	}
}

func (l *EventLane) Advance(_ context.Context, a *Arrivals) {
	if l.Retries == nil {
		l.behind = a.Shaped
	}
	l.rows.carry(a.Descriptors != nil)
	for i, t := range a.Time {
		l.runUntil(t)
		var keys []int32
		if a.Descriptors != nil {
			keys = a.Keys(i)
		}
		reference := int64(0)
		if l.Beside == ImmediateReference {
			reference = a.Admitted[i]
		}
		l.arrive(t, &Attempt{
			Index: a.First + int64(i), Fresh: a.First + int64(i), Cost: a.Cost[i],
			Key: a.Key[i], Tenant: a.Tenant[i], Client: a.Client[i],
		}, keys, reference)
	}
	if n := len(a.Time); n > 0 {
		l.mergeReference(a.Time[n-1])
	}
}

// arrive takes an attempt, of which the reference lets through so much at once;
// keys is nil where it has only one.
func (l *EventLane) arrive(t int64, a *Attempt, keys []int32, reference int64) {
	l.now = t
	a.Arrival, a.where, a.entered = t, arrived, t
	if l.Retries != nil {
		a.Index = l.attempts
		l.attempts++
	}
	index := a.Index
	slot := l.open(*a)
	if keys != nil {
		l.carry(slot, keys)
	}
	if l.Retries != nil {
		reference = l.attempted(&l.slots[slot], keys)
	}
	l.rows.add(t, &l.slots[slot], a.Cost, 0, 0, reference)
	l.limiter.Arrive(t, slot)
	if s := &l.slots[slot]; s.where == arrived && s.Index == index {
		s.where = waiting
		l.waiting++
		l.Recorder.Waiting(t, l.waiting)
	}
}

// runUntil runs everything due at or before t: completions first, so that what
// they give back is there for a tick of the same instant, and retries last, as
// what arrives then.
func (l *EventLane) runUntil(t int64) {
	for {
		completion, due, retry := Never, Never, Never
		if l.Guard != nil {
			completion = l.Guard.next()
		}
		if len(l.events) > 0 {
			due = l.events[0].Time
		}
		if len(l.comeback) > 0 {
			retry = l.comeback[0].Time
		}
		switch next := min(completion, due, retry); {
		case next > t:
			l.mergeReference(t)
			return
		case retry < min(completion, due):
			l.mergeReference(retry)
			l.comeBack()
		case completion <= due:
			l.mergeReference(completion)
			l.now = completion
			l.Guard.complete()
		default:
			l.mergeReference(due)
			l.now = due
			l.limiter.Fire(l.events.Pop())
		}
	}
}

func (l *EventLane) mergeReference(t int64) {
	if l.Beside != ShapingReference {
		return
	}
	if l.Retries != nil {
		// The lane's own reference has run no further than the lane itself.
		for _, list := range [][]Dispatch{l.behind, l.Retries.shaped.Until(t)} {
			for i := range list {
				l.dispatched(&list[i])
			}
		}
		l.behind = l.behind[:0]
		return
	}
	for len(l.behind) > 0 && l.behind[0].Time <= t {
		l.dispatched(&l.behind[0])
		l.behind = l.behind[1:]
	}
}

// dispatched is a row for what the reference let through.
func (l *EventLane) dispatched(d *Dispatch) {
	l.rows.add(d.Time, &Attempt{Key: d.Key, Tenant: d.Tenant, Client: d.Client}, 0, 0, 0, d.Cost)
}

// Schedule asks for Fire at t, not before now.
func (l *EventLane) Schedule(t int64, kind uint32, ref int32) {
	l.seq++
	l.events.Push(Event{Time: t, Seq: l.seq, Kind: kind, Ref: ref})
}

// Asks says that from now on the attempt in the slot does not wait inside the
// limiter: its call is on the network.
func (l *EventLane) Asks(slot int32) {
	s := &l.slots[slot]
	l.leave(s)
	s.where = asking
}

// Waits says that from now on the attempt in the slot waits inside the limiter
// again, after its call has come back.
func (l *EventLane) Waits(slot int32) {
	s := &l.slots[slot]
	if s.where != waiting {
		s.where, s.entered = waiting, l.now
		l.waiting++
		l.Recorder.Waiting(l.now, l.waiting)
	}
}

// leave ends an attempt's wait inside the limiter, where it is one.
func (l *EventLane) leave(s *Attempt) {
	if s.where == waiting {
		s.waited += l.now - s.entered
		l.waiting--
		l.Recorder.Waiting(l.now, l.waiting)
	}
}

// TimedOut says that the remote call of the attempt in the slot has timed out.
func (l *EventLane) TimedOut(slot int32) { l.slots[slot].timedOut = true }

// Admit lets the attempt in the slot through now.
func (l *EventLane) Admit(slot int32, cause counters.Cause) {
	s := l.slots[slot]
	l.close(slot, counters.MakeVerdict(true, cause))
	reference := int64(0)
	if l.Beside == Itself {
		reference = s.Cost
	}
	l.rows.add(l.now, &s, 0, s.Cost, 0, reference)
	if l.Guard != nil {
		l.Guard.enter(l.now, s.Key, s.Client, s.Cost)
	}
}

// Reject refuses the attempt in the slot now.
func (l *EventLane) Reject(slot int32, cause counters.Cause) {
	s := l.slots[slot]
	l.close(slot, counters.MakeVerdict(false, cause))
	l.rows.add(l.now, &s, 0, 0, s.Cost, 0)
	if l.Retries != nil {
		l.again(&s, l.Keys(slot))
	}
}

func (l *EventLane) open(a Attempt) int32 {
	slot := Take(&l.slots, &l.free)
	l.slots[slot] = a
	return slot
}

func (l *EventLane) close(slot int32, v counters.Verdict) {
	s := &l.slots[slot]
	l.leave(s)
	s.where = ended
	l.free = append(l.free, slot)
	l.outcome = s.outcome(l.now, v)
	l.Recorder.Outcome(&l.outcome)
	if l.Tap != nil {
		level, retryAt := together(l.Keys(slot), l.now, func(key int32) (int64, int64) { return l.limiter.Inspect(key, l.now, s.Cost) })
		l.Tap.Decision(&l.outcome, s.Keys, level, retryAt)
	}
}

func (s *Attempt) outcome(now int64, v counters.Verdict) measure.Outcome {
	return measure.Outcome{
		Attempt: s.Index, Fresh: s.Fresh, Try: s.Try, Arrival: s.Arrival, Decided: now, Dispatched: now, Waited: s.waited, TimedOut: s.timedOut,
		Key: s.Key, Tenant: s.Tenant, Client: s.Client, Cost: s.Cost, Verdict: v,
	}
}

func (l *EventLane) Finish(_ context.Context, end int64, shaped []Dispatch) {
	if l.Retries == nil {
		l.behind = shaped
	}
	l.runUntil(end - 1)
	l.rows.flush()
	l.limiter.Finish(l.Recorder)
	var left []Attempt
	l.Open(func(_ int32, a *Attempt) { left = append(left, *a) })
	slices.SortFunc(left, func(a, b Attempt) int { return cmp.Compare(a.Index, b.Index) })
	for i := range left {
		l.outcome = left[i].outcome(end, counters.Rejected)
		l.outcome.Waiting = true
		l.Recorder.Outcome(&l.outcome)
		if l.Tap != nil {
			l.Tap.Decision(&l.outcome, left[i].Keys, UnknownLevel, counters.Never)
		}
	}
	l.Recorder.Close(end)
}
