package sim

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// centralDecider asks one table, at once, for everybody.
type centralDecider struct {
	table counters.Table
}

func (d centralDecider) decide(a *arrivals, lo, hi int, verdicts []counters.Verdict) int {
	d.table.TakeBlock(a.key[lo:hi], a.time[lo:hi], a.cost[lo:hi], verdicts)
	return hi - lo
}

func (centralDecider) next() int64 { return never }
func (centralDecider) step(int64)  {}

func (d centralDecider) inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return d.table.Level(key, now), d.table.RetryAt(key, now, cost)
}

// localDecider gives every client a table of its own: one table whose keys are
// pairs of client and key.
type localDecider struct {
	table counters.Table
	keys  int32 // a client's keys
	pairs []int32
}

func newLocalDecider(table counters.Table, keys int) *localDecider {
	return &localDecider{table: table, keys: int32(keys), pairs: make([]int32, traffic.BlockSize)}
}

func (d *localDecider) decide(a *arrivals, lo, hi int, verdicts []counters.Verdict) int {
	pairs := d.pairs[:hi-lo]
	for i := range pairs {
		pairs[i] = a.client[lo+i]*d.keys + a.key[lo+i]
	}
	d.table.TakeBlock(pairs, a.time[lo:hi], a.cost[lo:hi], verdicts)
	for i := range verdicts {
		verdicts[i] |= counters.Verdict(counters.ByLocal) << 1
	}
	return hi - lo
}

func (*localDecider) next() int64 { return never }
func (*localDecider) step(int64)  {}

func (d *localDecider) inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	pair := client*d.keys + key
	return d.table.Level(pair, now), d.table.RetryAt(pair, now, cost)
}
