package faults

// Active is how many clients are alive at now, numbers 0 to Active-1; 0 means
// that autoscaling is not simulated and all of them are. Requests of the others
// reach those that are alive before any enforcement sees them.
func (t *Timeline) Active(now int64) int { return t.at(now).active }

// LimitScale is by what every policy's limit is multiplied at now: num/den of
// its count and of its burst, in lowest terms; 1/1 when it is as written.
func (t *Timeline) LimitScale(now int64) (num, den int64) {
	s := t.at(now)
	return s.num, s.den
}
