package least

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Unbounded is the need of a key that no allowance meets which a counter can hold.
const Unbounded = int64(math.MaxInt64)

// needs finds the least allowance of each limit with which each key is refused nothing.
//
// If an allowance refuses nothing, everything is counted, so what the counter holds is
// what it holds without a limit. So the need of a key is the most that it ever holds,
// and a smaller allowance refuses something, whatever the costs are.
type needs interface {
	see(b Block)
	of(limit int, key int32) int64 // limit is an index
}

// needs returns what each of the keys 0 to keys-1 of a log needs under each limit, by limit
// and key.
func (a *Algorithm) needs(log Log, limits []counting.Limit, keys int) ([][]int64, error) {
	pass := a.need(limits, keys)
	err := log(func(b Block) error { pass.see(b); return nil })
	all := make([][]int64, len(limits))
	for i := range all {
		all[i] = make([]int64, keys)
		for key := range all[i] {
			all[i][key] = pass.of(i, int32(key))
		}
	}
	return all, err
}

// candidate is a limit without an allowance, and the counter that decides by it.
type candidate struct {
	algorithm string
	limit     counting.Limit
}

// above is which keys of the demand need more than an allowance.
type above struct {
	allowance int64
	keys      []int32
}

// needs returns what each key needs under each limit, by limit and key. In a fold no key
// needs more than in the whole log. So there only those that need more than an allowance
// in the whole are asked, and what others need is left at 0, if the fold must allow as much.
func (s *Study) needs(a *Algorithm, limits []counting.Limit, g Goal) ([][]int64, error) {
	if s.whole == nil {
		return s.needsOf(a, limits, s.demand())
	}
	var known, open []int // places of limits
	var keys []int32
	for i, limit := range limits {
		if of, ok := s.whole.above[candidate{a.Name, limit}]; ok {
			known, keys = append(known, i), append(keys, of.keys...)
		} else {
			open = append(open, i)
		}
	}
	all := make([][]int64, len(limits))
	fill := func(places []int, keys []int32) error {
		if len(places) == 0 {
			return nil
		}
		found, err := s.needsOf(a, lists.Map(places, func(i int) counting.Limit { return limits[i] }), keys)
		for at, i := range places {
			all[i] = found[at]
		}
		return err
	}
	slices.Sort(keys)
	if err := fill(known, slices.Compact(keys)); err != nil {
		return nil, err
	}
	for _, i := range known {
		if lowest(all[i], s, g, s.Allowed(g)) < s.whole.above[candidate{a.Name, limits[i]}].allowance {
			open = append(open, i)
		}
	}
	return all, fill(open, s.demand())
}

// needsOf returns what keys of the demand need under each limit, by limit and key, and 0 of
// others. An abuser's need decides nothing, so in place of it stands the cost of all its
// requests, which is as much or more.
func (s *Study) needsOf(a *Algorithm, limits []counting.Limit, keys []int32) ([][]int64, error) {
	log := s.log
	if len(keys) < len(s.Keys) {
		log = log.of(places(keys, len(s.Keys)))
	}
	found, err := a.needs(log, limits, len(keys))
	all := make([][]int64, len(limits))
	for i, of := range found {
		all[i] = make([]int64, len(s.Keys))
		for at, key := range keys {
			all[i][key] = of[at]
		}
		found[i] = nil
		for key, abuser := range s.abuser {
			if abuser {
				all[i][key] = s.Keys[key].Cost
			}
		}
	}
	return all, err
}

// demand returns the keys that are not abusers.
func (s *Study) demand() []int32 {
	keys := make([]int32, 0, len(s.Keys))
	for key := range s.Keys {
		if !s.IsAbuser(int32(key)) {
			keys = append(keys, int32(key))
		}
	}
	return keys
}

// note keeps which keys need more than half of the least allowance that a candidate can
// have, for the folds, unless they are many.
func (s *Study) note(a *Algorithm, limit counting.Limit, needs []int64, least int64) {
	if s.whole != nil {
		return
	}
	of := above{allowance: max(least/2, 1)}
	for key, need := range needs {
		if need > of.allowance && !s.IsAbuser(int32(key)) {
			of.keys = append(of.keys, int32(key))
		}
	}
	if len(of.keys) <= len(s.Keys)/8 {
		if s.above == nil {
			s.above = map[candidate]above{}
		}
		s.above[candidate{a.Name, limit}] = of
	}
}

