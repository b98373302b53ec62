package least

import "github.com/limitgauge/limitgauge/algorithms/counting"

// trial counts what a limit refuses some keys.
type trial struct {
	keys     []int32
	index    []int32 // by key: its place in keys plus 1, or 0
	decider  decider
	refused  []tally
	some     Block // the requests of keys in a block of the log
	verdicts []counting.Verdict
}

type tally struct{ requests, cost int64 }

func newTrial(a *Algorithm, limit counting.Limit, keys []int32, all int) (*trial, error) {
	decider, err := a.decider(limit, len(keys))
	if err != nil {
		return nil, err
	}
	return &trial{keys: keys, index: places(keys, all), decider: decider, refused: make([]tally, len(keys))}, nil
}

// see decides the requests of a block and returns how many are refused.
func (t *trial) see(b Block) (rejected int64) {
	t.some.fill(b, t.index)
	n := len(t.some.Keys)
	for len(t.verdicts) < n {
		t.verdicts = append(t.verdicts, counting.Rejected)
	}
	t.decider.TakeBlock(t.some.Keys, t.some.Times, t.some.Costs, t.verdicts[:n])
	for i, v := range t.verdicts[:n] {
		if v == counting.Rejected {
			refused := &t.refused[t.some.Keys[i]]
			refused.requests++
			refused.cost += t.some.Costs[i]
			rejected++
		}
	}
	return rejected
}

// places returns by key its place in keys plus 1, or 0 for a key that is not in them.
func places(keys []int32, all int) []int32 {
	index := make([]int32, all)
	for i, key := range keys {
		index[key] = int32(i) + 1
	}
	return index
}

// fill sets b to the requests of a block whose keys have a place, with the places as keys.
func (b *Block) fill(from Block, index []int32) {
	b.Keys, b.Times, b.Costs = b.Keys[:0], b.Times[:0], b.Costs[:0]
	for i, key := range from.Keys {
		if at := index[key]; at > 0 {
			b.Keys, b.Times, b.Costs = append(b.Keys, at-1), append(b.Times, from.Times[i]), append(b.Costs, from.Costs[i])
		}
	}
}

// only plays the requests of keys in these lists.
func (s *Study) only(lists ...[]int32) Log {
	index := make([]int32, len(s.Keys))
	for _, keys := range lists {
		for _, key := range keys {
			index[key] = key + 1
		}
	}
	return s.log.of(index)
}

// of plays the requests of a log whose keys have a place, with the places as keys.
func (l Log) of(index []int32) Log {
	var some Block
	return func(visit func(Block) error) error {
		return l(func(b Block) error { some.fill(b, index); return visit(some) })
	}
}
