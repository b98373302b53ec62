package faults

// Active returns the number of clients that are alive at now; they have the
// numbers 0 to Active-1. The result is 0 if autoscaling is not simulated and
// all clients are alive. Alive reassigns the requests of other clients before a
// limiter receives them.
func (t *Timeline) Active(now int64) int { return t.at(now).active }

// LimitScale returns the factor num/den, in lowest terms, of every policy's
// count and burst at now. It is 1/1 if no fault changes the limits.
func (t *Timeline) LimitScale(now int64) (num, den int64) {
	s := t.at(now)
	return s.num, s.den
}
