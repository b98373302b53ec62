package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
)

// tableDecider asks one table, at once, for everybody.
type tableDecider struct {
	table counter.Table
}

func (d tableDecider) Decide(a *Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	if hi == lo+1 { // callers try again at once: no block's worth of setting up
		verdicts[0] = d.table.Take(a.Key[lo], a.Time[lo], a.Cost[lo])
		return 1
	}
	d.table.TakeBlock(a.Key[lo:hi], a.Time[lo:hi], a.Cost[lo:hi], verdicts)
	return hi - lo
}

func (tableDecider) Next() int64 { return Never }
func (tableDecider) Step(int64)  {}

func (d tableDecider) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return d.table.Level(key, now), d.table.RetryAt(key, now, cost)
}

// NewTableDecider returns a Decider over one table that all clients share.
func NewTableDecider(table counter.Table) Decider { return tableDecider{table} }

// jointDecider asks all counters of a request, at once, for everybody.
type jointDecider struct {
	tableDecider
	joint counter.Joint
}

func (d jointDecider) Decide(a *Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	for i := lo; i < hi; i++ {
		verdicts[i-lo] = d.joint.Take(d.table, a.Keys(i), a.Time[i], a.Cost[i])
	}
	return hi - lo
}

// NewJointDecider returns a Decider over one table that charges all keys of a
// request together.
func NewJointDecider(joint counter.Joint, table counter.Table) Decider {
	return jointDecider{tableDecider{table}, joint}
}

// Exact is the exact limiter of one of the policies.
type Exact struct {
	Table counter.Table
	Keys  int
}

// NewReference decides as the policies mean it: a request passes when the exact
// limiter of every policy that applies lets it through, and one that is refused
// charges nobody.
func NewReference(s *Setting, list []Exact) Decider {
	if !s.MultiPolicy() {
		return tableDecider{list[0].Table}
	}
	all := &counter.Concat{}
	for _, e := range list {
		all.Add(e.Table, e.Keys)
	}
	return NewJointDecider(counter.Joint{ChargeNone: true}, all)
}
