package size

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// heaviest fills in the keys with the most requests, and what each needs.
func (a *answering) heaviest(candidates []counter.Limit, outcomes []least.Outcome, best int) error {
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
		candidates = append([]counter.Limit{outcomes[best].Limit}, candidates...)
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
	s := a.study
	candidates := lists.Map(a.Rates, func(r units.Rate) counter.Limit { return counter.Limit{Count: r.Count, Window: r.Per} })
	slices.SortFunc(candidates, byRate)
	asked := len(candidates) > 0
	if !asked {
		candidates = a.resolved(s.Candidates(a.Algorithm, a.Windows))
	}
	outcomes, err := a.outcomes(candidates, asked)
	if err != nil {
		return err
	}
	best := least.Recommend(outcomes)
	for i := range outcomes {
		a.d.Settings = append(a.d.Settings, a.setting(&outcomes[i]))
	}
	if err := a.heaviest(candidates, outcomes, best); err != nil {
		return err
	}
	if best < 0 {
		return nil
	}
	a.d.Recommended = &best
	a.d.Reason = a.reason(&a.d.Settings[best])
	if a.d.Above, err = a.above(outcomes[best].Limit); err != nil {
		return err
	}
	a.d.Replay = a.replay(outcomes[best].Limit)
	return a.policies(&outcomes[best])
}

// outcomes solves candidates. Unless they are asked for by name, it then tries more rates
// beside the best one.
func (a *answering) outcomes(candidates []counter.Limit, asked bool) ([]least.Outcome, error) {
	answer, err := a.study.Solve(a.Algorithm, candidates, a.Goal, asked)
	if err != nil {
		return nil, err
	}
	if asked {
		return answer.Outcomes, nil
	}
	a.dropped(answer.Dropped)
	outcomes := least.Frontier(a.Algorithm, answer.Outcomes)
	best := least.Recommend(outcomes)
	if best < 0 || !a.Algorithm.Bucket {
		return outcomes, nil
	}
	more, err := a.study.Solve(a.Algorithm, least.Between(candidates, outcomes[best].Limit), a.Goal, false)
	if err != nil {
		return nil, err
	}
	outcomes = append(outcomes, more.Outcomes...)
	slices.SortFunc(outcomes, func(x, y least.Outcome) int { return byRate(x.Limit, y.Limit) })
	return least.Frontier(a.Algorithm, outcomes), nil
}

// byRate orders limits by their rates.
func byRate(x, y counter.Limit) int {
	switch {
	case least.Slower(x, y):
		return -1
	case least.Slower(y, x):
		return 1
	}
	return 0
}

// resolved returns the candidates whose windows the stamps of the log can tell apart.
func (a *answering) resolved(candidates []counter.Limit) (list []counter.Limit) {
	for _, c := range candidates {
		if a.Algorithm.Resolves(c.Window, a.log.Facts.ResolutionNs) {
			list = append(list, c)
			continue
		}
		a.d.Unknown = append(a.d.Unknown, fmt.Sprintf("windows of %s: stamps resolve to %s", format.Span(c.Window), format.Span(a.log.Facts.ResolutionNs)))
	}
	a.coarse = len(list) == 0
	return list
}
