package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

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
func (l *EventExecutor) Admit(slot int32, cause counting.Cause) {
	l.Settle(slot, counting.MakeVerdict(true, cause))
}

func (l *EventExecutor) admit(slot int32, v counting.Verdict) {
	s := l.slots.At(slot)
	reference := int64(0)
	if l.ReferenceMode == Itself {
		reference = s.Cost
	}
	l.rows.end(l.now, s, l.carried(slot), s.Cost, 0, reference)
	l.close(slot, s, v)
	caller := noWorker
	if l.Workers != nil {
		l.Workers.meter.Admit(l.now, s.Cost)
		if caller = l.Workers.caller(slot); caller != noWorker && l.Workers.waits(caller, s) {
			l.Workers.workers[caller].process.admitted()
			l.Workers.admitted(l.now, s.Arrival, caller, l.Guard != nil)
		}
	}
	if l.budgets != nil && caller == noWorker {
		l.spends(slot, s)
	}
	if l.Guard != nil {
		fresh, try := triedAt(s.place)
		call := noCall
		if caller == noWorker {
			call = l.decided(slot, s)
		}
		l.Guard.enter(l.now, guarded{number: fresh, arrived: s.Arrival, key: s.Key, client: s.Client, cost: s.Cost, caller: caller, call: call, try: int32(try), tenant: s.Tenant})
	}
}

// Reject ends the attempt in slot with a rejection at the current time.
func (l *EventExecutor) Reject(slot int32, cause counting.Cause) {
	l.Settle(slot, counting.MakeVerdict(false, cause))
}

func (l *EventExecutor) reject(slot int32, v counting.Verdict) {
	s := l.slots.At(slot)
	l.rows.end(l.now, s, l.carried(slot), 0, s.Cost, 0)
	if l.ReferenceMode == Itself {
		l.rows.refuse(s.Cost)
	}
	l.close(slot, s, v)
	if l.Workers != nil {
		if caller := l.Workers.caller(slot); caller != noWorker {
			if l.Workers.waits(caller, s) {
				l.refused(slot, caller, s.timedOut)
			}
			return
		}
	}
	if l.Retries != nil && !l.left(slot, s) {
		l.scheduleRetry(slot, s)
	}
}

// Settle ends the attempt in slot as the verdict says.
func (l *EventExecutor) Settle(slot int32, v counting.Verdict) {
	if l.sidecar != nil {
		l.sidecar.decided(slot, v)
		return
	}
	l.settle(slot, v)
}

// settle is Settle at the gateway.
func (l *EventExecutor) settle(slot int32, v counting.Verdict) {
	if v.Admitted() {
		l.admit(slot, v)
	} else {
		l.reject(slot, v)
	}
}

// close ends the attempt in slot. The slot keeps it until the next attempt uses
// the slot.
func (l *EventExecutor) close(slot int32, s *Attempt, v counting.Verdict) {
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
