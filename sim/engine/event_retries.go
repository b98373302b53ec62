package engine

import "github.com/limitgauge/limitgauge/algorithms/counter"

// retrying is the part of an EventExecutor's state that concerns retries.
type retrying struct {
	attempts int64 // attempts so far
	callers  callers
	single   single
}

// scheduleRetry schedules the retry of the rejected attempt in slot, if the
// caller retries.
func (l *EventExecutor) scheduleRetry(slot int32, s *Attempt) {
	r := l.Retries
	if !r.tries(s.Try) || s.timedOut && !r.timedOut {
		return
	}
	at := l.now
	if r.named {
		if at = l.retryAt(slot, s.Cost); at == counter.Never {
			return
		}
	}
	wait := r.wait(s.Fresh, s.Try)
	if wait > Never-at {
		return
	}
	c := caller{at + wait, placeOf(s.Fresh, s.Try+1), s.Cost, s.Key, s.Tenant, s.Client, 0}
	if l.multiPolicy {
		c.carried = l.callers.keep(l.keys[slot])
	}
	l.callers.push(c)
}

// retryAt returns the time from which all keys of an attempt would admit it, as
// the limiter reports it.
func (l *EventExecutor) retryAt(slot int32, cost int64) int64 {
	_, at := inspectAll(l.Keys(slot), l.now, func(key int32) (int64, int64) { return l.limiter.Inspect(key, l.now, cost) })
	return at
}

// retry makes the first retry that is due.
func (l *EventExecutor) retry() {
	c := l.callers.pop()
	t, slot := c.time, l.open()
	s := &l.slots[slot]
	s.Fresh, s.Try, s.Cost = c.place/maxTries, uint16(c.place%maxTries), c.cost
	s.Key, s.Tenant, s.Client = c.key, c.tenant, c.client
	if l.multiPolicy {
		l.carry(slot, l.callers.kept(c.carried))
	}
	l.arrive(t, slot, 0)
}

// shape passes an attempt that arrives to the executor's own shaping reference.
func (l *EventExecutor) shape(s *Attempt) {
	if l.ReferenceMode == ShapingReference {
		l.dispatches = append(l.dispatches, l.Retries.shaped.Advance(l.single.of(s))...)
	}
}

// single is a block of one attempt.
type single struct {
	arrivals            Arrivals
	time, cost          [1]int64
	key, tenant, client [1]int32
}

func (b *single) of(s *Attempt) *Arrivals {
	b.time[0], b.cost[0] = s.Arrival, s.Cost
	b.key[0], b.tenant[0], b.client[0] = s.Key, s.Tenant, s.Client
	if b.arrivals.Time == nil {
		b.arrivals = Arrivals{Time: b.time[:], Key: b.key[:], Tenant: b.tenant[:], Client: b.client[:], Cost: b.cost[:]}
	}
	return &b.arrivals
}
