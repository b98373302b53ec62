package least

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// stateMemory limits the bytes of the tables of one pass over the log.
const stateMemory = 64 << 20

// mostNamed is how many refused keys an outcome names.
const mostNamed = 10

// Outcome is a limit with its least allowance and the reserve, and what it refuses.
type Outcome struct {
	Limit counting.Limit
	Least
	Short          bool      // the log is too short to show what it needs; see Dropped
	Requests, Cost int64     // refused of the demand
	Keys           int64     // of the demand with refused requests
	AbuserRequests int64     // refused of the abusers
	Who            []Refused // of the demand, the most refused first
	Most           int64     // bound on the cost that a key is admitted in any minute, without the reserve
}

// Refused is what a key is refused.
type Refused struct {
	Key            int32
	Requests, Cost int64
}

// Dropped is a candidate that the log cannot decide: its allowance, at least this,
// takes more than a quarter of the log's span to refill or is more than a counter can hold.
type Dropped struct {
	Limit     counting.Limit
	Allowance int64 // 0 of a window
}

// Minute is the interval of Outcome.Most in ns.
const Minute = int64(60e9)

// Answer is what Solve finds.
type Answer struct {
	Outcomes []Outcome // in the order of the candidates
	Dropped  []Dropped
}

// Solve finds the least allowance of each candidate. It drops those that the log cannot
// decide and leaves out rates that take as much as a slower one, unless they are asked for
// by name.
func (s *Study) Solve(a *Algorithm, candidates []counting.Limit, g Goal, asked bool) (*Answer, error) {
	answer, order := &Answer{}, slices.Clone(candidates)
	room := max(1, stateMemory/(40*(len(s.Keys)+1)))
	if s.hasty { // what one needs leaves others out
		room = 1
		if at := slices.Index(order, s.expected); at > 0 {
			copy(order[1:], order[:at])
			order[0] = s.expected
		}
	}
	var tried []counting.Limit
	for i, limit := range order {
		d := Dropped{limit, s.bound(a, limit, g)}
		switch {
		case !asked && s.short(a, a.With(limit, d.Allowance)):
			answer.Dropped = append(answer.Dropped, d)
		case a.Most(a.With(limit, d.Allowance), Minute) <= s.most:
			tried = append(tried, limit)
		}
		if len(tried) == room || i == len(order)-1 {
			if err := s.solve(a, tried, g, asked, answer); err != nil {
				return nil, err
			}
			tried = tried[:0]
		}
	}
	at := func(o Outcome) int { return slices.Index(candidates, a.With(o.Limit, 0)) }
	slices.SortStableFunc(answer.Outcomes, func(x, y Outcome) int { return at(x) - at(y) })
	return answer, nil
}

// solve solves candidates whose tables fit in memory.
func (s *Study) solve(a *Algorithm, candidates []counting.Limit, g Goal, asked bool, answer *Answer) error {
	if len(candidates) == 0 {
		return nil
	}
	needs, err := s.needs(a, candidates, g)
	if err != nil {
		return err
	}
	var trials []*trial
	first := len(answer.Outcomes)
	for i, limit := range candidates {
		own := needs[i]
		needs[i] = nil
		find := search{study: s, algorithm: a, limit: limit, needs: own, allowed: s.Allowed(g)}
		least := find.lowest(g)
		s.note(a, limit, own, least)
		if find.largestNeed() == Unbounded || !asked && s.short(a, a.With(limit, least)) {
			answer.Dropped = append(answer.Dropped, Dropped{limit, least})
			continue
		}
		if find.tooMuch(least) || !asked && s.behind(a, answer.Outcomes, least) {
			continue
		}
		used := find.spend(len(candidates))
		found, err := find.find(g, least)
		used()
		if err != nil {
			return err
		}
		if find.tooMuch(found.Allowance) || !asked && s.behind(a, answer.Outcomes, found.Allowance) {
			continue
		}
		full := a.With(limit, found.Allowance)
		if s.short(a, full) && !asked {
			answer.Dropped = append(answer.Dropped, Dropped{limit, found.Allowance})
			continue
		}
		o := Outcome{Least: found, Short: s.short(a, full), Most: a.Most(full, Minute)}
		full = a.With(limit, g.reserved(found.Allowance))
		o.Limit = full
		answer.Outcomes = append(answer.Outcomes, o)
		if s.hasty {
			if !o.Short {
				s.most = min(s.most, o.Most)
			}
			continue
		}
		t, err := newTrial(a, full, keysAbove(own, found.Allowance), len(own))
		if err != nil {
			return err
		}
		trials = append(trials, t)
	}
	if s.hasty {
		return nil
	}
	err = s.only(lists.Map(trials, func(t *trial) []int32 { return t.keys })...)(func(b Block) error {
		for _, t := range trials {
			t.see(b)
		}
		return nil
	})
	for i, t := range trials {
		answer.Outcomes[first+i].count(s, t)
	}
	return err
}

// behind reports whether a rate with this allowance is no longer one of the Frontier: a
// slower one, which was solved before, takes no more. A hasty search has another order.
func (s *Study) behind(a *Algorithm, slower []Outcome, allowance int64) bool {
	n := len(slower)
	return a.Bucket && !s.hasty && n > 0 && allowance >= slower[n-1].Allowance
}

// Count returns what a limit refuses.
func (s *Study) Count(a *Algorithm, limit counting.Limit) (Outcome, error) {
	o := Outcome{Limit: limit, Most: a.Most(limit, Minute)}
	t, err := s.trial(a, limit)
	if err != nil {
		return o, err
	}
	err = s.log(func(b Block) error { t.see(b); return nil })
	o.count(s, t)
	return o, err
}

// trial returns the trial of a limit for the keys that it could refuse anything.
func (s *Study) trial(a *Algorithm, limit counting.Limit) (*trial, error) {
	costs := lists.Map(s.Keys, func(d Demand) int64 { return d.Cost })
	return newTrial(a, limit, keysAbove(costs, a.Allowance(limit)), len(costs))
}

// keysAbove returns the keys that need more than an allowance. No other key is refused
// anything.
func keysAbove(needs []int64, allowance int64) (keys []int32) {
	for key, need := range needs {
		if need > allowance {
			keys = append(keys, int32(key))
		}
	}
	return keys
}

// count adds what a trial has refused.
func (o *Outcome) count(s *Study, t *trial) {
	for i, key := range t.keys {
		refused := t.refused[i]
		switch {
		case refused.requests == 0:
		case s.IsAbuser(key):
			o.AbuserRequests += refused.requests
		default:
			o.Requests += refused.requests
			o.Cost += refused.cost
			o.Keys++
			o.Who = append(o.Who, Refused{key, refused.requests, refused.cost})
		}
	}
	slices.SortFunc(o.Who, func(x, y Refused) int { return cmp.Or(cmp.Compare(y.Requests, x.Requests), cmp.Compare(x.Key, y.Key)) })
	o.Who = slices.Clone(o.Who[:min(len(o.Who), mostNamed)])
}
