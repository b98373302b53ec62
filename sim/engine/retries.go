package engine

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
)

// Retries describes how callers retry rejected requests. A retry is a new
// attempt with the same tenant, client, keys and cost. Because the attempts
// then differ between algorithms, each executor has a reference of its own that
// decides the same attempts.
type Retries struct {
	spans     []int64 // ns, by retry: the longest wait before it
	full      bool    // the wait is uniform between 0 and the span
	named     bool    // the wait begins at the retry time that the limiter reports
	timedOut  bool
	stream    random.Stream
	reference Decider          // decides on arrival; nil if the executor runs the reference itself
	shaped    *ShapedReference // used instead of reference for algorithms that delay
}

// NewRetries returns the retries of one trial with the references that it
// needs. Draws depend only on the stream, the fresh request and the number of
// the retry, so they are equal for all algorithms.
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

// Named reports whether callers wait for the time that the limiter names.
func (r *Retries) Named() bool { return r.named }

// RetriesDraw reports whether retries draw random numbers.
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

// maxTries is larger than the number of attempts of any request. Each retry has
// a place of its own in the random stream.
const maxTries = 16

// Wait returns the time in ns that the caller of a fresh request waits after so
// many retries before the next one.
func (r *Retries) Wait(fresh int64, try uint16) int64 {
	span := r.spans[try]
	if !r.full || span == 0 {
		return span
	}
	draw := r.stream.Jumped(uint64(placeOf(fresh, try+1)))
	return int64(draw.Below(uint64(span) + 1))
}

// Tries reports whether a caller may retry after this number of retries.
func (r *Retries) Tries(try uint16) bool { return int(try) < len(r.spans) }

// placeOf returns the place of a retry of a fresh request among all possible
// retries.
func placeOf(fresh int64, try uint16) int64 { return fresh*maxTries + int64(try) }

// callers holds the requests that will be retried, with their baggage.
type callers struct {
	retryQueue
	baggage Pool[baggage] // if requests carry any
}

// keep stores the baggage of a caller.
func (c *callers) keep(b *baggage) (carried int32) {
	carried = c.baggage.Take()
	c.baggage.At(carried).set(b)
	return carried
}

// kept returns the stored baggage of a caller that retries and releases it. The
// result is valid until the next keep.
func (c *callers) kept(carried int32) *baggage {
	c.baggage.Release(carried)
	return c.baggage.At(carried)
}
