package size

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
// which a key is admitted the least in any minute. With abusers, it is one of those that
// let at most a tenth more of their requests pass than the least. Outcomes that the log
// cannot decide come last.
func Recommend(s *Study, outcomes []Outcome) int {
	passes := s.AbuserRequests
	for _, o := range outcomes {
		if !o.Short {
			passes = min(passes, s.AbuserRequests-o.AbuserRequests)
		}
	}
	best := -1
	for i, o := range outcomes {
		if 10*(s.AbuserRequests-o.AbuserRequests) > 11*passes && !o.Short {
			continue
		}
		if best < 0 || outcomes[best].Short && !o.Short || outcomes[best].Short == o.Short && o.Most < outcomes[best].Most {
			best = i
		}
	}
	return best
}
