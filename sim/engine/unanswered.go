package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

// call is a request whose caller sends it again if no answer comes in time. The retry is
// scheduled at once, and dropped if it is not needed.
type call uint8

const (
	open      call = iota
	inTime         // refused or answered: the retry is dropped
	tooLate        // refused or answered after the timeout, before the retry
	sentAgain      // retried, and neither refused nor answered yet
)

const noCall = int32(-1)

// mostPatient is the longest time in ns that a caller waits: longer than any run, and no sum
// with a time of one overflows.
const mostPatient = Never / 2

// OnAnswers reports whether callers also retry for answers of the backend that are late or
// errors, and not for refusals alone.
func (r *Retries) OnAnswers() bool { return r != nil && (r.late || r.failed) }

// expect schedules the retry of an admitted attempt for the case that its answer is late,
// and returns the call, or noCall.
func (l *EventExecutor) expect(s *Attempt) int32 {
	r := l.Retries
	if r == nil || !r.late {
		return noCall
	}
	fresh, try := triedAt(s.place)
	gives := s.Arrival + r.timeout
	wait, again := r.afterAnswer(gives, fresh, try)
	switch {
	case l.budgets != nil:
		wait = 0 // see gaveUp
	case !again:
		return noCall
	}
	id := l.calls.Add(open)
	l.callers.push(caller{max(l.now, gives+min(wait, Never-1-gives)), s.place + 1, s.Cost, s.Key, s.Tenant, s.Client, noCall - 1 - id})
	return id
}

// patient reports whether callers retry when no answer comes in time.
func (r *Retries) patient() bool { return r != nil && r.late }

// undecided lets the caller of an attempt that the limiter has not decided wait for an
// answer from its arrival on.
func (l *EventExecutor) undecided(slot int32, s *Attempt) {
	if w := l.Workers; w != nil && int(slot) < len(w.of) && w.of[slot] != noWorker {
		w.await(s.Arrival, w.of[slot])
		return
	}
	if id := l.expect(s); id != noCall {
		l.expected[slot] = id
	}
}

// decided returns the call of an admitted attempt, or noCall.
func (l *EventExecutor) decided(slot int32, s *Attempt) int32 {
	id, known := l.expected[slot]
	if !known {
		return l.expect(s)
	}
	delete(l.expected, slot)
	return id
}

// left reports whether the caller of a refused attempt has not waited for the refusal.
func (l *EventExecutor) left(slot int32, s *Attempt) bool {
	late := l.Retries.late && l.now-s.Arrival > l.Retries.timeout
	if id, known := l.expected[slot]; known {
		delete(l.expected, slot)
		late = l.ends(id, late)
	}
	return late
}

// ends notes that a call is refused or answered, in time or late, and reports whether its
// caller has left it before.
func (l *EventExecutor) ends(id int32, late bool) (left bool) {
	switch at := l.calls.At(id); {
	case *at == sentAgain:
		l.calls.Release(id)
	case late:
		*at = tooLate
	default:
		*at = inTime
		return false
	}
	return true
}

// afterAnswer returns the wait before the retry of a call without a good answer, for which
// no limiter names a time, and whether there is one.
func (r *Retries) afterAnswer(now, fresh, try int64) (wait int64, again bool) {
	if !r.Tries(try) {
		return 0, false
	}
	return r.Next(now, UnknownLevel, counting.Never, fresh, try, 0)
}

// stillOpen reports whether a retry that expect has scheduled is due to be made.
func (l *EventExecutor) stillOpen(c *caller) bool {
	id := noCall - 1 - c.carried
	switch at := l.calls.At(id); *at {
	case open:
		*at = sentAgain
		return true
	case tooLate:
		l.calls.Release(id)
		return true
	}
	l.calls.Release(id)
	return false
}

// served notes the answer to a call, and schedules a retry if it is an error.
func (l *EventExecutor) served(now int64, g guarded) {
	r := l.Retries
	late := r.late && now-g.arrived > r.timeout
	if g.call != noCall {
		late = l.ends(g.call, late)
	}
	again := g.failed && r.failed && !late
	if l.budgets != nil && !late {
		l.budgets.ended(l.budgets.of(g.number), int64(g.try), again)
	}
	if again {
		l.resend(caller{now, placeOf(g.number, int64(g.try)) + 1, g.cost, g.key, g.tenant, g.client, 0})
	}
}

// resend schedules the retry c of a call that has got no good answer by its time, if there is
// one.
func (l *EventExecutor) resend(c caller) {
	fresh, try := triedAt(c.place - 1)
	wait, again := l.Retries.afterAnswer(c.time, fresh, try)
	if again && wait <= Never-c.time && l.budgets.affords(c.time, fresh) {
		c.time += wait
		l.callers.push(c)
	}
}
