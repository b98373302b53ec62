package concurrency

// AIMD adds one to the limit after an answer, and takes a tenth after one that was dropped
// or took longer than a timeout. Source: AIMDLimit of Netflix/concurrency-limits.
type AIMD struct {
	limit, min, max int64
	timeout         int64 // ns
}

// NewAIMD returns the law. Its source has 20 at first, in [20, 200], and a timeout of 5 s.
func NewAIMD(r Range, timeout int64) *AIMD {
	return &AIMD{limit: r.Initial, min: r.Min, max: r.Max, timeout: timeout}
}

// Limit implements Law.
func (a *AIMD) Limit() int64 { return a.limit }

// Answer implements Law.
func (a *AIMD) Answer(s Sample) {
	if s.Dropped || s.RTT > a.timeout {
		a.limit = int64(float64(a.limit) * 0.9)
	} else if 2*s.InFlight >= a.limit {
		a.limit++
	}
	a.limit = min(a.max, max(a.min, a.limit))
}
