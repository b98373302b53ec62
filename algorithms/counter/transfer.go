package counter

import "github.com/limitgauge/limitgauge/algorithms/integers"

// Forget resets the key's window to its initial state.
func (t *FixedWindows) Forget(key int32) { t.state[key] = windowState{} }

// Copy sets the state of a key to that of a key in another table with the same
// limit.
func (t *FixedWindows) Copy(key int32, from *FixedWindows, fromKey int32) {
	t.state[key] = from.state[fromKey]
}

// Return gives back cost that the key took at takenAt and did not use. It has no
// effect if the window of takenAt is over at now.
func (t *FixedWindows) Return(key int32, now, takenAt, cost int64) {
	s := &t.state[key]
	*s = t.rule.at(*s, now)
	if windowStart(takenAt, t.rule.width) == s.start {
		s.count -= min(s.count, max(cost, 0))
	}
}

// Forget resets the key's bucket to the state before its first request.
func (t *TokenBuckets) Forget(key int32) { t.state[key] = t.rule.fresh() }

// Copy sets the bucket of a key to that of a key in another table with the same
// limit and options.
func (t *TokenBuckets) Copy(key int32, from *TokenBuckets, fromKey int32) {
	t.state[key] = from.state[fromKey]
}

// Return gives back cost that the key took and did not use, up to a full bucket.
func (t *TokenBuckets) Return(key int32, now, cost int64) {
	s := &t.state[key]
	*s = t.rule.at(*s, now)
	s.missing -= min(s.missing, integers.MulDiv(max(cost, 0), t.rule.p, 1, maxMissing))
}
