package least

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// period holds requests of a key between two times at which its counter is as new, even
// if everything is admitted, and what one allowance decides. Nothing outside of a period
// has an influence on its decisions.
type period struct {
	need, largest int64 // of its costs
	times, costs  []int64

	refused int64
	from    int64 // the decisions are those of the allowances from this one
	below   int64 // to below this one
}

// split divides the requests of a key with this need into periods, and holds those that
// need more than an allowance.
func (s *search) split(all *rows, need, allowance int64) error {
	table, err := s.algorithm.table(s.algorithm.With(s.limit, need), 1)
	if err != nil {
		return err
	}
	start := 0
	p := period{}
	end := func(at int) {
		if p.need > allowance {
			p.times, p.costs = all.times[start:at], all.costs[start:at]
			p.largest = slices.Max(p.costs)
			held := p
			s.held = append(s.held, &held)
		}
		start, p = at, period{}
	}
	for i, now := range all.times {
		if i > 0 && table.Level(0, now) == need {
			end(i)
		}
		table.Take(0, now, all.costs[i])
		p.need = max(p.need, need-table.Level(0, now))
	}
	end(len(all.times))
	return nil
}

// decide returns how many requests of a period an allowance refuses.
func (s *search) decide(p *period, allowance int64) (int64, error) {
	if p.need <= allowance {
		return 0, nil
	}
	if p.from <= allowance && allowance < p.below {
		return p.refused, nil
	}
	table, err := s.algorithm.table(s.algorithm.With(s.limit, allowance), 1)
	if err != nil {
		return 0, err
	}
	s.work += int64(len(p.times))
	p.refused, p.from, p.below = 0, allowance, p.need
	for i, now := range p.times {
		if table.Take(0, now, p.costs[i]) == counting.Rejected {
			p.refused++
			p.below = min(p.below, allowance+p.costs[i]-table.Level(0, now))
		}
	}
	return p.refused, nil
}

// lowestOf returns an allowance below which the periods refuse more requests than
// allowed. One that needs u more than an allowance refuses u/largest of its requests at
// least.
func lowestOf(periods []*period, allowed int64) int64 {
	refuses := func(allowance int64) bool {
		left := allowed
		for _, p := range periods {
			if p.need > allowance {
				left -= min(integers.CeilDiv(p.need-allowance, p.largest), int64(len(p.times)))
			}
		}
		return left < 0
	}
	most := int64(1)
	for _, p := range periods {
		most = max(most, p.need)
	}
	return leastWithout(refuses, most)
}
