package least

import "cmp"

// Frontier returns the outcomes of which none is at least as strict as another in rate
// and in burst. Windows are all kept. The outcomes of a bucket must be in the order of
// their rates.
func Frontier(a *Algorithm, outcomes []Outcome) (list []Outcome) {
	for _, o := range outcomes {
		if n := len(list); !a.Bucket || n == 0 || o.Allowance < list[n-1].Allowance {
			list = append(list, o)
		}
	}
	return list
}

// Recommend returns the index of the outcome to use, or -1 if there is none: the one under
// which a key is admitted the least in any minute. With abusers, it is the one that refuses
// the fewest keys of the demand, then the most requests of abusers, and then admits the
// least. If abusers can be stopped, it is of those that refuse at least nine tenths of what
// the strictest refuses them. Outcomes that the log cannot decide come last.
func (s *Study) Recommend(outcomes []Outcome) int {
	best, strictest, stopped := -1, Strictest(outcomes), s.Stopped(outcomes)
	for i, o := range outcomes {
		if !o.Short && stopped && 10*o.AbuserRequests < 9*strictest {
			continue
		}
		if best < 0 || worse(&outcomes[best], &o, s.abuser != nil) > 0 {
			best = i
		}
	}
	return best
}

// Stopped reports whether an outcome that the log can decide refuses half of what abusers
// send, or more.
func (s *Study) Stopped(outcomes []Outcome) bool { return 2*Strictest(outcomes) >= s.AbuserRequests }

// Strictest returns the most requests of abusers that an outcome refuses which the log can
// decide.
func Strictest(outcomes []Outcome) (most int64) {
	for _, o := range outcomes {
		if !o.Short {
			most = max(most, o.AbuserRequests)
		}
	}
	return most
}

// worse compares what speaks against two outcomes, the gravest first.
func worse(x, y *Outcome, abusers bool) int {
	switch {
	case x.Short != y.Short && x.Short:
		return 1
	case x.Short != y.Short:
		return -1
	case !abusers:
		return cmp.Compare(x.Most, y.Most)
	}
	return cmp.Or(cmp.Compare(x.Keys, y.Keys), cmp.Compare(y.AbuserRequests, x.AbuserRequests), cmp.Compare(x.Most, y.Most))
}
