package size

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// heaviest fills in the keys with the most requests, and what each needs.
func (a *answering) heaviest(candidates []counting.Limit, outcomes []least.Outcome, best int) error {
	var keys []int32
	for key, d := range a.study.Keys {
		if d.Requests > 0 {
			keys = append(keys, int32(key))
		}
	}
	slices.SortFunc(keys, func(x, y int32) int {
		return cmp.Or(cmp.Compare(a.study.Keys[y].Requests, a.study.Keys[x].Requests), cmp.Compare(x, y))
	})
	keys = keys[:min(len(keys), heaviestKeys)]
	if best >= 0 {
		candidates = append([]counting.Limit{outcomes[best].Limit}, candidates...)
	}
	own, err := a.study.Own(a.Algorithm, candidates, keys)
	if err != nil {
		return err
	}
	for i, key := range keys {
		k := a.heavy(key, own[i])
		if best >= 0 && own[i][0].Need != least.Unbounded {
			k.Need = &own[i][0].Need
		}
		a.d.Heaviest = append(a.d.Heaviest, k)
	}
	a.standOut()
	return nil
}

// farMore is how many times as much as all further heavy keys those need that stand out.
const farMore = 3

// standOut names the heavy keys that need far more in a minute than the others do, unless
// abusers are named.
func (a *answering) standOut() {
	heavy := slices.DeleteFunc(slices.Clone(a.d.Heaviest), func(k Key) bool { return k.PerMinute == 0 })
	slices.SortStableFunc(heavy, func(x, y Key) int { return cmp.Compare(y.PerMinute, x.PerMinute) })
	for i := 1; i < len(heavy) && a.Abusers == nil; i++ {
		if heavy[i-1].PerMinute >= farMore*heavy[i].PerMinute {
			a.d.StandOut = lists.Map(heavy[:i], func(k Key) string { return k.Key })
			return
		}
	}
}

// solve finds the settings, and recommends one.
func (a *answering) solve() error {
	f, err := a.search(a.study)
	if err != nil {
		return err
	}
	a.dropped(f.dropped)
	outcomes, best := f.outcomes, f.best
	for i := range outcomes {
		a.d.Settings = append(a.d.Settings, a.setting(&outcomes[i]))
	}
	if err := a.heaviest(f.candidates, outcomes, best); err != nil {
		return err
	}
	if best < 0 {
		return nil
	}
	a.d.Recommended = &best
	a.d.Unstopped = a.unstopped(outcomes)
	a.d.Reason = a.reason(&a.d.Settings[best])
	if err := a.backtest(&a.d.Settings[best], f.coarse); err != nil {
		return err
	}
	if a.study.Weighted() && !a.Goal.OfKeys && a.d.Goal.Allowed > 0 {
		a.d.Above = "costs differ, so a larger one can refuse more requests: check it with the replay command"
	}
	a.d.Replay = a.replay(outcomes[best].Limit)
	return a.policies(&outcomes[best])
}

// found is what a search finds in a log.
type found struct {
	candidates []counting.Limit
	outcomes   []least.Outcome
	dropped    []least.Dropped
	coarse     counting.Limit // the candidate of the one to recommend, before more were tried
	best       int            // index of the outcome to recommend, or -1
}

// search finds the settings of a log. Unless rates are asked for by name, it tries more of
// them beside the best one.
func (a *answering) search(s *least.Study) (f found, err error) {
	f.candidates = lists.Map(a.Rates, func(r units.Rate) counting.Limit { return counting.Limit{Count: r.Count, Window: r.Per} })
	slices.SortFunc(f.candidates, byRate)
	asked := len(a.Rates) > 0
	if !asked {
		f.candidates = s.Candidates(a.Algorithm, lists.Where(a.Windows, a.resolves))
	}
	answer, err := s.Solve(a.Algorithm, f.candidates, a.Goal, asked)
	if err != nil {
		return f, err
	}
	f.outcomes = answer.Outcomes
	if !asked {
		f.dropped = answer.Dropped
		f.outcomes = least.Frontier(a.Algorithm, f.outcomes)
	}
	if f.best = s.Recommend(f.outcomes); f.best < 0 {
		return f, nil
	}
	if f.coarse = a.Algorithm.With(f.outcomes[f.best].Limit, 0); asked || !a.Algorithm.Bucket {
		return f, nil
	}
	more, err := s.Solve(a.Algorithm, least.Between(f.candidates, f.coarse), a.Goal, false)
	if err != nil {
		return f, err
	}
	f.outcomes = append(f.outcomes, more.Outcomes...)
	slices.SortFunc(f.outcomes, func(x, y least.Outcome) int { return byRate(x.Limit, y.Limit) })
	f.outcomes = least.Frontier(a.Algorithm, f.outcomes)
	f.best = s.Recommend(f.outcomes)
	return f, nil
}

// byRate orders limits by their rates.
func byRate(x, y counting.Limit) int {
	switch {
	case least.Slower(x, y):
		return -1
	case least.Slower(y, x):
		return 1
	}
	return 0
}

// resolves reports whether the stamps of the log can tell windows of this length apart.
func (a *answering) resolves(window int64) bool {
	return a.Algorithm.Resolves(window, a.log.Facts.ResolutionNs)
}
