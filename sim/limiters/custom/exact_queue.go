package custom

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// exactQueue compares verdicts and dispatches with those of an exact counter in which
// requests wait. Each goes on from its own verdict.
type exactQueue struct {
	queue     counting.Queue
	keys      int32 // of one instance
	tolerance int64 // of dispatches, ns
}

// newExactQueue returns the exact counters of a row that waits.
func newExactQueue(s *engine.Setting, a *scenarios.Algorithm, keys int) (*exactQueue, error) {
	as, values, err := counterOf(a)
	if err != nil {
		return nil, err
	}
	queue, err := counting.NewWaiting(as, s.Limit, values, waits(s, a).Time, keys*instancesOf(s, a))
	return &exactQueue{queue, int32(keys), a.Options.Duration("tolerance")}, err
}

// expected is a request and what the counter does with it.
type expected struct {
	measure.Difference
	admitted bool
	dispatch int64
}

// take has the counter decide a request of an instance.
func (e *exactQueue) take(instance int32, x measure.Difference) expected {
	v, dispatch := e.queue.Take(instance*e.keys+x.Key, x.At, x.Cost)
	return expected{x, v.Admitted(), dispatch}
}

// compare compares what a limiter did with a request with what is expected.
func (e *exactQueue) compare(meter *measure.Differences, x expected, admitted bool, dispatch int64) {
	meter.Compared()
	x.Admitted = admitted
	early := x.dispatch - dispatch
	switch {
	case admitted != x.admitted:
		meter.Differs(x.Difference)
	case !admitted || early == 0:
	case -e.tolerance <= early && early <= e.tolerance:
		meter.Tolerated(x.At)
	default:
		x.EarlyNs = early
		meter.Differs(x.Difference)
	}
}
