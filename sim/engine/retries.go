package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/callers"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Retries describes how callers retry rejected requests. A retry is a new
// attempt with the same tenant, client, keys and cost. Because the attempts
// then differ between algorithms, each executor has a reference of its own that
// decides the same attempts.
type Retries struct {
	attempts  int64
	backoff   *callers.Backoff    // nil if after is set
	after     *callers.RetryAfter // the wait is for the retry time that the limiter names
	grows     bool                // a wait depends on the one before
	timedOut  bool
	late      bool // a call without an answer within timeout ns of its arrival is retried
	failed    bool // a call that the backend answers with an error is retried
	refused   bool // a call that the limiter refuses is retried
	timeout   int64
	stream    random.Stream
	draws     int64            // places of each fresh request in the stream
	reference Decider          // decides on arrival; nil if the executor runs the reference itself
	shaped    *ShapedReference // used instead of reference for algorithms that delay
	budgets   *budgets         // of callers that are no workers; nil without any
}

// NewRetries returns the retries of one trial with the references that it needs; r is nil
// if callers do not retry, patience is Scenario.Patience. Draws depend only on the stream,
// the fresh request and the number of the retry, so they are equal for all algorithms.
func NewRetries(r *scenarios.Retries, patience int64, stream random.Stream, reference Decider, shaped *ShapedReference) *Retries {
	out := &Retries{stream: stream, draws: fewDraws, reference: reference, shaped: shaped, refused: true}
	if r == nil {
		return out
	}
	out.attempts, out.timedOut = r.Attempts, r.TimedOut
	out.late, out.failed, out.refused, out.timeout = r.Late, r.Failed, r.Refused, min(patience, mostPatient)
	out.backoff, out.after = waits(r)
	own := out.backoff
	if out.after != nil {
		own = out.after.Otherwise
	}
	out.grows = own != nil && own.Jitter == callers.Decorrelated
	return out
}

// waits returns the waits of callers: those that they choose by themselves, or those
// that the limiter names.
func waits(r *scenarios.Retries) (*callers.Backoff, *callers.RetryAfter) {
	if r.Backoff.Name != "retry-after" {
		return backoff(r.Backoff), nil
	}
	v := r.Backoff.Values
	after := &callers.RetryAfter{
		Spread: v.Duration("spread"), Longest: v.Duration("longest"), GiveUp: v.String("beyond") == "give-up", WholeSeconds: v.String("seconds") == "up",
	}
	switch {
	case v.Set("otherwise"):
		after.Otherwise = backoff(v.Choice("otherwise"))
	case r.Unlimited():
		after.Otherwise = backoff(scenarios.DefaultBackoff())
	}
	return nil, after
}

// backoff returns a wait that callers choose by themselves.
func backoff(c catalog.Choice) *callers.Backoff {
	v := c.Values
	b := callers.Backoff{Factor: [2]int64{1, 1}}
	switch c.Name {
	case "constant":
		b.Base, b.Max = v.Duration("time"), v.Duration("time")
	case "exponential":
		factor := scenarios.FactorOf(v)
		b.Base, b.Max, b.Factor = v.Duration("base"), v.Duration("max"), [2]int64{factor.Num, factor.Den}
	}
	switch jitter := v.Choice("jitter"); jitter.Name {
	case "full":
		b.Jitter = callers.Full
	case "equal":
		b.Jitter = callers.Equal
	case "decorrelated":
		b.Jitter = callers.Decorrelated
	case "around":
		part := jitter.Values.Share("part")
		b.Jitter, b.Around = callers.Around, [2]int64{part.Num, part.Den}
	}
	return callers.New(b)
}

// NeedsTime reports whether callers wait for the time that the limiter names, and do not
// retry if it names none.
func (r *Retries) NeedsTime() bool { return r.after != nil && r.after.Otherwise == nil }

