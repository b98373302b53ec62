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

// Fixed is a limit that does not move.
type Fixed int64

// Limit returns f.
func (f Fixed) Limit() int64 { return int64(f) }

// Answer does nothing.
func (Fixed) Answer(Sample) {}
