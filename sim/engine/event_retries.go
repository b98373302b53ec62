package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

// scheduleRetry schedules the retry of the rejected attempt in slot, if the
// caller retries.
func (l *EventExecutor) scheduleRetry(slot int32, s *Attempt) {
	r := l.Retries
	fresh, try := triedAt(s.place)
	if l.budgets != nil {
		l.budgets.ended(l.budgets.of(fresh), try, true)
	}
	if !r.Tries(try) || s.timedOut && !r.timedOut || !r.refused {
		return
	}
	level, retryAt := UnknownLevel, counting.Never
	if r.asks() {
		level, retryAt = l.inspect(slot)
	}
	last := int64(0)
	if r.grows {
		last = l.baggage[slot].last
	}
	wait, again := r.Next(l.now, level, retryAt, fresh, try, last)
	if !again || wait > Never-l.now || !l.budgets.affords(l.now, fresh) {
		return
	}
	c := caller{l.now + wait, s.place + 1, s.Cost, s.Key, s.Tenant, s.Client, 0}
	if l.carries() {
		l.baggage[slot].last = wait
		c.carried = l.callers.keep(&l.baggage[slot])
	}
	l.callers.push(c)
}

// carries reports whether callers that retry have baggage.
func (l *EventExecutor) carries() bool { return l.multiPolicy || l.settles || l.Retries.grows }

// inspect returns the cost that the keys of the attempt in slot could still
// admit, and the time from which all of them would admit it.
func (l *EventExecutor) inspect(slot int32) (level, retryAt int64) {
	client := l.slots.At(slot).Client
	cost, _ := l.Estimate(slot)
	return inspectAll(l.Keys(slot), l.now, func(key int32) (int64, int64) { return l.limiter.Inspect(key, client, l.now, cost) })
}

// retry makes the first retry that is due.
func (l *EventExecutor) retry() {
	c := l.callers.pop()
	if c.carried < noCall {
		switch {
		case !l.stillOpen(c):
			return
		case l.budgets != nil:
			l.gaveUp(*c)
			return
		}
	}
	t, slot := c.time, l.slots.Take()
	if l.Workers != nil {
		l.Workers.meter.Retry(t)
	}
	if l.budgets != nil {
		l.budgets.sent(t, c.place)
	}
	s := l.slots.At(slot)
	s.place, s.Cost = c.place, c.cost
	s.Key, s.Tenant, s.Client = c.key, c.tenant, c.client
	if l.carries() {
		l.carry(slot).set(l.callers.kept(c.carried))
	}
	l.arrive(t, slot, 0)
}
