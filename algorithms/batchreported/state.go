package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counting"

// ClientState is what a client has counted of a key since its last report, and
// what it knows from answers. Times are in ns of the caller's now.
type ClientState struct {
	Hits, Rejected int64
	RejectUntil    int64  // 0 if no answer lets the client reject the key
	RejectionRate  uint32 // in units of 2^-32; 0 without one
	RateUntil      int64  // the rate holds before this time
	AnsweredAt     int64  // when the latest answer was computed, or NoAnswer
}

// State returns a client's state of a key, which it changes only by adding a key
// that the client has not seen.
func (c *Client) State(key int32) ClientState {
	slot := c.Slot(key)
	k := c.keys[slot]
	s := ClientState{Hits: k.hits(), Rejected: k.rejected(), RejectUntil: c.RejectUntil(key), AnsweredAt: c.computedAt(slot)}
	if int(slot) < len(c.carried) {
		s.Hits += c.carried[slot].hits
		s.Rejected += c.carried[slot].rejected
	}
	if c.config.RejectionRate {
		s.RejectionRate, s.RateUntil = c.rates[slot].rate, c.rates[slot].until
	}
	return s
}

// LocalLevel returns the cost that the client's local limiter would admit of a key
// at now. ok is false without a local limiter.
func (c *Client) LocalLevel(now int64, key int32) (level int64, ok bool) {
	slot := c.Slot(key)
	l := c.localOf(slot)
	if l == nil {
		return 0, false
	}
	return l.Level(slot, now), true
}

// State returns the state of a key's window or bucket, in the members of its
// counter.
func (s *Server) State(key int32) []counting.StateField {
	slot := s.slot(key)
	if k := s.of(slot); k.windows == nil {
		return k.buckets.State(slot)
	} else {
		return k.windows.State(slot)
	}
}

// Estimate returns the estimated demand for a key per second at now, in units of
// 2^-16. ok is false without a rejection rate.
func (s *Server) Estimate(now int64, key int32) (perSecond uint64, ok bool) {
	if !s.config.RejectionRate {
		return 0, false
	}
	return s.config.Estimate.perSecond(&s.estimates[s.slot(key)], now), true
}
