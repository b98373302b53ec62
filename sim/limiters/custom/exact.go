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

// compare compares the verdicts on arrivals from lo on. The counter goes on from its
// own verdict, except where a difference is tolerated: there it follows the limiter.
func (e *exact) compare(c *caller, a *engine.Arrivals, lo int, verdicts []counter.Verdict) {
	meter := c.trial.Recorder.Differences()
	meter.Compared()
	for i, v := range verdicts {
		at, cost, admitted := a.Time[lo+i], a.Cost[lo+i], v.Admitted()
		key := c.instance(a.Client[lo+i])*e.keys + a.Key[lo+i]
		switch counter.Follow(e.table, key, at, cost, admitted, e.tolerance) {
		case counter.Tolerated:
			meter.Tolerated(at)
		case counter.Differs:
			meter.Differs(measure.Difference{At: at, Attempt: a.First + int64(i), Key: a.Key[lo+i], Client: a.Client[lo+i], Cost: cost, Admitted: admitted})
		}
	}
}
