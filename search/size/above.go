package size

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Range is a range of allowances, both ends included.
type Range struct{ From, To int64 }

// Above returns the ranges of allowances above that of a limit that break the goal, in
// order, and the allowance from which on all were found to keep it. complete is false if
// that took too much work: allowances from there on are then unknown. If costs do not
// differ, there is no such range.
func (s *Study) Above(a *Algorithm, limit counter.Limit, g Goal) (breaks []Range, from int64, complete bool, err error) {
	at := a.Allowance(limit)
	find := search{study: s, algorithm: a, limit: limit, needs: make([]int64, len(s.Keys)), allowed: s.Allowed(g)}
	if s.equal || g.OfKeys || find.allowed == 0 {
		return nil, at, true, nil
	}
	pass := a.need(a.With(limit, 1), len(s.Keys))
	if err := s.log(func(b Block) error { pass.see(b); return nil }); err != nil {
		return nil, at, false, err
	}
	for key := range find.needs {
		find.needs[key] = pass.of(int32(key))
	}
	defer find.spend(1)()
	if !find.activate(at) {
		return nil, at, false, nil
	}
	if err := find.hold(at); err != nil {
		return nil, at, false, err
	}
	return find.above(at)
}

// above tries the allowances from one on, in the steps of scan.
func (s *search) above(at int64) (breaks []Range, from int64, complete bool, err error) {
	for from = at; ; {
		refused, err := s.refused(at)
		if err != nil {
			return nil, at, false, err
		}
		if refused == 0 {
			return breaks, from, true, nil
		}
		next := s.next(at)
		if refused > s.allowed {
			if n := len(breaks); n > 0 && breaks[n-1].To == at-1 {
				breaks[n-1].To = next - 1
			} else {
				breaks = append(breaks, Range{at, next - 1})
			}
			from = next
		}
		if at = next; s.work > s.most {
			return breaks, at, false, nil
		}
	}
}

// next returns the least allowance above one at which a decision changes.
func (s *search) next(at int64) int64 {
	next := Unbounded
	for _, p := range s.held {
		if p.need > at {
			next = min(next, p.below)
		}
	}
	s.work += int64(len(s.held))
	return next
}
