package size

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
)

// trial counts what a limit refuses some keys.
type trial struct {
	keys    []int32
	index   []int32 // by key: its place in keys, or -1
	table   counter.Table
	refused []tally
}

type tally struct{ requests, cost int64 }

func newTrial(a *Algorithm, limit counter.Limit, keys []int32, all int) (*trial, error) {
	table, err := a.table(limit, len(keys))
	if err != nil {
		return nil, err
	}
	t := &trial{keys: keys, index: make([]int32, all), table: table, refused: make([]tally, len(keys))}
	for key := range t.index {
		t.index[key] = -1
	}
	for i, key := range keys {
		t.index[key] = int32(i)
	}
	return t, nil
}

func (t *trial) see(b Block) error {
	for i, key := range b.Keys {
		at := t.index[key]
		if at < 0 {
			continue
		}
		if t.table.Take(at, b.Times[i], b.Costs[i]) == counter.Rejected {
			t.refused[at].requests++
			t.refused[at].cost += b.Costs[i]
		}
	}
	return nil
}
