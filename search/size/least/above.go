package least

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Range is a range of allowances, both ends included.
type Range struct{ From, To int64 }

// Above returns the ranges of allowances above that of a limit that break the goal, in
// order, and the allowance from which on all were found to keep it. complete is false if
// that took too much work: allowances from there on are then unknown. If costs do not
// differ, there is no such range.
func (s *Study) Above(a *Algorithm, limit counting.Limit, g Goal) (breaks []Range, from int64, complete bool, err error) {
	at := a.Allowance(limit)
	find := search{study: s, algorithm: a, limit: limit, allowed: s.Allowed(g)}
	if s.equal || g.OfKeys || find.allowed == 0 {
		return nil, at, true, nil
	}
	needs, err := s.needs(a, []counting.Limit{a.With(limit, 1)})
	if err != nil {
		return nil, at, false, err
	}
	find.needs = needs[0]
	defer find.spend(1)()
	if !find.activate(at) {
		return nil, at, false, nil
	}
	if err := find.hold(at); err != nil {
		return nil, at, false, err
	}
	return find.above(at)
}

// above tries the allowances from one on.
func (s *search) above(at int64) (breaks []Range, from int64, complete bool, err error) {
	t, err := s.walkFrom(at)
	for from = at; err == nil && t.refused > 0; err = t.advance() {
		if s.work > s.most {
			return breaks, t.at, false, nil
		}
		if t.refused <= s.allowed {
			continue
		}
		from = t.next()
		if n := len(breaks); n > 0 && breaks[n-1].To == t.at-1 {
			breaks[n-1].To = from - 1
		} else {
			breaks = append(breaks, Range{t.at, from - 1})
		}
	}
	return breaks, from, true, err
}
