package counter

import "math/bits"

// Limits change in two ways. NewChanging knows all limits beforehand, and so
// can count in a unit that they share: nothing is rounded, and where there is no
// such unit it refuses. The Relimit methods of this file put a table under a
// limit that nobody has foreseen, as a limiter must whose limit somebody changes
// while it runs, or whose share of a limit depends on how many others there
// are: a bucket then changes its unit, which rounds, but there always is one.

// Relimit changes the limit of all windows, whose length stays what it is. What
// is counted stays counted.
func (t *FixedWindows) Relimit(limit Limit) { t.rule.limit = limit.Count }

// RelimitRounded changes the limit and the options of all buckets at now. A
// bucket keeps its level in tokens, rounded down to the new limit's units, up to
// the new depth; a debt stays a debt. It panics if o.Check(limit) fails.
func (t *TokenBuckets) RelimitRounded(limit Limit, o TokenBucketOptions, now int64) {
	t.setRule(newBucketRule(limit, o), now)
}

// setRule carries levels over, in tokens. Only another unit rounds them.
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
