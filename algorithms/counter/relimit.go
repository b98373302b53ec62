package counter

import "math/bits"

// Limits can change in two ways. NewChanging knows all limits beforehand, so it
// counts in a unit that they share and rounds nothing; without such a unit it
// returns an error. The Relimit methods of this file accept any limit, for
// limiters whose limit is changed during a run, or whose share of a limit depends
// on the number of clients. A bucket then changes its unit, which rounds its
// level, but always succeeds.

// Relimit changes the limit of all windows. Their length and their counts stay.
func (t *FixedWindows) Relimit(limit Limit) { t.rule.limit = limit.Count }

// RelimitRounded changes the limit and the options of all buckets at now. A
// bucket keeps its level in tokens, rounded down to the new limit's unit and cut
// to the new depth; a debt stays a debt. It panics if o.Check(limit) fails.
func (t *TokenBuckets) RelimitRounded(limit Limit, o TokenBucketOptions, now int64) {
	t.setRule(newBucketRule(limit, o), now)
}

// setRule changes the rule and keeps the levels in tokens. It rounds them only if
// the unit changes.
func (t *TokenBuckets) setRule(rule bucketRule, now int64) {
	before := t.rule
	t.rule = rule
	for i := range t.state {
		s := &t.state[i]
		if s.last == unseen {
			*s = rule.fresh()
			continue
		}
		*s = before.at(*s, now)
		s.missing = rule.missingAt(before.depth-s.missing, before.p)
	}
}

// missingAt returns the units missing from a bucket whose level is given in
// units of 1/p of a token.
func (r *bucketRule) missingAt(level, p int64) int64 {
	debt := level < 0
	hi, lo := bits.Mul64(uint64(max(level, -level)), uint64(r.p))
	if hi >= uint64(p) {
		if debt {
			return maxMissing
		}
		return 0
	}
	units, rest := bits.Div64(hi, lo, uint64(p))
	switch {
	case !debt && units >= uint64(r.depth):
		return 0
	case !debt:
		return r.depth - int64(units)
	case rest > 0:
		units++
	}
	if units > uint64(maxMissing-r.depth) {
		return maxMissing
	}
	return r.depth + int64(units)
}
