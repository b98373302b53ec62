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
	longest   int64 // for which a request waits, ns
	tolerance int64 // of dispatches, ns
}

// newExactQueue returns the exact counters of a row that waits.
func newExactQueue(s *engine.Setting, a *scenarios.Algorithm, keys int) (*exactQueue, error) {
	as, values, err := counterOf(a)
	if err != nil {
		return nil, err
	}
	longest := waits(s, a).Time
	queue, err := counting.NewWaiting(as, s.Limit, values, longest, keys*instancesOf(s, a))
	return &exactQueue{queue, int32(keys), longest, a.Options.Duration("tolerance")}, err
}

// expected is a request and what the counter does with it.
type expected struct {
	measure.Difference
	admitted bool
	latest   int64 // when it goes or, if it is rejected, until when its caller may wait
}

// take has the counter decide a request of an instance.
func (e *exactQueue) take(instance int32, x measure.Difference) expected {
	v, latest := e.queue.Take(instance*e.keys+x.Key, x.At, x.Cost)
	if !v.Admitted() {
		latest = x.At + min(e.longest, engine.Never-x.At)
	}
	return expected{x, v.Admitted(), latest}
}

// compare compares what a limiter did with a request with what is expected.
func (e *exactQueue) compare(meter *measure.Differences, x expected, admitted bool, dispatch int64) {
	meter.Compared()
	x.Admitted = admitted
	early := x.latest - dispatch
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
