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

// Recommend returns the index of the outcome to use, or -1 if there is none: the one
// that refuses the most requests of abusers, and of those the one that lets a key take
// the least in any minute. Outcomes that the log cannot decide come last.
func Recommend(outcomes []Outcome) int {
	best := -1
	for i, o := range outcomes {
		if best < 0 || o.better(&outcomes[best]) {
			best = i
		}
	}
	return best
}

func (o *Outcome) better(than *Outcome) bool {
	switch {
	case o.Short != than.Short:
		return than.Short
	case o.AbuserRequests != than.AbuserRequests:
		return o.AbuserRequests > than.AbuserRequests
	}
	return o.Most < than.Most
}
