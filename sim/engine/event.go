package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Handler is a limiter in which requests may wait. It handles one event at a time
// and calls Admit, Reject and Schedule of its executor.
type Handler interface {
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

// EventExecutor runs a Handler: one event at a time, with arrivals, dispatches and
// the reference's dispatches merged into one stream.
type EventExecutor struct {
	Sinks
	limiter Handler

	now         int64
	seq         int64
	events      EventQueue
	slots       []Attempt
	free        []int32
	waiting     int64
	rows        flowRows
	outcomes    outcomes
	one         [1]int32
	multiPolicy bool       // requests carry descriptors
	keys        [][]int32  // then, those of the attempt in each slot
	dispatches  []Dispatch // of the reference, not yet merged
	retrying
}

// Attempt is a request that has arrived and not ended: a cache line of it.
type Attempt struct {
	Index   int64 // among all attempts of the trial
	Fresh   int64 // index of the fresh request, which is the same for every algorithm
	Arrival int64
	Cost    int64
	waited  int64 // ns inside the limiter, up to when it last left it
	entered int64 // when it last came into the limiter
	Key     int32
	Tenant  int32
	Client  int32

	Try      uint16 // 0: the fresh request itself; its retries count from 1
	state    attemptState
	timedOut bool
}

// whereabouts is where an attempt is.
type attemptState uint8

const (
	ended    attemptState = iota
	arrived               // being decided, at the instant of its arrival
	waiting               // inside the limiter
	inFlight              // on the network: it costs its caller time, but waits in no queue of the limiter
)

// NewEventExecutor returns a lane that has no limiter yet: see Run. What it measures
// begins at start.
func NewEventExecutor(b Sinks, start int64) *EventExecutor {
	b.Recorder.Waiting(start, 0)
	l := &EventExecutor{Sinks: b, rows: flowRows{recorder: b.Recorder}, outcomes: outcomes{recorder: b.Recorder}}
	if b.Retries != nil && b.ReferenceMode == ImmediateReference {
		l.rows.late = &reference{decider: b.Retries.reference}
	}
	return l
}

// Run gives the lane its limiter, which knows the lane.
func (l *EventExecutor) Run(limiter Handler) { l.limiter = limiter }

// Attempt is the attempt in a slot that is open.
func (l *EventExecutor) Attempt(slot int32) *Attempt { return &l.slots[slot] }

// Keys are all keys that the attempt in a slot falls under; valid until the next
// call, and no longer than the attempt.
func (l *EventExecutor) Keys(slot int32) []int32 {
	if !l.multiPolicy {
		l.one[0] = l.slots[slot].Key
		return l.one[:]
	}
	return l.keys[slot]
}

// carried are the keys of the attempt in a slot where requests carry
// descriptors, else nil.
func (l *EventExecutor) carried(slot int32) []int32 {
	if !l.multiPolicy {
		return nil
	}
	return l.keys[slot]
}

// carry gives the attempt in a slot a copy of its keys.
func (l *EventExecutor) carry(slot int32, keys []int32) {
	for int(slot) >= len(l.keys) {
		l.keys = append(l.keys, []int32{})
	}
	l.keys[slot] = append(l.keys[slot][:0], keys...)
}

// Open calls f with every attempt that has not ended.
func (l *EventExecutor) Open(f func(slot int32, a *Attempt)) {
	for slot := range l.slots {
		if a := &l.slots[slot]; a.state != ended {
			f(int32(slot), a)
		}
	}
}

func (l *EventExecutor) Advance(_ context.Context, a *Arrivals) {
	if l.Retries == nil {
		l.dispatches = a.Shaped
	}
	if a.Descriptors != nil && !l.multiPolicy {
		l.multiPolicy = true
		l.rows.carry()
	}
	for i, t := range a.Time {
		l.runUntil(t)
		slot := l.open()
		s := &l.slots[slot]
		s.Index, s.Fresh, s.Try = a.First+int64(i), a.First+int64(i), 0
		s.Cost, s.Key, s.Tenant, s.Client = a.Cost[i], a.Key[i], a.Tenant[i], a.Client[i]
		if l.multiPolicy {
			l.carry(slot, a.Keys(i))
		}
		reference := int64(0)
		if l.ReferenceMode == ImmediateReference {
			reference = a.Admitted[i]
		}
		l.arrive(t, slot, reference)
	}
	if n := len(a.Time); n > 0 {
		l.mergeReference(a.Time[n-1])
	}
}

// arrive takes the attempt in a slot, of which the reference lets through so
// much at once.
func (l *EventExecutor) arrive(t int64, slot int32, reference int64) {
	l.now = t
	s := &l.slots[slot]
	s.Arrival, s.entered, s.waited = t, t, 0
	s.state, s.timedOut = arrived, false
	if l.Retries != nil {
		s.Index = l.attempts
		l.attempts++
		l.shape(s)
	}
	index := s.Index
	l.rows.arrive(t, s, l.carried(slot), reference)
	l.limiter.Arrive(t, slot)
	if s := &l.slots[slot]; s.state == arrived && s.Index == index {
		s.state = waiting
		l.waiting++
		l.Recorder.Waiting(t, l.waiting)
	}
}

// runUntil runs everything due at or before t: completions first, so that what
// they give back is there for a tick of the same instant, and retries last, as
// what arrives then.
func (l *EventExecutor) runUntil(t int64) {
	for {
		due, completion, retry := l.events.Next(t), Never, Never
		if l.Guard != nil {
			completion = l.Guard.next()
		}
		if l.Retries != nil {
			retry = l.callers.next(t)
		}
		switch next := min(completion, due, retry); {
		case next > t:
			l.mergeReference(t)
			return
		case retry < min(completion, due):
			l.mergeReference(retry)
			l.retry()
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

// mergeReference makes rows of what the reference has let through up to t.
func (l *EventExecutor) mergeReference(t int64) {
	if l.ReferenceMode == ShapingReference {
		l.merge(t)
	}
}

func (l *EventExecutor) merge(t int64) {
	if l.Retries != nil {
		// The lane's own reference has run no further than the lane itself.
		for _, list := range [][]Dispatch{l.dispatches, l.Retries.shaped.Until(t)} {
			for i := range list {
				l.dispatched(&list[i])
			}
		}
		l.dispatches = l.dispatches[:0]
		return
	}
	for len(l.dispatches) > 0 && l.dispatches[0].Time <= t {
		l.dispatched(&l.dispatches[0])
		l.dispatches = l.dispatches[1:]
	}
}

// dispatched is a row for what the reference let through.
func (l *EventExecutor) dispatched(d *Dispatch) {
	l.rows.add(d.Time, &Attempt{Key: d.Key, Tenant: d.Tenant, Client: d.Client}, nil, 0, 0, 0, d.Cost)
}

// Schedule asks for Fire at t, not before now.
func (l *EventExecutor) Schedule(t int64, kind uint32, ref int32) {
	l.seq++
	l.events.Push(Event{Time: t, Seq: l.seq, Kind: kind, Ref: ref})
}

// Asks says that from now on the attempt in the slot does not wait inside the
// limiter: its call is on the network.
func (l *EventExecutor) Asks(slot int32) {
	s := &l.slots[slot]
	l.leave(s)
	s.state = inFlight
}

// Waits says that from now on the attempt in the slot waits inside the limiter
// again, after its call has come back.
func (l *EventExecutor) Waits(slot int32) {
	s := &l.slots[slot]
	if s.state != waiting {
		s.state, s.entered = waiting, l.now
		l.waiting++
		l.Recorder.Waiting(l.now, l.waiting)
	}
}

// leave ends an attempt's wait inside the limiter, where it is one.
func (l *EventExecutor) leave(s *Attempt) {
	if s.state == waiting {
		s.waited += l.now - s.entered
		l.waiting--
		l.Recorder.Waiting(l.now, l.waiting)
	}
}

// TimedOut says that the remote call of the attempt in the slot has timed out.
func (l *EventExecutor) TimedOut(slot int32) { l.slots[slot].timedOut = true }

// Admit lets the attempt in the slot through now.
func (l *EventExecutor) Admit(slot int32, cause counter.Cause) {
	s := &l.slots[slot]
	reference := int64(0)
	if l.ReferenceMode == Itself {
		reference = s.Cost
	}
	l.rows.end(l.now, s, l.carried(slot), s.Cost, 0, reference)
	l.close(slot, s, counter.MakeVerdict(true, cause))
	if l.Guard != nil {
		l.Guard.enter(l.now, s.Key, s.Client, s.Cost)
	}
}

// Reject refuses the attempt in the slot now.
func (l *EventExecutor) Reject(slot int32, cause counter.Cause) {
	s := &l.slots[slot]
	l.rows.end(l.now, s, l.carried(slot), 0, s.Cost, 0)
	l.close(slot, s, counter.MakeVerdict(false, cause))
	if l.Retries != nil {
		l.scheduleRetry(slot, s)
	}
}

// open is a free slot.
func (l *EventExecutor) open() int32 { return Take(&l.slots, &l.free) }

// close ends the attempt in a slot, which keeps it until the slot is used again.
func (l *EventExecutor) close(slot int32, s *Attempt, v counter.Verdict) {
	l.leave(s)
	s.state = ended
	l.free = append(l.free, slot)
	o := l.outcomes.next()
	fill(o, s, l.now, v)
	if l.DecisionLog != nil {
		level, retryAt := inspectAll(l.Keys(slot), l.now, func(key int32) (int64, int64) { return l.limiter.Inspect(key, l.now, s.Cost) })
		l.DecisionLog.Decision(o, l.carried(slot), level, retryAt)
	}
}

func (l *EventExecutor) Finish(_ context.Context, end int64, shaped []Dispatch) {
	if l.Retries == nil {
		l.dispatches = shaped
	}
	l.runUntil(end - 1)
	l.rows.flush()
	l.limiter.Finish(l.Recorder)
	var left []int32
	l.Open(func(slot int32, _ *Attempt) { left = append(left, slot) })
	slices.SortFunc(left, func(a, b int32) int { return cmp.Compare(l.slots[a].Index, l.slots[b].Index) })
	for _, slot := range left {
		o := l.outcomes.next()
		fill(o, &l.slots[slot], end, counter.Rejected)
		o.Waiting = true
		if l.DecisionLog != nil {
			l.DecisionLog.Decision(o, l.carried(slot), UnknownLevel, counter.Never)
		}
	}
	l.outcomes.flush()
	l.Recorder.Close(end)
}
