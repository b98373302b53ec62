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
	// Arrive decides the attempt in slot, or keeps it to decide it later.
	Arrive(now int64, slot int32)
	// Fire runs an event that the handler scheduled.
	Fire(e Event)
	// Inspect returns the cost that a client could still admit for a key at
	// now, and the time from which a request of this cost would be admitted.
	Inspect(key, client int32, now, cost int64) (level, retryAt int64)
	// Finish records the figures that only the handler knows when the trial
	// ends.
	Finish(r *measure.Recorder)
}

// EventExecutor runs a Handler. It processes arrivals, dispatches and the
// dispatches of the reference one at a time, in time order.
type EventExecutor struct {
	Sinks
	limiter Handler
	sidecar *sidecar // the limiter, if gateways ask it through one; otherwise nil

	now         int64
	seq         int64
	events      EventQueue
	slots       Pool[Attempt]
	waiting     int64
	rows        flowRows
	outcomes    outcomes
	one         [1]int32
	multiPolicy bool       // requests carry descriptors
	keys        [][]int32  // of the attempt in each slot, if multiPolicy
	dispatches  []Dispatch // of the reference, not yet recorded
	attempts    int64      // so far, if callers retry
	callers     callers
	mixed       *mixedHandler // the handler of a fleet of two limiters, otherwise nil
	stage       uint32        // of the limiter that runs, in the kinds of its events
}

// Attempt is the state of a request in flight. It fits one cache line.
type Attempt struct {
	Index   int64 // among all attempts of the trial
	Fresh   int64 // index of the fresh request, equal for all algorithms
	Arrival int64
	Cost    int64
	waited  int64 // ns inside the limiter, without the present wait
	entered int64 // start of the present wait inside the limiter
	Key     int32
	Tenant  int32
	Client  int32

	Try      uint16 // 0 for the fresh request; retries count from 1
	state    attemptState
	timedOut bool
}

// attemptState is the phase that an attempt is in.
type attemptState uint8

const (
	ended    attemptState = iota
	arrived               // being decided at its arrival time
	waiting               // inside the limiter
	inFlight              // on the network: this time is not a wait inside the limiter
	onTheWay              // to or from a sidecar: the limiter does not have the attempt
)

// NewEventExecutor returns an executor without a handler; set one with Run. The
// measured number of waiting requests begins with 0 at start.
func NewEventExecutor(b Sinks, start int64) *EventExecutor {
	if b.host != nil {
		return b.host.executor(start)
	}
	b.Recorder.Waiting(start, 0)
	l := &EventExecutor{Sinks: b, rows: flowRows{recorder: b.Recorder}, outcomes: outcomes{recorder: b.Recorder}}
	if b.Retries != nil && b.ReferenceMode == ImmediateReference {
		l.rows.late = &reference{decider: b.Retries.reference}
	}
	return l
}

// Run sets the handler, which needs the executor to exist first.
func (l *EventExecutor) Run(limiter Handler) { l.limiter = limiter }

// Attempt returns the attempt in an occupied slot.
func (l *EventExecutor) Attempt(slot int32) *Attempt { return l.slots.At(slot) }

// Keys returns all keys of the attempt in slot. The result is valid until the
// next call and while the attempt exists.
func (l *EventExecutor) Keys(slot int32) []int32 {
	if !l.multiPolicy {
		l.one[0] = l.slots.At(slot).Key
		return l.one[:]
	}
	return l.keys[slot]
}

// carried returns the keys of the attempt in slot if requests carry
// descriptors, otherwise nil.
func (l *EventExecutor) carried(slot int32) []int32 {
	if !l.multiPolicy {
		return nil
	}
	return l.keys[slot]
}

// carry stores a copy of keys for the attempt in slot.
func (l *EventExecutor) carry(slot int32, keys []int32) {
	for int(slot) >= len(l.keys) {
		l.keys = append(l.keys, []int32{})
	}
	l.keys[slot] = append(l.keys[slot][:0], keys...)
}

