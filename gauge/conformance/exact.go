package conformance

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// exact makes the counter that a limiter is compared with.
type exact struct {
	name    string
	queue   bool
	options catalog.Values
	bounds
}

func newExact(name string, options catalog.Values) (*exact, error) {
	if !slices.Contains(Counters(), name) {
		return nil, UnknownCounter(name)
	}
	e := &exact{name: name, queue: counting.IsQueue(name), options: options}
	if e.queue && options == nil {
		// A queue then dispatches what it admits at once.
		e.options = catalog.Values{"nodelay": {V: true}}
	}
	return e, nil
}

// decider is the counter of one key, which has number 0.
type decider struct {
	take  func(now, cost int64) bool
	state interface {
		Level(key int32, now int64) int64
		RetryAt(key int32, now, cost int64) int64
	}
}

// make returns the counter of a new key, or an error if it cannot keep the policy.
func (e *exact) make(p Policy) (decider, error) {
	if e.queue {
		q, err := counting.NewQueue(e.name, p, e.options, 1)
		return decider{func(now, cost int64) bool { v, _ := q.Take(0, now, cost); return v.Admitted() }, q}, err
	}
	t, err := counting.New(e.name, p, e.options, 1)
	return decider{func(now, cost int64) bool { return t.Take(0, now, cost).Admitted() }, t}, err
}

// fresh is make for a policy that the counter is known to keep.
func (e *exact) fresh(p Policy) decider {
	d, err := e.make(p)
	if err != nil {
		panic("conformance: " + err.Error())
	}
	return d
}

// compare returns the index of the first call on which the counter differs by more
// than the tolerance from the verdicts, or len(calls), and the number of verdicts
// before it that only the tolerance explains.
func (e *exact) compare(p Policy, calls []Call, admitted []bool, tolerance int64) (first, tolerated int) {
	keys := e.histories(p)
	for i, call := range calls {
		switch keys(call.Key).add(call, admitted[i], tolerance) {
		case different:
			return i, tolerated
		case explained:
			tolerated++
		}
	}
	return len(calls), tolerated
}

// histories returns a function that returns the history of a key.
func (e *exact) histories(p Policy) func(key string) *history {
	keys := map[string]*history{}
	return func(key string) *history {
		h := keys[key]
		if h == nil {
			h = &history{exact: e, policy: p, counter: e.fresh(p)}
			keys[key] = h
		}
		return h
	}
}