// RetriesDraw reports whether retries draw random numbers.
func RetriesDraw(r *scenarios.Retries) bool {
	own, after := waits(r)
	return own != nil && own.Random() || after != nil && after.Random()
}

// Tries reports whether a caller may retry after this number of retries.
func (r *Retries) Tries(try int64) bool { return try < min(r.attempts, maxTry) }

// asks reports whether a caller needs to know what the limiter says of its request:
// when it would be admitted, or that it never would, which ends retries without bound.
func (r *Retries) asks() bool { return r.after != nil || r.attempts > maxTry }

// own returns the wait in ns of the caller of a fresh request after so many retries
// before the next one, if it chooses the wait by itself. last is its wait before, 0 if none.
func (r *Retries) own(fresh, try, last int64) int64 {
	if b := r.backoff; b.Jitter == callers.Full { // as Wait, without a call through a function
		draw := r.stream.Jumped(r.drawOf(fresh, try+1))
		return int64(draw.Below(uint64(b.Span(int(try))) + 1))
	}
	return r.backoff.Wait(int(try), last, r.draw(fresh, try))
}

// Next returns the wait in ns of a caller that was refused at now, as own does, and
// whether it retries at all. The limiter would admit the request at retryAt, and level is
// what it would admit now: see Decider.Inspect.
func (r *Retries) Next(now, level, retryAt, fresh, try, last int64) (wait int64, again bool) {
	switch {
	case retryAt == counting.Never && level != UnknownLevel:
		return 0, false
	case r.after == nil:
		return r.own(fresh, try, last), true
	case retryAt == counting.Never:
	case retryAt <= now && r.after.Otherwise != nil:
		retryAt = counting.Never
	default:
		retryAt -= now
	}
	return r.after.Wait(retryAt, int(try), last, r.draw(fresh, try))
}

// Last returns the wait before the attempt that follows so many retries, if waits depend
// on it. It draws all waits before that one again.
func (r *Retries) Last(fresh, try int64) (last int64) {
	own := r.backoff
	if r.after != nil {
		own = r.after.Otherwise
	}
	for k := int64(0); r.grows && k < try; k++ {
		last = own.Wait(int(k), last, r.draw(fresh, k))
	}
	return last
}

// draw returns the draws of the retry that follows so many.
func (r *Retries) draw(fresh, try int64) callers.Below {
	return func(n uint64) uint64 {
		draw := r.stream.Jumped(r.drawOf(fresh, try+1))
		return draw.Below(n)
	}
}

// Retry k of fresh request f draws at the place draws*f + k of the stream, for k below
// draws. Those after it have places above all these, for fewer than 2^34 fresh requests.
// draws is fewDraws, or jobDraws for the jobs of workers.
const (
	fewDraws = 16
	jobDraws = 1024
)

func (r *Retries) drawOf(fresh, try int64) uint64 {
	return uint64(fresh*r.draws + try%r.draws + try/r.draws<<44)
}

// A retry is known by its place among all possible ones. A request has at most maxTry of
// them, and a trial at most 2^40 fresh requests.
const (
	tryBits = 23
	maxTry  = 1<<tryBits - 1
)

// placeOf returns the place of a retry of a fresh request.
func placeOf(fresh, try int64) int64 { return fresh<<tryBits | try }

// triedAt returns the fresh request and the number of the retry at a place.
func triedAt(place int64) (fresh, try int64) { return place >> tryBits, place & maxTry }

// retrying holds the requests that will be retried, with their baggage.
type retrying struct {
	retryQueue
	baggage Pool[baggage] // if requests carry any
}

// keep stores the baggage of a caller.
func (c *retrying) keep(b *baggage) (carried int32) {
	carried = c.baggage.Take()
	c.baggage.At(carried).set(b)
	return carried
}

// kept returns the stored baggage of a caller that retries and releases it. The
// result is valid until the next keep.
func (c *retrying) kept(carried int32) *baggage {
	c.baggage.Release(carried)
	return c.baggage.At(carried)
}
