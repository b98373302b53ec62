package concurrency

// Sample is what one answer tells a law.
type Sample struct {
	Sent     int64 // when the request was sent, ns
	RTT      int64 // from there to its answer, ns
	InFlight int64 // requests in flight when it was sent, with itself
	Dropped  bool  // the answer was late, or an error
}

// Law sets the limit of one client. Its methods are called in the order of time.
type Law interface {
	// Limit returns the largest number of requests in flight from now on.
	Limit() int64
	// Answer adjusts the limit to one answer.
	Answer(s Sample)
}

// Timed is a law that also acts at times of its own.
type Timed interface {
	Law
	// Next returns when the law acts next, in ns, or math.MaxInt64 if it waits for answers.
	Next() int64
	// Act does what is due at now, the time of Next.
	Act(now int64)
	// Probing reports whether the limit is low in order to measure the time of an answer.
	Probing() bool
}

// Random is a source of random bits, such as a *random.Stream.
type Random interface{ Uint64() uint64 }

// Range bounds a limit, in requests: 1 <= Min <= Initial <= Max <= 1e6.
type Range struct{ Initial, Min, Max int64 }

// rtt returns the time of an answer, 1 ns at least: the laws divide by it.
func (s Sample) rtt() float64 { return float64(max(s.RTT, 1)) }

// Fixed is a limit that does not move.
type Fixed int64

// Limit returns f.
func (f Fixed) Limit() int64 { return int64(f) }

// Answer does nothing.
func (Fixed) Answer(Sample) {}
