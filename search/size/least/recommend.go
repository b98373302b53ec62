package least

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
// refuse at least nine tenths of what the strictest refuses them. Outcomes that the log
// cannot decide come last.
func Recommend(outcomes []Outcome) int {
	strictest := int64(0)
	for _, o := range outcomes {
		if !o.Short {
			strictest = max(strictest, o.AbuserRequests)
		}
	}
	best := -1
	for i, o := range outcomes {
		if 10*o.AbuserRequests < 9*strictest && !o.Short {
			continue
		}
		if best < 0 || outcomes[best].Short && !o.Short || outcomes[best].Short == o.Short && o.Most < outcomes[best].Most {
			best = i
		}
	}
	return best
}
