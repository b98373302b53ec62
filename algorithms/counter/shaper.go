package counter

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Shaper is the exact first-in-first-out shaper of a limit, over keys 0..n-1:
// the reference beside algorithms that delay. It refuses nothing. A request is
// dispatched at the earliest nanosecond at which a bucket of depth
// max(Burst, cost), full at the start, holds its cost after all earlier
// dispatches of its key. Only a cost above 2^61 units, which no bucket can
// count exactly, is refused.
type Shaper struct {
	n, p    int64
	depth   int64 // units
	maxCost int64
	longest int64
	state   []shaperState
}

// shaperState is what is missing from one key's full bucket, in units, as of
// its latest dispatch (or 0, the start). What is missing does not depend on
// the depth, so that each request can be judged with a depth of its own.
type shaperState struct {
	missing int64
	last    int64
}

var _ Queue = (*Shaper)(nil)

// CheckShaper says whether a shaper of the limit can be made.
func CheckShaper(limit Limit) error {
	if err := limit.Check(); err != nil {
		return err
	}
	if limit.Burst == 0 {
		return fmt.Errorf("a shaper needs a burst of at least 1")
	}
	return nil
}

// NewShaper panics if CheckShaper fails. Limit.Burst is the depth.
func NewShaper(limit Limit, keys int) *Shaper {
	must(CheckShaper(limit))
	n, p := limit.Rate()
	return &Shaper{n: n, p: p, depth: limit.Burst * p, maxCost: max(maxDepth/2/p, limit.Burst),
		longest: math.MaxInt64 / n, state: make([]shaperState, keys)}
}

// at is the bucket at now, or at the latest dispatch if that lies later.
func (q *Shaper) at(s shaperState, now int64) shaperState {
	elapsed := now - s.last
	if uint64(elapsed) > uint64(q.longest) {
		now, elapsed = irregular(s.last, now, q.longest)
	}
	return shaperState{missing: max(s.missing-elapsed*q.n, 0), last: now}
}

// Take queues one request and says when it is dispatched. Cost 0 is dispatched
// behind the requests before it.
func (q *Shaper) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	if cost > q.maxCost {
		return Rejected, now
	}
	s := q.at(q.state[key], now)
	need := max(cost, 0) * q.p
	if short := s.missing - max(q.depth-need, 0); short > 0 && cost > 0 {
		s = q.at(s, integers.Add(s.last, integers.CeilDiv(short, q.n)))
	}
	s.missing += need
	q.state[key] = s
	return Admitted, s.last
}

// Level is how many tokens could be dispatched at now; 0 while requests wait.
func (q *Shaper) Level(key int32, now int64) int64 {
	s := q.state[key]
	if now < s.last {
		return 0
	}
	return max(q.depth-q.at(s, now).missing, 0) / q.p
}

// RetryAt is now, for every cost that is not refused outright.
func (q *Shaper) RetryAt(_ int32, now, cost int64) int64 {
	if cost > q.maxCost {
		return Never
	}
	return now
}

func (q *Shaper) State(key int32) []StateField {
	s := q.state[key]
	return []StateField{
		{"level_units", q.depth - s.missing},
		{"units_per_token", q.p},
		{"depth_units", q.depth},
		{"last_dispatch_ns", s.last},
	}
}
