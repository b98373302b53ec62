package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// tableDecider decides with one table that all clients share without delay.
type tableDecider struct {
	table counting.Table
}

func (d tableDecider) Decide(a *Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	if hi == lo+1 { // common with retries; a block would cost more to set up
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
func NewTableDecider(table counting.Table) Decider { return tableDecider{table} }

// jointDecider decides with all counters of a request at once.
type jointDecider struct {
	tableDecider
	joint counting.Joint
}

func (d jointDecider) Decide(a *Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i := lo; i < hi; i++ {
		verdicts[i-lo] = d.joint.Take(d.table, a.Keys(i), a.Time[i], a.Cost[i])
	}
	return hi - lo
}

// NewJointDecider returns a Decider that charges all keys of a request together
// in one table.
func NewJointDecider(joint counting.Joint, table counting.Table) Decider {
	return jointDecider{tableDecider{table}, joint}
}
