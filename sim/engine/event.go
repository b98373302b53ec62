package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
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
	settles     bool       // costs become known with the answer
	baggage     []baggage  // by slot, if multiPolicy or settles
	dispatches  []Dispatch // of the reference, not yet recorded
	attempts    int64      // so far, if callers retry
	steps       uint       // events run
	callers     retrying
	calls       Pool[call]      // that are retried without an answer in time
	expected    map[int32]int32 // those of attempts that the limiter has not decided, by slot
	patient     bool            // callers retry without an answer in time
	budgets     *budgets        // of retries; nil without any
	stage       uint32          // of the limiter that runs, in the kinds of its events

	// Ahead, if it is not nil, runs what the limiter does elsewhere up to a time, or to
	// the first instant at which that schedules an event. It reports whether one was.
	Ahead func(until int64) bool
}

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
	if b.Retries != nil {
		if l.budgets = b.Retries.budgets; l.budgets != nil {
			l.budgets.senders = b.Workers.stride()
		}
	}
	if b.Guard != nil && (b.Retries.OnAnswers() || l.budgets != nil) {
		b.Guard.onServed = l.served
	}
	if l.patient = b.Guard != nil && (b.Retries.patient() || b.Workers.patient()); l.patient {
		l.expected = map[int32]int32{}
	}
	if w := b.Workers; w != nil {
		if b.Guard != nil {
			b.Guard.workers = w
		}
		l.settles = w.settles
		if l.multiPolicy = w.several; w.several {
			l.rows.descriptors.Reset()
		}
	}
	return l
}

// Run sets the handler, which needs the executor to exist first.
func (l *EventExecutor) Run(limiter Handler) { l.limiter = limiter }

func (l *EventExecutor) Advance(ctx context.Context, a *Arrivals) {
	if l.Retries == nil {
		l.dispatches = a.Shaped
	}
	if a.Descriptors != nil && !l.multiPolicy {
		l.multiPolicy = true
		l.rows.descriptors.Reset()
	}
	l.settles = a.Estimate != nil
	stride := l.Workers.stride()
	fresh := a.First * stride
	for i, t := range a.Time {
		if !l.runUntil(ctx, t) {
			return
		}
		slot := l.slots.Take()
		s := l.slots.At(slot)
		s.Index, s.place = a.First+int64(i), placeOf(fresh, 0)
		fresh += stride
		s.Cost, s.Key, s.Tenant, s.Client = a.Cost[i], a.Key[i], a.Tenant[i], a.Client[i]
		if l.multiPolicy {
			l.carry(slot).setKeys(a.Keys(i))
		}
		if l.settles {
			b := l.carry(slot)
			b.estimate, b.answer = a.Estimate[i], a.Answer[i]
		}
		if l.Retries != nil && l.Retries.grows {
			l.carry(slot).last = 0
		}
		if l.budgets != nil {
			l.budgets.sent(t, s.place)
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
	index := s.Index
	l.ask(l.limiter, t, slot)
	if s = l.slots.At(slot); l.patient && s.state != ended && s.Index == index {
		l.undecided(slot, s)
	}
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
// completions run first, so that other events see what they return, then timers of the
// limiter, then ends of answers; calls of workers and retries run last, like arrivals.
// Callers may retry millions of times between two arrivals, so it also checks ctx and
// returns false once ctx has ended.
func (l *EventExecutor) runUntil(ctx context.Context, t int64) bool {
	for {
		if l.steps++; l.steps%4096 == 0 && ctx.Err() != nil {
			return false
		}
		due, completion, retry := l.events.Next(t), Never, Never
		if l.Guard != nil {
			completion = l.Guard.next()
		}
		if l.Retries != nil {
			retry = l.callers.next(t)
		}
		own := Never
		if l.Workers != nil {
			own = l.Workers.next(t)
		}
		next := min(completion, due, retry, own)
		if l.Ahead != nil && l.Ahead(min(next, t)) {
			continue
		}
		switch {
		case next > t:
			l.mergeReference(t)
			return true
		case own < min(completion, due) && own <= retry:
			l.mergeReference(own)
			l.work(own)
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

// Schedule makes the executor call Fire at t, which must not be before the
// current time.
func (l *EventExecutor) Schedule(t int64, kind uint32, ref int32) {
	l.seq++
	l.events.Push(Event{Time: t, Seq: l.seq, Kind: kind | l.stage, Ref: ref})
}

func (l *EventExecutor) Finish(ctx context.Context, end int64, shaped []Dispatch) {
	if l.Retries == nil {
		l.dispatches = shaped
	}
	l.runUntil(ctx, end-1)
	l.rows.flush()
	var left []int32
	for slot := range l.slots.items {
		if l.slots.items[slot].state != ended {
			left = append(left, int32(slot))
		}
	}
	slices.SortFunc(left, func(a, b int32) int { return cmp.Compare(l.slots.At(a).Index, l.slots.At(b).Index) })
	for _, slot := range left {
		o := l.outcomes.next()
		fill(o, l.slots.At(slot), end, counting.Rejected)
		o.Waiting = true
		if l.DecisionLog != nil {
			l.DecisionLog.Decision(o, l.Keys(slot), UnknownLevel, counting.Never)
		}
	}
	l.outcomes.flush()
	l.Sinks.close(end)
}
