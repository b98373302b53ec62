package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

// scheduleRetry schedules the retry of the rejected attempt in slot, if the
// caller retries.
func (l *EventExecutor) scheduleRetry(slot int32, s *Attempt) {
	r := l.Retries
	if !r.Tries(s.Try) || s.timedOut && !r.timedOut {
		return
	}
	at := l.now
	if r.named {
		if _, at = l.inspect(slot); at == counting.Never {
			return
		}
	}
	wait := r.Wait(s.Fresh, s.Try)
	if wait > Never-at {
		return
	}
	c := caller{at + wait, placeOf(s.Fresh, s.Try+1), s.Cost, s.Key, s.Tenant, s.Client, 0}
	if l.multiPolicy || l.settles {
		c.carried = l.callers.keep(&l.baggage[slot])
	}
	l.callers.push(c)
}

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
	t, slot := c.time, l.slots.Take()
	s := l.slots.At(slot)
	s.Fresh, s.Try, s.Cost = c.place/maxTries, uint16(c.place%maxTries), c.cost
	s.Key, s.Tenant, s.Client = c.key, c.tenant, c.client
	if l.multiPolicy || l.settles {
		l.carry(slot).set(l.callers.kept(c.carried))
	}
	l.arrive(t, slot, 0)
}