// Open calls f with every attempt that the limiter that runs has not decided.
func (l *EventExecutor) Open(f func(slot int32, a *Attempt)) {
	for slot := range l.slots.items {
		if a := &l.slots.items[slot]; a.state != ended && a.state != onTheWay && (l.mixed == nil || l.mixed.has(int32(slot))) {
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
		l.rows.descriptors.Reset()
	}
	for i, t := range a.Time {
		l.runUntil(t)
		slot := l.slots.Take()
		s := l.slots.At(slot)
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

// arrive processes the arrival of the attempt in slot. The reference admits
// this cost of it on arrival.
func (l *EventExecutor) arrive(t int64, slot int32, reference int64) {
	l.now = t
	s := l.slots.At(slot)
	s.Arrival, s.waited, s.timedOut = t, 0, false
	if l.Retries != nil {
		s.Index = l.attempts
		l.attempts++
		if l.ReferenceMode == ShapingReference {
			l.Retries.shaped.arrive(Dispatch{t, s.Key, s.Tenant, s.Client, s.Cost, false})
		}
	}
	l.rows.arrive(t, s, l.carried(slot), reference)
	l.ask(l.limiter, t, slot)
}

// ask has a limiter decide the attempt in slot, which reaches it at t.
func (l *EventExecutor) ask(limiter Handler, t int64, slot int32) {
	s := l.slots.At(slot)
	s.state, s.entered = arrived, t
	index := s.Index
	limiter.Arrive(t, slot)
	if s := l.slots.At(slot); s.state == arrived && s.Index == index {
		s.state = waiting
		l.waiting++
		l.Recorder.Waiting(t, l.waiting)
	}
}

// runUntil runs everything that is due at or before t. At one instant
// completions run first, so that other events see what they return, and retries
// run last, like arrivals.
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

// mergeReference records what the shaping reference has dispatched and rejected
// up to t.
func (l *EventExecutor) mergeReference(t int64) {
	if l.ReferenceMode == ShapingReference {
		l.merge(t)
	}
}

func (l *EventExecutor) merge(t int64) {
	if l.Retries != nil {
		// This executor's own reference has not run further than the executor.
		l.dispatches = l.Retries.shaped.Until(t)
	}
	for len(l.dispatches) > 0 && l.dispatches[0].Time <= t {
		l.dispatched(&l.dispatches[0])
		l.dispatches = l.dispatches[1:]
	}
}

// dispatched records a dispatch or a rejection of the reference.
func (l *EventExecutor) dispatched(d *Dispatch) {
	a := &Attempt{Key: d.Key, Tenant: d.Tenant, Client: d.Client}
	if d.Rejected {
		l.rows.add(d.Time, a, nil, 0, 0, 0, 0)
		l.rows.refuse(d.Cost)
		return
	}
	l.rows.add(d.Time, a, nil, 0, 0, 0, d.Cost)
}

// Schedule makes the executor call Fire at t, which must not be before the
// current time.
func (l *EventExecutor) Schedule(t int64, kind uint32, ref int32) {
	l.seq++
	l.events.Push(Event{Time: t, Seq: l.seq, Kind: kind | l.stage, Ref: ref})
}

// Asks marks the attempt in slot as in flight: it no longer waits inside the
// limiter.
func (l *EventExecutor) Asks(slot int32) {
	s := l.slots.At(slot)
	l.leave(s)
	s.state = inFlight
}

// Waits marks the attempt in slot as waiting inside the limiter again, after
// its response has arrived.
func (l *EventExecutor) Waits(slot int32) {
	s := l.slots.At(slot)
	if s.state != waiting {
		s.state, s.entered = waiting, l.now
		l.waiting++
		l.Recorder.Waiting(l.now, l.waiting)
	}
}

// leave ends the wait of an attempt inside the limiter, if it waits there.
func (l *EventExecutor) leave(s *Attempt) {
	if s.state == waiting {
		s.waited += l.now - s.entered
		l.waiting--
		l.Recorder.Waiting(l.now, l.waiting)
	}
}

// TimedOut records that the remote call of the attempt in slot has timed out.
func (l *EventExecutor) TimedOut(slot int32) { l.slots.At(slot).timedOut = true }

// Admit admits the attempt in slot at the current time.
func (l *EventExecutor) Admit(slot int32, cause counter.Cause) {
	if l.sidecar != nil {
		l.sidecar.decided(slot, counter.MakeVerdict(true, cause))
		return
	}
	l.admit(slot, cause)
}

func (l *EventExecutor) admit(slot int32, cause counter.Cause) {
	s := l.slots.At(slot)
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

// Reject ends the attempt in slot with a rejection at the current time.
func (l *EventExecutor) Reject(slot int32, cause counter.Cause) {
	if l.sidecar != nil {
		l.sidecar.decided(slot, counter.MakeVerdict(false, cause))
		return
	}
	l.reject(slot, cause)
}

func (l *EventExecutor) reject(slot int32, cause counter.Cause) {
	s := l.slots.At(slot)
	l.rows.end(l.now, s, l.carried(slot), 0, s.Cost, 0)
	if l.ReferenceMode == Itself {
		l.rows.refuse(s.Cost)
	}
	l.close(slot, s, counter.MakeVerdict(false, cause))
	if l.Retries != nil {
		l.scheduleRetry(slot, s)
	}
}

// Settle ends the attempt in slot as the verdict says.
func (l *EventExecutor) Settle(slot int32, v counter.Verdict) {
	if v.Admitted() {
		l.Admit(slot, v.Cause())
	} else {
		l.Reject(slot, v.Cause())
	}
}

// settle is Settle at the gateway.
func (l *EventExecutor) settle(slot int32, v counter.Verdict) {
	if v.Admitted() {
		l.admit(slot, v.Cause())
	} else {
		l.reject(slot, v.Cause())
	}
}

// close ends the attempt in slot. The slot keeps it until the next attempt uses
// the slot.
func (l *EventExecutor) close(slot int32, s *Attempt, v counter.Verdict) {
	l.leave(s)
	s.state = ended
	l.slots.Release(slot)
	o := l.outcomes.next()
	fill(o, s, l.now, v)
	if l.DecisionLog != nil {
		level, retryAt := l.inspect(slot)
		l.DecisionLog.Decision(o, l.Keys(slot), level, retryAt)
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
	for slot := range l.slots.items {
		if l.slots.items[slot].state != ended {
			left = append(left, int32(slot))
		}
	}
	slices.SortFunc(left, func(a, b int32) int { return cmp.Compare(l.slots.At(a).Index, l.slots.At(b).Index) })
	for _, slot := range left {
		o := l.outcomes.next()
		fill(o, l.slots.At(slot), end, counter.Rejected)
		o.Waiting = true
		if l.DecisionLog != nil {
			l.DecisionLog.Decision(o, l.Keys(slot), UnknownLevel, counter.Never)
		}
	}
	l.outcomes.flush()
	l.Recorder.Close(end)
}