// full is more units than any bucket can hold.
const full = int64(1)<<62 + 1

// bucketNeeds makes one Lindley pass for each key and rate: what is missing from a bucket
// that admits everything falls by n units in a ns, down to 0, and rises by p units with each
// unit of cost. Its largest value is the supremum over s <= t of A[s,t]*p - n*(t-s).
type bucketNeeds struct {
	rates []refill
	last  []int64   // by key: when its last request came
	state []backlog // by key, and of a key by rate, so that a request finds its rates side by side
}

type refill struct{ n, p, longest int64 }

type backlog struct{ missing, worst int64 }

func newBucketNeeds(limits []counting.Limit, keys int) needs {
	b := &bucketNeeds{last: make([]int64, keys), state: make([]backlog, keys*len(limits))}
	for _, limit := range limits {
		n, p := limit.Rate()
		b.rates = append(b.rates, refill{n, p, full / n})
	}
	return b
}

func (b *bucketNeeds) see(block Block) {
	rates := b.rates
	for i, key := range block.Keys {
		now, cost := block.Times[i], block.Costs[i]
		elapsed := now - b.last[key]
		b.last[key] = now
		state := b.state[int(key)*len(rates):][:len(rates)]
		for j := range state {
			s, r := &state[j], &rates[j]
			missing := int64(0)
			if elapsed <= r.longest {
				missing = max(s.missing-elapsed*r.n, 0)
			}
			s.missing = min(missing+integers.Mul(cost, r.p, full-1), full)
			s.worst = max(s.worst, s.missing)
		}
	}
}

func (b *bucketNeeds) of(limit int, key int32) int64 {
	p := b.rates[limit].p
	if need := integers.CeilDiv(b.state[int(key)*len(b.rates)+limit].worst, p); need <= (full-1)/p {
		return need
	}
	return Unbounded
}

// fixedNeeds counts the cost in each calendar window.
type fixedNeeds struct {
	limits []counting.Limit
	state  []calendar // by key, and of a key by limit
}

type calendar struct{ index, count, worst int64 }

func newFixedNeeds(limits []counting.Limit, keys int) needs {
	return &fixedNeeds{limits, make([]calendar, keys*len(limits))}
}

func (f *fixedNeeds) see(block Block) {
	for i, key := range block.Keys {
		for j, limit := range f.limits {
			s := &f.state[int(key)*len(f.limits)+j]
			if index := block.Times[i] / limit.Window; index > s.index {
				s.index, s.count = index, 0
			}
			s.count += block.Costs[i]
			s.worst = max(s.worst, s.count)
		}
	}
}

func (f *fixedNeeds) of(limit int, key int32) int64 {
	return f.state[int(key)*len(f.limits)+limit].worst
}

// slidingNeeds reads what logs hold that admit everything.
type slidingNeeds struct {
	logs  []*counting.SlidingLogs // by limit
	worst [][]int64               // by limit and key
}

// unlimited is a count that no key reaches.
const unlimited = 1 << 60

func newSlidingNeeds(limits []counting.Limit, keys int) needs {
	l := &slidingNeeds{}
	for _, limit := range limits {
		limit.Count = unlimited
		l.logs = append(l.logs, counting.NewSlidingLogs(limit, counting.WindowOptions{}, keys))
		l.worst = append(l.worst, make([]int64, keys))
	}
	return l
}

func (l *slidingNeeds) see(block Block) {
	for j, logs := range l.logs {
		for i, key := range block.Keys {
			worst, now := &l.worst[j][key], block.Times[i]
			if logs.Take(key, now, block.Costs[i]) == counting.Rejected {
				*worst = Unbounded
				continue
			}
			*worst = max(*worst, unlimited-logs.Level(key, now))
		}
	}
}

func (l *slidingNeeds) of(limit int, key int32) int64 { return l.worst[limit][key] }
