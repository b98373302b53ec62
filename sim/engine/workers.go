package engine

import (
	"context"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Workers are the callers of a row that wait for the answer to each call before they take
// the next job. What they send depends on what the limiter decides, so each row has
// workers of its own; the jobs are the same for all rows.
//
// A worker takes the next job of its entry's stock, passes the pace of its process, takes
// a permit of it, first in, first out, and sends; every attempt does so. An admitted one
// returns the permit when its answer ends, a refused one at once.
type Workers struct {
	crews    []*crew
	workers  []worker
	meter    *measure.JobMeter
	stop     bool  // a worker ends when it gives a job up
	senders  int64 // entries of workers, and one more if others send, too: requests are numbered in turn
	mostCost int64 // the largest cost that all limits can admit at once
	tried    bool  // the row is a limit that is tried: workers end, and not the run
	stuck    bool  // they have ended, because they did not leave an instant
	several  bool  // requests carry descriptors
	settles  bool  // costs become known with the answer

	answers EventQueue // ends of answers; Ref is a worker
	turns   EventQueue // what workers do otherwise, in the order in which it was scheduled
	seq     int64
	instant int64   // the present one
	done    int     // turns and ends of answers at it
	of      []int32 // by slot of an attempt: the worker whose call it is, or noWorker
}

const noWorker = int32(-1)

// crew is an entry of workers while it runs.
type crew struct {
	*traffic.Crew
	jobs      *traffic.JobStream
	next      int64 // number of the next job
	sender    int64 // number of the entry among those that send
	first     int32 // its first worker
	think     ServiceTime
	retries   *Retries // with the stream of the entry
	processes []process
}

// worker is a caller that has at most one job at a time.
type worker struct {
	crew                *crew
	process             *process
	job                 int64   // number of its job in the entry
	cost                int64   // of its call
	estimate            int64   // of that cost
	answer, think       int64   // ns
	taken               int64   // when it took the job, in ns
	try                 int64   // retries of the job so far
	last                int64   // ns of the wait before the last of them
	keys                []int32 // if requests carry descriptors
	key, tenant, client int32
	state               measure.WorkerState
	patience            int64 // Seq of the event at which it gives up the call in the backend; 0 for none
	next                deed  // at its turn
}

// deed is what a worker does at its turn. It is not the kind of an event, by which events
// of one instant would be ordered.
type deed uint8

const (
	takes deed = iota // takes the next job
	paces             // passes the pace
	asks              // takes a permit
	sends             // sends, with a permit
)

// NewWorkers returns the workers of a row in one replication; c is what its callers do.
func NewWorkers(s *Setting, c *scenarios.Callers, plan *traffic.Plan, replication int, meter *measure.JobMeter) *Workers {
	w := &Workers{meter: meter, stop: c != nil && c.Stop, several: s.MultiPolicy(), settles: s.Settles, mostCost: s.mostAdmitted()}
	w.senders = int64(len(plan.Crews()))
	others := plan.Sends()
	if others {
		w.senders++
	}
	for i, t := range plan.Crews() {
		stream := func(what string) random.Stream { return random.New(s.Scenario.Seed, replication, t.Name+"/"+what) }
		m := &crew{Crew: t, jobs: t.Open(s.Scenario.Seed, replication), sender: int64(i), first: int32(len(w.workers)), think: ServiceOf(t.Think, stream("think"))}
		if others {
			m.sender++
		}
		var retries *scenarios.Retries
		if c != nil {
			retries = c.Retry
		}
		m.retries = NewRetries(retries, s.Scenario.Patience(retries), stream("retries"), nil, nil)
		m.retries.draws = jobDraws
		m.processes = newProcesses(c, t.MaxEstimate())
		w.crews = append(w.crews, m)
		for k := range t.Workers {
			w.workers = append(w.workers, worker{crew: m, process: &m.processes[k%int64(len(m.processes))]})
			w.later(t.From+integers.MulDiv(k, t.Start, t.Workers, t.Start), takes, int32(len(w.workers)-1))
		}
	}
	return w
}

// mostAdmitted returns the largest cost that all policies can admit at once, unless a
// limiter lets requests go into debt.
func (s *Setting) mostAdmitted() int64 {
	if !s.MultiPolicy() {
		return max(s.Limit.Count, s.Limit.Burst)
	}
	most := int64(math.MaxInt64)
	for _, p := range s.Policies {
		if !p.Requests {
			most = min(most, max(p.Limit.Count, p.Limit.Burst))
		}
	}
	return most
}

// later schedules a turn.
func (w *Workers) later(at int64, what deed, ref int32) {
	w.seq++
	w.workers[ref].next = what
	w.turns.Push(Event{Time: at, Seq: w.seq, Ref: ref})
}

// Try makes workers that do not leave an instant end, instead of the run.
func (w *Workers) Try() { w.tried = true }

// Stuck reports whether workers have ended so.
func (w *Workers) Stuck() bool { return w != nil && w.stuck }

// next returns the time of the next end of an answer or turn, if it is not after t.
func (w *Workers) next(t int64) int64 {
	if w.stuck {
		return Never
	}
	return min(w.answers.Next(t), w.turns.Next(t))
}

// work makes what workers do next, at now.
func (l *EventExecutor) work(now int64) {
	w := l.Workers
	l.now = now
	if !w.goesOn(now) {
		return
	}
	if w.answers.Next(now) <= now {
		if e := w.answers.Pop(); e.Kind == answerEnds {
			w.answered(now, e.Ref)
		} else {
			w.gaveUp(now, e)
		}
		return
	}
	e := w.turns.Pop()
	switch w.workers[e.Ref].next {
	case takes:
		if !w.take(now, e.Ref) {
			return
		}
		fallthrough
	case paces:
		if wait := w.workers[e.Ref].pace(now); wait > 0 {
			w.move(now, e.Ref, measure.Pacing)
			w.later(now+min(wait, Never-now), asks, e.Ref)
			return
		}
		fallthrough
	case asks:
		if !w.workers[e.Ref].process.enter(e.Ref) {
			w.move(now, e.Ref, measure.Permitting)
			return
		}
	}
	l.send(now, e.Ref)
}

// goesOn ends the trial if workers do too much at one instant to ever leave it. Where a
// limit is tried it returns false instead, after less, since a search tries many.
func (w *Workers) goesOn(now int64) bool {
	if now != w.instant {
		w.instant, w.done = now, 0
	}
	w.done++
	switch most := 8 * len(w.workers); {
	case w.tried:
		w.stuck = w.done > mostWaiting/16+most
	case w.done > mostWaiting+most:
		panic(&Crowd{"workers call again and again at one instant", "let them wait: with think, a pace, or a wait before retries"})
	}
	return !w.stuck
}

// move notes what a worker does from now on.
func (w *Workers) move(now int64, ref int32, to measure.WorkerState) {
	x := &w.workers[ref]
	if x.state != to {
		w.meter.Move(now, x.state, to)
		x.state = to
	}
}

// take gives a worker the next job of its entry. It returns false if the worker ends,
// because there is none.
func (w *Workers) take(now int64, ref int32) bool {
	x := &w.workers[ref]
	c := x.crew
	if now >= c.To || !c.jobs.Next() {
		w.move(now, ref, measure.Away)
		return false
	}
	b, i, number := c.jobs.Block, c.jobs.Row, ref-c.first
	x.job, x.try, x.last, x.taken = c.next, 0, 0, now
	c.next++
	x.cost, x.estimate, x.answer, x.think = b.Cost[i], b.Estimate[i], b.Answer[i], c.think.Draw()
	x.key, x.tenant, x.client = b.Key[i], c.Tenant(number, b.Tenant[i]), c.Client(number, b.Client[i])
	if w.several {
		x.keys = append(x.keys[:0], b.Descriptors.Of(i)...)
	}
	if c.Stock == 0 {
		w.meter.Took(now)
	}
	return true
}

// stride returns the distance between the numbers of two fresh requests of one sender. Those
// that are no workers have the multiples of it.
func (w *Workers) stride() int64 {
	if w == nil {
		return 1
	}
	return w.senders
}

// number returns the number of a worker's job among the fresh requests of all senders.
func (w *Workers) number(x *worker) int64 { return x.job*w.senders + x.crew.sender }

// send sends the call of a worker's job.
func (l *EventExecutor) send(now int64, ref int32) {
	w := l.Workers
	x := &w.workers[ref]
	w.move(now, ref, measure.Deciding)
	if x.try > 0 {
		w.meter.Retry(now)
	}
	slot := l.slots.Take()
	for int(slot) >= len(w.of) {
		w.of = append(w.of, noWorker)
	}
	w.of[slot] = ref
	x.process.began(now, x.try)
	s := l.slots.At(slot)
	s.place, s.Cost = placeOf(w.number(x), min(x.try, maxTry)), x.cost
	s.Key, s.Tenant, s.Client = x.key, x.tenant, x.client
	if w.several {
		l.carry(slot).setKeys(x.keys)
	}
	if w.settles {
		b := l.carry(slot)
		b.estimate, b.answer = x.estimate, x.answer
	}
	l.arrive(now, slot, 0)
}

// caller returns the worker whose call the attempt in slot is, and forgets it, or
// noWorker.
func (w *Workers) caller(slot int32) int32 {
	if int(slot) >= len(w.of) {
		return noWorker
	}
	ref := w.of[slot]
	w.of[slot] = noWorker
	return ref
}

// Kinds of events of answers: an answer ends before a caller gives up at the same instant.
const (
	answerEnds uint32 = iota
	patienceEnds
)

// admitted begins the answer of an admitted call that arrived at this time, unless a
// backend serves it first.
func (w *Workers) admitted(now, arrived int64, ref int32, guarded bool) {
	w.move(now, ref, measure.Answering)
	x := &w.workers[ref]
	switch r := x.crew.retries; {
	case !guarded:
		w.seq++
		w.answers.Push(Event{Time: now + min(x.answer, Never-now), Seq: w.seq, Kind: answerEnds, Ref: ref})
	case r.late:
		w.await(arrived, ref)
	}
}

// patient reports whether workers give up a call when no answer comes in time.
func (w *Workers) patient() bool {
	return w != nil && slices.ContainsFunc(w.crews, func(c *crew) bool { return c.retries.patient() })
}

// await lets a worker give its call up when its patience ends, unless that is known.
func (w *Workers) await(arrived int64, ref int32) {
	if x := &w.workers[ref]; x.patience == 0 {
		w.seq++
		x.patience = w.seq
		w.answers.Push(Event{Time: arrived + x.crew.retries.timeout, Seq: w.seq, Kind: patienceEnds, Ref: ref})
	}
}

// waits reports whether a worker still waits for the decision on an attempt.
func (w *Workers) waits(ref int32, s *Attempt) bool {
	x := &w.workers[ref]
	return x.state == measure.Deciding && placeOf(w.number(x), min(x.try, maxTry)) == s.place
}

// served begins the answer of a call that the backend has served, or retries one that it
// answered with an error. Nobody waits for a call that its worker has given up.
func (w *Workers) served(now int64, g guarded) {
	x := &w.workers[g.caller]
	r := x.crew.retries
	if x.state != measure.Answering || w.number(x) != g.number || min(x.try, maxTry) != int64(g.try) {
		return
	}
	x.patience = 0
	if g.failed && r.failed {
		w.unanswered(now, g.caller)
		return
	}
	w.admitted(now, g.arrived, g.caller, false)
}

// gaveUp retries a call whose worker has waited long enough, unless it is answered.
func (w *Workers) gaveUp(now int64, e Event) {
	if x := &w.workers[e.Ref]; x.patience == e.Seq {
		x.patience = 0
		w.unanswered(now, e.Ref)
	}
}

// unanswered retries the call of a worker that got no good answer, or gives its job up.
func (w *Workers) unanswered(now int64, ref int32) {
	x := &w.workers[ref]
	w.leave(now, x, true)
	wait, again := x.crew.retries.afterAnswer(now, x.job, x.try)
	w.again(now, ref, wait, again)
}

// answered ends the job of a worker, whose answer has ended.
func (w *Workers) answered(now int64, ref int32) {
	x := &w.workers[ref]
	w.leave(now, x, false)
	w.meter.End(now, x.taken, ref, true)
	w.rest(now, ref)
}

// leave ends the call of a worker and returns its permit, which goes to the one that waits
// longest.
func (w *Workers) leave(now int64, x *worker, refused bool) {
	if next := x.process.leave(); next != noWorker {
		w.later(now, sends, next)
	}
	x.process.ended(x.try, refused)
}

// rest lets a worker think before it takes the next job.
func (w *Workers) rest(now int64, ref int32) {
	w.move(now, ref, measure.Thinking)
	w.later(now+min(w.workers[ref].think, Never-now), takes, ref)
}

// refused retries the call of a worker, which was refused at l.now, or gives its job up.
func (l *EventExecutor) refused(slot, ref int32, timedOut bool) {
	w, now := l.Workers, l.now
	x := &w.workers[ref]
	x.patience = 0
	w.leave(now, x, true)
	wait, again := l.wait(slot, x, timedOut)
	w.again(now, ref, wait, again)
}

// again lets a worker retry its call after a wait, or gives its job up.
func (w *Workers) again(now int64, ref int32, wait int64, again bool) {
	x := &w.workers[ref]
	if again && x.process.affords(now) {
		x.try, x.last = x.try+1, wait
		w.move(now, ref, measure.Retrying)
		w.later(now+min(wait, Never-now), paces, ref)
		return
	}
	w.meter.End(now, x.taken, ref, false)
	if w.stop {
		w.meter.Stopped()
		w.move(now, ref, measure.Away)
		return
	}
	w.rest(now, ref)
}

// wait returns the wait before a refused worker's next retry. It returns false if there is
// none: it would be the last, or no limit can ever admit the call.
func (l *EventExecutor) wait(slot int32, x *worker, timedOut bool) (wait int64, again bool) {
	r := x.crew.retries
	if !r.Tries(x.try) || timedOut && !r.timedOut || !r.refused {
		return 0, false
	}
	level, retryAt := UnknownLevel, counting.Never
	if r.asks() || x.cost > l.Workers.mostCost {
		level, retryAt = l.inspect(slot)
	}
	return r.Next(l.now, level, retryAt, x.job, x.try, x.last)
}

// RunUntil runs everything that is due at or before t, between two blocks of arrivals, and
// returns the number of attempts that arrive in it. It stops when ctx ends.
func (l *EventExecutor) RunUntil(ctx context.Context, t int64) (attempts int64) {
	before := l.attempts
	l.runUntil(ctx, t)
	return l.attempts - before
}
