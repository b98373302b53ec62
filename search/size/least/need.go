package least

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Unbounded is the need of a key that no allowance meets which a counter can hold.
const Unbounded = int64(math.MaxInt64)

// needs finds the least allowance with which each key is refused nothing.
//
// If an allowance refuses nothing, everything is counted, so what the counter holds is
// what it holds without a limit. So the need of a key is the most that it ever holds,
// and a smaller allowance refuses something, whatever the costs are.
type needs interface {
	see(b Block)
	of(key int32) int64
}

// full is more units than any bucket can hold.
const full = int64(1)<<62 + 1

// bucketNeeds makes one Lindley pass for each key: what is missing from a bucket that
// admits everything falls by n units in a ns, down to 0, and rises by p units with each
// unit of cost. Its largest value is the supremum over s <= t of A[s,t]*p - n*(t-s).
type bucketNeeds struct {
	n, p, longest int64
	state         []backlog
}

type backlog struct{ missing, last, worst int64 }

func newBucketNeeds(limit counting.Limit, keys int) needs {
	n, p := limit.Rate()
	return &bucketNeeds{n: n, p: p, longest: full / n, state: make([]backlog, keys)}
}

func (b *bucketNeeds) see(block Block) {
	for i, key := range block.Keys {
		s := &b.state[key]
		now := block.Times[i]
		if elapsed := now - s.last; elapsed > b.longest {
			s.missing = 0
		} else {
			s.missing = max(s.missing-elapsed*b.n, 0)
		}
		s.last = now
		s.missing = min(s.missing+integers.Mul(block.Costs[i], b.p, full-1), full)
		s.worst = max(s.worst, s.missing)
	}
}

func (b *bucketNeeds) of(key int32) int64 {
	if need := integers.CeilDiv(b.state[key].worst, b.p); need <= (full-1)/b.p {
		return need
	}
	return Unbounded
}

// fixedNeeds counts the cost in each calendar window.
type fixedNeeds struct {
	window int64
	state  []calendar
}

type calendar struct{ index, count, worst int64 }

func newFixedNeeds(limit counting.Limit, keys int) needs {
	return &fixedNeeds{window: limit.Window, state: make([]calendar, keys)}
}

func (f *fixedNeeds) see(block Block) {
	for i, key := range block.Keys {
		s := &f.state[key]
		if index := block.Times[i] / f.window; index > s.index {
			s.index, s.count = index, 0
		}
		s.count += block.Costs[i]
		s.worst = max(s.worst, s.count)
	}
}

func (f *fixedNeeds) of(key int32) int64 { return f.state[key].worst }

// slidingNeeds reads what a log holds that admits everything.
type slidingNeeds struct {
	limit int64
	logs  *counting.SlidingLogs
	worst []int64
}

func newSlidingNeeds(limit counting.Limit, keys int) needs {
	limit.Count = 1 << 60
	return &slidingNeeds{limit.Count, counting.NewSlidingLogs(limit, counting.WindowOptions{}, keys), make([]int64, keys)}
}

func (l *slidingNeeds) see(block Block) {
	for i, key := range block.Keys {
		now := block.Times[i]
		if l.logs.Take(key, now, block.Costs[i]) == counting.Rejected {
			l.worst[key] = Unbounded
			continue
		}
		l.worst[key] = max(l.worst[key], l.limit-l.logs.Level(key, now))
	}
}

func (l *slidingNeeds) of(key int32) int64 { return l.worst[key] }
