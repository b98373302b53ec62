package engine

import (
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Retries are what callers do whose requests are refused: they try again, as a
// new attempt of the same tenant, client, keys and cost. The attempts of two
// algorithms differ then, so each lane compares itself with a reference of its
// own, which is asked about that lane's attempts.
type Retries struct {
	spans     []int64 // ns, by retry: how long its caller waits before it
	full      bool    // a time drawn evenly from 0 to that
	named     bool    // from the instant that the limiter names
	timedOut  bool
	stream    random.Stream
	reference Decider          // decides at arrival; nil where the lane is that reference
	shaped    *ShapedReference // instead, beside algorithms that delay
}

// NewRetries makes the retries of one trial, with the references that it needs.
// Draws depend on the stream, the fresh request and the number of the retry
// alone, so they are the same for every algorithm.
func NewRetries(r *scenarios.Retries, stream random.Stream, reference Decider, shaped *ShapedReference) *Retries {
	v := r.Backoff.Values
	out := &Retries{timedOut: r.TimedOut, stream: stream, reference: reference, shaped: shaped}
	var base, most int64
	switch r.Backoff.Name {
	case "constant":
		base, most = v.Duration("time"), v.Duration("time")
		out.full = v.String("jitter") == "full"
	case "exponential":
		base, most = v.Duration("base"), v.Duration("max")
		out.full = v.String("jitter") == "full"
	case "retry-after":
		base, most = v.Duration("spread"), v.Duration("spread")
		out.full, out.named = true, true
	}
	for span := min(base, most); len(out.spans) < int(r.Attempts); {
		out.spans = append(out.spans, span)
		span += min(span, most-span)
	}
	return out
}

// RetriesDraw reports whether retries leave anything to chance.
func RetriesDraw(r *scenarios.Retries) bool {
	v := r.Backoff.Values
	switch r.Backoff.Name {
	case "constant", "exponential":
		return v.String("jitter") == "full"
	case "retry-after":
		return v.Duration("spread") > 0
	}
	return false
}

// maxTries is more than the retries of any one request: each has a place of its
// own in the stream.
const maxTries = 16

// wait is how long the caller of a fresh request waits after so many retries,
// before the next one.
func (r *Retries) wait(fresh int64, try uint16) int64 {
	span := r.spans[try]
	if !r.full || span == 0 {
		return span
	}
	draw := r.stream.Jumped(uint64(placeOf(fresh, try+1)))
	return int64(draw.Below(uint64(span) + 1))
}

// tries reports whether a caller may try again after so many retries.
func (r *Retries) tries(try uint16) bool { return int(try) < len(r.spans) }

// placeOf is the place of a retry of a fresh request among all possible ones.
func placeOf(fresh int64, try uint16) int64 { return fresh*maxTries + int64(try) }

// callers are those who are to try again, with what they carry.
type callers struct {
	retryQueue
	keys   [][]int32 // where requests carry descriptors
	unused []int32   // of them
}

// keep keeps the keys of a caller.
func (c *callers) keep(keys []int32) (carried int32) {
	carried = Take(&c.keys, &c.unused)
	c.keys[carried] = append(c.keys[carried][:0], keys...)
	return carried
}

// kept are the keys of a caller who has come back: valid until the next is kept.
func (c *callers) kept(carried int32) []int32 {
	c.unused = append(c.unused, carried)
	return c.keys[carried]
}
