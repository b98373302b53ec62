package counting

import (
	"cmp"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Waiting bounds how long requests wait for their dispatch, by time or by the
// length of the queue. The zero value lets no request wait.
type Waiting struct {
	Time int64 // longest wait in ns, or Never
	// Queue states that all requests of a key leave through one queue, as in a
	// leaky bucket: a request is rejected if its cost and the backlog of b
	// requests before it exceed the rate by b + cost - 1 > Burst. It is dispatched
	// when the backlog before it has drained to Delay requests, so at most
	// Delay + 1 requests leave at once, whatever the limit's burst.
	Queue        bool
	Burst, Delay int64
	LimitsBurst  bool // Burst is that of the limit, also after changes
}

// Shaper is an exact first-in-first-out shaper for keys 0 to n-1 with a bound on
// waiting: the reference for algorithms that delay. It dispatches a request at the
// earliest nanosecond at which a bucket of depth max(Burst, cost), full at the
// start, holds the cost after all earlier dispatches of its key, or as its queue
// says. It rejects a request on arrival if the wait would exceed the bound; a wait
// of exactly the bound is admitted. It also rejects a cost above 2^61 units, which
// no bucket can count exactly.
//
// When the limit changes, waiting requests are dispatched at the new rate. The
// bucket keeps its level, cut to the new depth, and the queue its backlog.
type Shaper struct {
	waiting Waiting
	unit    int64 // units per token
	stages  []shaperStage
	maxCost int64
	state   []shaperState
}

// shaperStage is the limit from a time on.
type shaperStage struct {
	from int64
	bucketRule
	deeper int64 // units by which the bucket is deeper than that of the stage before; 0 for a queue
	free   int64 // units of the backlog at which a queue dispatches
}

// shaperState is one key's bucket at its latest dispatch (or 0, the start). The
// units missing from a full bucket do not depend on the depth, so each request
// can be judged with a depth of its own. Of a queue, it is the backlog at the
// latest arrival, because a dispatch time is rounded and a backlog is not.
type shaperState struct {
	missing int64 // units missing from a bucket of the stage's depth
	last    int64
	stage   int32
}

var _ Queue = (*Shaper)(nil)

// CheckShaper returns an error if NewShaper cannot make a shaper of the limit.
func CheckShaper(limit Limit) error {
	return cmp.Or(limit.Check(), catalog.ErrorIf(limit.Burst == 0, "a shaper needs a burst of at least 1"))
}

// NewShaper returns a shaper of the limit, which changes at the times of the
// changes, in time order. Limit.Burst is the depth of the bucket. It returns an
// error if CheckShaper does for one of the limits, or if the limits have no
// common unit that counts all of them exactly.
func NewShaper(limit Limit, changes []Change, w Waiting, keys int) (*Shaper, error) {
	limits := limitsOf(limit, changes)
	for i, l := range limits {
		if w.Queue {
			limits[i] = w.limit(l)
		} else if err := CheckShaper(l); err != nil {
			return nil, err
		}
	}
	rules, err := bucketRules(limits, newBucketRule, perToken)
	if err != nil {
		return nil, err
	}
	q := &Shaper{waiting: w, unit: rules[0].p, maxCost: math.MaxInt64, state: make([]shaperState, keys)}
	for i, r := range rules {
		stage := shaperStage{from: math.MinInt64, bucketRule: r, free: min(w.Delay, limits[i].Burst) * r.p}
		if i > 0 {
			stage.from = changes[i-1].At
			if !w.Queue {
				stage.deeper = r.depth - rules[i-1].depth
			}
		}
		q.stages = append(q.stages, stage)
		q.maxCost = min(q.maxCost, max(maxDebt/r.p, r.maxCost))
	}
	return q, nil
}

// limit returns a limit whose bucket, if empty, is the longest backlog of the
// queue: the burst and the request in service.
func (w *Waiting) limit(l Limit) Limit {
	burst := w.Burst
	if w.LimitsBurst {
		burst = l.Burst
	}
	return l.withBurst(burst + 1)
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
		s.missing = max(s.missing+q.stages[s.stage].deeper, 0)
	}
}

// reach returns the bucket at the first nanosecond at which no more is missing
// than the most that its stage states.
func (q *Shaper) reach(s shaperState, most func(r *shaperStage) int64) shaperState {
	for {
		r := &q.stages[s.stage]
		short := s.missing - most(r)
		if short <= 0 {
			return s
		}
		at := integers.Add(s.last, integers.CeilDiv(short, r.n))
		if int(s.stage)+1 < len(q.stages) {
			at = min(at, q.stages[s.stage+1].from)
		}
		s = q.until(s, at)
	}
}

// Take queues one request and returns the time of its dispatch. Cost 0 is never
// rejected for the length of a queue; a bucket dispatches it after the requests
// before it, a queue once the backlog has drained.
func (q *Shaper) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	if cost > q.maxCost {
		return Rejected, now
	}
	need := max(cost, 0) * q.unit
	arrived := q.until(q.state[key], now)
	left := q.dispatched(arrived, need)
	if left.last-now > q.waiting.Time {
		return MakeVerdict(false, ByMaxWait), now
	}
	if q.waiting.Queue {
		if cost > 0 && !q.fits(arrived, need) {
			return Rejected, now
		}
		arrived.missing += need
		q.state[key] = arrived
		return Admitted, left.last
	}
	left.missing += need
	q.state[key] = left
	return Admitted, left.last
}

// dispatched returns the bucket, or the backlog before the request, at the
// dispatch of a request that needs these units.
func (q *Shaper) dispatched(s shaperState, need int64) shaperState {
	switch {
	case q.waiting.Queue:
		return q.reach(s, func(r *shaperStage) int64 { return r.free })
	case need == 0:
		return s
	}
	return q.reach(s, func(r *shaperStage) int64 { return max(r.depth-need, 0) })
}

// fits reports whether a backlog has room for the units of another request.
func (q *Shaper) fits(s shaperState, need int64) bool {
	depth := q.stages[s.stage].depth
	return need <= depth && s.missing <= depth-need
}

// Level returns the tokens that could be dispatched at now, or 0 while requests
// wait. Of a queue it returns those that could be admitted, as LeakyBuckets does.
func (q *Shaper) Level(key int32, now int64) int64 {
	s := q.state[key]
	if now < s.last {
		return 0
	}
	s = q.until(s, now)
	room := q.stages[s.stage].depth - s.missing
	if !q.waiting.Queue {
		room = max(room, 0)
	}
	return room / q.unit
}

// RetryAt returns the time from which Take admits the cost if no other request
// arrives, or Never.
func (q *Shaper) RetryAt(key int32, now, cost int64) int64 {
	if cost > q.maxCost {
		return Never
	}
	need := max(cost, 0) * q.unit
	s := q.until(q.state[key], now)
	at := max(now, q.dispatched(s, need).last-q.waiting.Time)
	if !q.waiting.Queue || cost <= 0 || q.fits(s, need) {
		return at
	}
	if last := &q.stages[len(q.stages)-1]; need > last.depth {
		return Never
	}
	return max(at, q.reach(s, func(r *shaperStage) int64 { return r.depth - need }).last)
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
