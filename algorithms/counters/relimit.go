package counters

import "math/bits"

// Relimit changes the limit and the options of all buckets at now. A bucket
// keeps its level in tokens, rounded down to the new limit's units, up to the
// new depth; a debt stays a debt. It panics if o.Check(limit) fails.
func (t *TokenBuckets) Relimit(limit Limit, o TokenBucketOptions, now int64) {
	before := t.rule
	t.rule = newBucketRule(limit, o)
	for i := range t.state {
		s := &t.state[i]
		if s.last == unseen {
			*s = t.rule.fresh()
			continue
		}
		*s = before.at(*s, now)
		s.missing = t.rule.missingAt(before.depth-s.missing, before.p)
	}
}

// missingAt is what a bucket lacks that has a level in units of 1/p of a token.
func (r *bucketRule) missingAt(level, p int64) int64 {
	debt := level < 0
	hi, lo := bits.Mul64(uint64(max(level, -level)), uint64(r.p))
	if hi >= uint64(p) {
		if debt {
			return maxMissing
		}
		return 0
	}
	units, left := bits.Div64(hi, lo, uint64(p))
	switch {
	case !debt && units >= uint64(r.depth):
		return 0
	case !debt:
		return r.depth - int64(units)
	case left > 0:
		units++
	}
	if units > uint64(maxMissing-r.depth) {
		return maxMissing
	}
	return r.depth + int64(units)
}
