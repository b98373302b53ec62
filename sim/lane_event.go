package sim

import (
	"cmp"
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// limiter is an algorithm whose callers may have to wait. It is told of one
// thing at a time and answers through the lane's admit, reject and schedule.
type limiter interface {
	// arrive decides the attempt in the slot, or keeps it waiting.
	arrive(now int64, slot int32)
	// fire runs something it scheduled.
	fire(e event)
	// completed says that the guarded backend has finished cost it was given.
	completed(now int64, key int32, cost int64)
	inspect(key int32, now, cost int64) (level, retryAt int64)
	// finish reports what only the limiter knows at the end.
	finish(r *measure.Recorder)
}

// eventLane runs a limiter whose callers may wait: one event at a time, with
// arrivals, dispatches and the reference's dispatches merged into one stream.
type eventLane struct {
	limiter  limiter
	recorder *measure.Recorder
	guard    *guard
	tap      *tap
	beside   beside

	now     int64
	seq     int64
	events  eventHeap
	slots   []attempt
	free    []int32
	waiting int64
	rows    *flowRows
	behind  []dispatch      // of the reference, not yet merged
	outcome measure.Outcome // the latest, kept here because what is handed to a meter escapes
}

// beside says which reference a trial is compared with, and so where its flow
// of admitted cost comes from.
type beside uint8

const (
	immediateReference beside = iota // decides at arrival: the attempts' own rows
	shapingReference                 // delays: its dispatches are rows of their own
	itself                           // the trial is that reference
)

// attempt is a request that has arrived and not ended.
type attempt struct {
	index   int64
	arrival int64
	cost    int64
	key     int32
	tenant  int32
	client  int32
	waits   bool // was kept waiting at arrival
	open    bool
}

func newEventLane(t *trial) *eventLane {
	t.recorder.Waiting(t.plan.start, 0)
	return &eventLane{recorder: t.recorder, guard: t.guard, tap: t.tap, beside: t.beside, rows: newFlowRows(t.recorder)}
}

func (l *eventLane) advance(_ context.Context, a *arrivals) {
	l.behind = a.shaped
	for i, t := range a.time {
		l.runUntil(t)
		l.now = t
		slot := l.open(attempt{
			index: a.first + int64(i), arrival: t, cost: a.cost[i],
			key: a.key[i], tenant: a.tenant[i], client: a.client[i], open: true,
		})
		reference := int64(0)
		if l.beside == immediateReference {
			reference = a.admitted[i]
		}
		l.rows.add(t, &l.slots[slot], a.cost[i], 0, 0, reference)
		l.limiter.arrive(t, slot)
		if s := &l.slots[slot]; s.open && s.index == a.first+int64(i) {
			s.waits = true
			l.waiting++
			l.recorder.Waiting(t, l.waiting)
		}
	}
	if n := len(a.time); n > 0 {
		l.mergeReference(a.time[n-1])
	}
}

// runUntil runs everything due at or before t: completions first, so that what
// they give back is there for a tick of the same instant.
func (l *eventLane) runUntil(t int64) {
	for {
		completion, due := never, never
		if l.guard != nil {
			completion = l.guard.next()
		}
		if len(l.events) > 0 {
			due = l.events[0].time
		}
		switch next := min(completion, due); {
		case next > t:
			l.mergeReference(t)
			return
		case completion <= due:
			l.mergeReference(completion)
			l.now = completion
			l.guard.complete()
		default:
			l.mergeReference(due)
			l.now = due
			l.limiter.fire(l.events.pop())
		}
	}
}

func (l *eventLane) mergeReference(t int64) {
	if l.beside != shapingReference {
		return
	}
	for len(l.behind) > 0 && l.behind[0].time <= t {
		d := &l.behind[0]
		l.rows.add(d.time, &attempt{key: d.key, tenant: d.tenant, client: d.client}, 0, 0, 0, d.cost)
		l.behind = l.behind[1:]
	}
}

// schedule asks for fire at t, not before now.
func (l *eventLane) schedule(t int64, kind uint32, ref int32) {
	l.seq++
	l.events.push(event{time: t, seq: l.seq, kind: kind, ref: ref})
}

// admit lets the attempt in the slot through now.
func (l *eventLane) admit(slot int32) {
	s := l.slots[slot]
	l.close(slot, counters.Admitted)
	reference := int64(0)
	if l.beside == itself {
		reference = s.cost
	}
	l.rows.add(l.now, &s, 0, s.cost, 0, reference)
	if l.guard != nil {
		l.guard.enter(l.now, s.key, s.cost)
	}
}

// reject refuses the attempt in the slot now.
func (l *eventLane) reject(slot int32, cause counters.Cause) {
	s := l.slots[slot]
	l.close(slot, counters.MakeVerdict(false, cause))
	l.rows.add(l.now, &s, 0, 0, s.cost, 0)
}

func (l *eventLane) open(a attempt) int32 {
	if n := len(l.free); n > 0 {
		slot := l.free[n-1]
		l.free = l.free[:n-1]
		l.slots[slot] = a
		return slot
	}
	l.slots = append(l.slots, a)
	return int32(len(l.slots) - 1)
}

func (l *eventLane) close(slot int32, v counters.Verdict) {
	s := &l.slots[slot]
	s.open = false
	l.free = append(l.free, slot)
	if s.waits {
		l.waiting--
		l.recorder.Waiting(l.now, l.waiting)
	}
	l.outcome = s.outcome(l.now, v)
	l.recorder.Outcome(&l.outcome)
	if l.tap != nil {
		level, retryAt := l.limiter.inspect(s.key, l.now, s.cost)
		l.tap.decision(&l.outcome, level, retryAt)
	}
}

func (s *attempt) outcome(now int64, v counters.Verdict) measure.Outcome {
	return measure.Outcome{
		Attempt: s.index, Arrival: s.arrival, Decided: now, Dispatched: now,
		Key: s.key, Tenant: s.tenant, Client: s.client, Cost: s.cost, Verdict: v,
	}
}

func (l *eventLane) finish(_ context.Context, end int64, shaped []dispatch) {
	l.behind = shaped
	l.runUntil(end - 1)
	l.rows.flush()
	l.limiter.finish(l.recorder)
	var left []attempt
	for _, s := range l.slots {
		if s.open {
			left = append(left, s)
		}
	}
	slices.SortFunc(left, func(a, b attempt) int { return cmp.Compare(a.index, b.index) })
	for i := range left {
		l.outcome = left[i].outcome(end, counters.Rejected)
		l.outcome.Waiting = true
		l.recorder.Outcome(&l.outcome)
		if l.tap != nil {
			l.tap.decision(&l.outcome, unknownLevel, counters.Never)
		}
	}
	l.recorder.Close(end)
}

// flowRows collects single rows into blocks for the recorder.
type flowRows struct {
	recorder *measure.Recorder
	flow     measure.Flow
}

func newFlowRows(r *measure.Recorder) *flowRows {
	const n = traffic.BlockSize
	return &flowRows{recorder: r, flow: measure.Flow{
		Time: make([]int64, 0, n), Key: make([]int32, 0, n), Tenant: make([]int32, 0, n), Client: make([]int32, 0, n),
		Offered: make([]int64, 0, n), Admitted: make([]int64, 0, n), Rejected: make([]int64, 0, n), Reference: make([]int64, 0, n),
	}}
}

func (r *flowRows) add(t int64, a *attempt, offered, admitted, rejected, reference int64) {
	f := &r.flow
	f.Time = append(f.Time, t)
	f.Key = append(f.Key, a.key)
	f.Tenant = append(f.Tenant, a.tenant)
	f.Client = append(f.Client, a.client)
	f.Offered = append(f.Offered, offered)
	f.Admitted = append(f.Admitted, admitted)
	f.Rejected = append(f.Rejected, rejected)
	f.Reference = append(f.Reference, reference)
	if len(f.Time) == cap(f.Time) {
		r.flush()
	}
}

func (r *flowRows) flush() {
	f := &r.flow
	if len(f.Time) == 0 {
		return
	}
	r.recorder.Flow(f)
	f.Time, f.Key, f.Tenant, f.Client = f.Time[:0], f.Key[:0], f.Tenant[:0], f.Client[:0]
	f.Offered, f.Admitted, f.Rejected, f.Reference = f.Offered[:0], f.Admitted[:0], f.Rejected[:0], f.Reference[:0]
}
