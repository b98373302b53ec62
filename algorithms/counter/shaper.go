package counter

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Shaper is an exact first-in-first-out shaper for keys 0 to n-1: the reference
// for algorithms that delay. It dispatches a request at the earliest nanosecond
// at which a bucket of depth max(Burst, cost), full at the start, holds the cost
// after all earlier dispatches of its key. It rejects only a cost above 2^61
// units, which no bucket can count exactly.
//
// When the limit changes, waiting requests are dispatched at the new rate. The
// bucket keeps its level, cut to the new depth.
type Shaper struct {
	unit    int64 // units per token
	stages  []shaperStage
	maxCost int64
	state   []shaperState
}

// shaperStage is the limit from a time on.
type shaperStage struct {
	from int64
	bucketRule
}

// shaperState is one key's bucket at its latest dispatch (or 0, the start). The
// units missing from a full bucket do not depend on the depth, so each request
// can be judged with a depth of its own.
type shaperState struct {
	missing int64 // units missing from a bucket of the stage's depth
	last    int64
	stage   int32
}

var _ Queue = (*Shaper)(nil)

// CheckShaper returns an error if NewShaper cannot make a shaper of the limit.
func CheckShaper(limit Limit) error {
	if err := limit.Check(); err != nil {
		return err
	}
	if limit.Burst == 0 {
		return fmt.Errorf("a shaper needs a burst of at least 1")
	}
	return nil
}

// NewShaper returns a shaper of the limit, which changes at the times of the
// changes, in time order. Limit.Burst is the depth of the bucket. It returns an
// error if CheckShaper does for one of the limits, or if the limits have no
// common unit that counts all of them exactly.
func NewShaper(limit Limit, changes []Change, keys int) (*Shaper, error) {
	limits := limitsOf(limit, changes)
	for _, l := range limits {
		if err := CheckShaper(l); err != nil {
			return nil, err
		}
	}
	rules, err := bucketRules(limits, newBucketRule, perToken)
	if err != nil {
		return nil, err
	}
	q := &Shaper{unit: rules[0].p, maxCost: math.MaxInt64, state: make([]shaperState, keys)}
	for i, r := range rules {
		from := int64(math.MinInt64)
		if i > 0 {
			from = changes[i-1].At
		}
		q.stages = append(q.stages, shaperStage{from, r})
		q.maxCost = min(q.maxCost, max(maxDebt/r.p, r.maxCost))
	}
	return q, nil
}

// until returns the bucket at now, or at its latest dispatch if that is later,
// after the changes on the way.
func (q *Shaper) until(s shaperState, now int64) shaperState {
	now = max(now, s.last)
	for {
		r := &q.stages[s.stage]
		last := int(s.stage)+1 == len(q.stages)
		end := now
		if !last {
			end = min(now, q.stages[s.stage+1].from)
		}
		if elapsed := end - s.last; elapsed > 0 {
			s.missing = max(s.missing-min(elapsed, r.longest)*r.n, 0)
			s.last = end
		}
		if last || q.stages[s.stage+1].from > now {
			return s
		}
		s.stage++
		s.missing = max(s.missing+q.stages[s.stage].depth-r.depth, 0)
	}
}

// Take queues one request and returns the time of its dispatch. Cost 0 is
// dispatched after the requests before it.
func (q *Shaper) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	if cost > q.maxCost {
		return Rejected, now
	}
	s := q.until(q.state[key], now)
	need := max(cost, 0) * q.unit
	for cost > 0 {
		r := &q.stages[s.stage]
		short := s.missing - max(r.depth-need, 0)
		if short <= 0 {
			break
		}
		at := integers.Add(s.last, integers.CeilDiv(short, r.n))
		if int(s.stage)+1 < len(q.stages) {
			at = min(at, q.stages[s.stage+1].from)
		}
		s = q.until(s, at)
	}
	s.missing += need
	q.state[key] = s
	return Admitted, s.last
}

// Level returns the tokens that could be dispatched at now, or 0 while requests
// wait.
func (q *Shaper) Level(key int32, now int64) int64 {
	s := q.state[key]
	if now < s.last {
		return 0
	}
	s = q.until(s, now)
	return max(q.stages[s.stage].depth-s.missing, 0) / q.unit
}

// RetryAt returns now, or Never for a cost that Take rejects.
func (q *Shaper) RetryAt(_ int32, now, cost int64) int64 {
	if cost > q.maxCost {
		return Never
	}
	return now
}

// State returns the key's bucket at its latest dispatch.
func (q *Shaper) State(key int32) []StateField {
	s := q.state[key]
	depth := q.stages[s.stage].depth
	return []StateField{
		{"level_units", depth - s.missing},
		{"units_per_token", q.unit},
		{"depth_units", depth},
		{"last_dispatch_ns", s.last},
	}
}
