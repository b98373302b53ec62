package inplace

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// jointDecider asks all counters of a request, at once, for everybody.
type jointDecider struct {
	joint counters.Joint
	table counters.Table
}

func (d jointDecider) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	for i := lo; i < hi; i++ {
		verdicts[i-lo] = d.joint.Take(d.table, a.Keys(i), a.Time[i], a.Cost[i])
	}
	return hi - lo
}

func (jointDecider) Next() int64 { return lanes.Never }
func (jointDecider) Step(int64)  {}

func (d jointDecider) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return d.table.Level(key, now), d.table.RetryAt(key, now, cost)
}

// Exact is the exact limiter of one of the policies.
type Exact struct {
	Table counters.Table
	Keys  int
}

// NewReference decides as the policies mean it: a request passes when the exact
// limiter of every policy that applies lets it through, and one that is refused
// charges nobody.
func NewReference(s *trial.Setting, list []Exact) lanes.Decider {
	if !s.Several() {
		return centralDecider{list[0].Table}
	}
	all := &counters.Concat{}
	for _, e := range list {
		all.Add(e.Table, e.Keys)
	}
	return jointDecider{counters.Joint{ChargeNone: true}, all}
}
