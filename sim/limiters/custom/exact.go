package custom

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// exact compares verdicts with those of an exact counter.
type exact struct {
	table     counter.Table
	keys      int32 // of one instance
	tolerance int64 // ns
}

// newExact returns the exact counters of a row, with one table for all instances.
func newExact(s *engine.Setting, a *scenarios.Algorithm, keys int) (*exact, error) {
	table, err := counter.New(a.Options.String("as"), s.Limit, nil, keys*instancesOf(s, a))
	return &exact{table: table, keys: int32(keys), tolerance: a.Options.Duration("tolerance")}, err
}

// compare compares the verdicts on arrivals from lo on.
func (e *exact) compare(c *caller, a *engine.Arrivals, lo int, verdicts []counter.Verdict) {
	meter := c.trial.Recorder.Differences()
	meter.Compared()
	for i, v := range verdicts {
		x := attempt(a, lo+i)
		x.Admitted = v.Admitted()
		e.follow(meter, c.instance(x.Client), x.At, x)
	}
}

// attempt returns arrival i as a difference may show it.
func attempt(a *engine.Arrivals, i int) measure.Difference {
	return measure.Difference{At: a.Time[i], Attempt: a.First + int64(i), Key: a.Key[i], Client: a.Client[i], Cost: a.Cost[i]}
}

// follow compares the verdict of an instance on an attempt with that of the counter at
// an instant. The counter goes on from its own verdict, except where a difference is
// tolerated: there it follows the limiter.
func (e *exact) follow(meter *measure.Differences, instance int32, at int64, x measure.Difference) {
	switch counter.Follow(e.table, instance*e.keys+x.Key, at, x.Cost, x.Admitted, e.tolerance) {
	case counter.Tolerated:
		meter.Tolerated(x.At)
	case counter.Differs:
		meter.Differs(x)
	}
}
