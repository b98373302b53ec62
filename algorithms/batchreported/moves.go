package batchreported

import "slices"

// Forget resets a key to its initial state: the client drops what answers said of it
// and what it has not reported.
func (c *Client) Forget(key int32) {
	slot, ok := c.index.lookup(key)
	if !ok {
		return
	}
	if i := slices.Index(c.touched[:c.touchedCount], slot); i >= 0 {
		copy(c.touched[i:], c.touched[i+1:c.touchedCount])
		c.touchedCount--
	}
	c.unlearn(slot)
	delete(c.returned, slot)
	if int(slot) < len(c.carried) {
		c.carried[slot].hits, c.carried[slot].rejected = 0, 0
	}
	if c.config.Pessimistic {
		c.answered[slot] = none
	}
	if c.config.RejectionRate {
		c.rates[slot] = clientRate{}
	}
	if c.config.Samples() {
		c.sampled[slot] = sampledKey{}
	}
	if l := c.localOf(slot); l != nil {
		l.Forget(slot)
	}
}

// unlearn gives a slot the state of a key without counts and answers.
func (c *Client) unlearn(slot int32) {
	c.keys[slot] = clientKey(unanswered << numberAt)
	c.reject(slot, c.unknown)
}

// Idle reports whether Forget of a key would change no decision after now, except by the
// fraction of a rejection that diffusion carries: the client has nothing to report of the
// key, nothing rejects its requests, and its local bucket is full.
func (c *Client) Idle(now int64, key int32) bool {
	slot, ok := c.index.lookup(key)
	if !ok {
		return true
	}
	if c.keys[slot].untouched() == 0 || now+c.clockOffset < c.rejectUntil(slot) || c.config.RejectionRate && now < c.rates[slot].until {
		return false
	}
	l := c.localOf(slot)
	return l == nil || l.Full(slot, now)
}

// Forget resets a key at now to its initial state.
func (s *Server) Forget(now int64, key int32) {
	slot := s.slot(key)
	s.of(slot).reset(slot, now)
	if s.config.RejectionRate {
		s.estimates[slot] = estimate{}
	}
}

// Idle reports whether Forget of a key at the server's origin would change no answer
// after now: its window is over, or its bucket full since two covered times, and no
// demand for it is estimated.
func (s *Server) Idle(now int64, key int32) bool {
	slot, ok := s.index.lookup(key)
	if !ok {
		return true
	}
	if s.config.RejectionRate {
		if e := &s.estimates[slot]; s.config.Estimate.perSecond(e, now) > 0 || e.count > 0 {
			return false
		}
	}
	k := s.of(slot)
	k.enter(now)
	if k.windows != nil {
		return k.windows.CountIn(slot, k.start) == 0
	}
	since := now - 2*min(k.covered, forever/2)
	return k.buckets.RefilledTo(slot) < since && k.buckets.Full(slot, since)
}

// TakeOver replaces the state of a key at now with that of another server, or
// resets it if the other server does not know the key.
func (s *Server) TakeOver(now int64, key int32, from *Server) {
	fromSlot, known := from.index.lookup(key)
	s.Forget(now, key)
	if !known {
		return
	}
	slot := s.slot(key)
	if k, l := s.of(slot), from.of(fromSlot); k.windows != nil {
		k.windows.Copy(slot, l.windows, fromSlot)
	} else {
		k.buckets.Copy(slot, l.buckets, fromSlot)
	}
	if s.config.RejectionRate {
		s.estimates[slot] = from.estimates[fromSlot].clone()
	}
}
