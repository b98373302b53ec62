package counter

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// ChangingShaper is a Shaper whose limit is another one from known instants on.
// Whatever waits then goes out at the new rate: a request is dispatched at the
// earliest nanosecond at which a bucket of the depth that holds then,
// max(Burst, cost), has its cost after all earlier dispatches of its key. What a
// change leaves in the bucket is what it held, cut to the new depth.
type ChangingShaper struct {
	unit     int64 // units a token
	stages   []shaperStage
	maxCost  int64
	state    []shaperState // missing from a bucket of the depth of its stage
	starting []int32       // by key, the stage that its state is in
}

// shaperStage is the limit from an instant on.
type shaperStage struct {
	from, n, depth int64
	longest        int64
}

var _ Queue = (*ChangingShaper)(nil)

// NewChangingShaper is NewShaper for a limit that changes, in time order.
func NewChangingShaper(limit Limit, changes []Change, keys int) (Queue, error) {
	for _, l := range limitsOf(limit, changes) {
		if err := CheckShaper(l); err != nil {
			return nil, err
		}
	}
	if len(changes) == 0 {
		return NewShaper(limit, keys), nil
	}
	unit, err := perToken(limitsOf(limit, changes), func(l Limit) int64 { return l.Burst })
	if err != nil {
		return nil, err
	}
	q := &ChangingShaper{unit: unit, maxCost: math.MaxInt64, state: make([]shaperState, keys), starting: make([]int32, keys)}
	for _, c := range append([]Change{{At: math.MinInt64, Limit: limit}}, changes...) {
		n, p := c.Limit.Rate()
		n *= unit / p
		q.stages = append(q.stages, shaperStage{from: c.At, n: n, depth: c.Limit.Burst * unit, longest: math.MaxInt64 / n})
		q.maxCost = min(q.maxCost, max(maxDepth/2/unit, c.Limit.Burst))
	}
	return q, nil
}

// until brings a key's bucket to an instant, not before its last one, through
// the changes on the way.
func (q *ChangingShaper) until(s shaperState, stage int32, now int64) (shaperState, int32) {
	for {
		r := &q.stages[stage]
		end := now
		if int(stage)+1 < len(q.stages) {
			end = min(now, q.stages[stage+1].from)
		}
		if end > s.last {
			s.missing = max(s.missing-min(end-s.last, r.longest)*r.n, 0)
			s.last = end
		}
		if int(stage)+1 == len(q.stages) || q.stages[stage+1].from > now {
			return s, stage
		}
		stage++
		s.missing = max(s.missing+q.stages[stage].depth-r.depth, 0)
	}
}

// Take queues one request and says when it is dispatched. Cost 0 is dispatched
// behind the requests before it.
func (q *ChangingShaper) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	if cost > q.maxCost {
		return Rejected, now
	}
	s, stage := q.until(q.state[key], q.starting[key], max(now, q.state[key].last))
	need := max(cost, 0) * q.unit
	for cost > 0 {
		r := &q.stages[stage]
		short := s.missing - max(r.depth-need, 0)
		if short <= 0 {
			break
		}
		at := integers.Add(s.last, integers.CeilDiv(short, r.n))
		if int(stage)+1 < len(q.stages) {
			at = min(at, q.stages[stage+1].from)
		}
		s, stage = q.until(s, stage, at)
	}
	s.missing += need
	q.state[key], q.starting[key] = s, stage
	return Admitted, s.last
}

// Level is how many tokens could be dispatched at now; 0 while requests wait.
func (q *ChangingShaper) Level(key int32, now int64) int64 {
	s := q.state[key]
	if now < s.last {
		return 0
	}
	s, stage := q.until(s, q.starting[key], now)
	return max(q.stages[stage].depth-s.missing, 0) / q.unit
}

// RetryAt is now, for every cost that is not refused outright.
func (q *ChangingShaper) RetryAt(_ int32, now, cost int64) int64 {
	if cost > q.maxCost {
		return Never
	}
	return now
}

func (q *ChangingShaper) State(key int32) []StateField {
	s, stage := q.state[key], q.starting[key]
	return []StateField{
		{"level_units", q.stages[stage].depth - s.missing},
		{"units_per_token", q.unit},
		{"depth_units", q.stages[stage].depth},
		{"last_dispatch_ns", s.last},
	}
}
