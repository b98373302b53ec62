package least

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Own is the need of one key under a limit, and whether the log is too short to show it.
type Own struct {
	Limit counting.Limit
	Need  int64
	Short bool
}

// Own returns what each of the keys needs under each candidate, by key.
func (s *Study) Own(a *Algorithm, candidates []counting.Limit, keys []int32) ([][]Own, error) {
	needs, err := a.needs(s.log.of(places(keys, len(s.Keys))), candidates, len(keys))
	list := make([][]Own, len(keys))
	for i := range keys {
		for c, limit := range candidates {
			need := needs[c][i]
			short := need == Unbounded || s.short(a, a.With(limit, need))
			list[i] = append(list[i], Own{limit, need, short})
		}
	}
	return list, err
}

// Tightest returns the need of a key under which it takes the least in any minute.
func Tightest(a *Algorithm, own []Own) (best Own, found bool) {
	for _, o := range own {
		if o.Short {
			continue
		}
		o.Limit = a.With(o.Limit, max(o.Need, 1))
		if !found || a.Most(o.Limit, Minute) < a.Most(best.Limit, Minute) {
			best, found = o, true
		}
	}
	return best, found
}
