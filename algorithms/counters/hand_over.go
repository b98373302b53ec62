package counters

// Reset forgets what is counted for a key.
func (t *FixedWindows) Reset(key int32) { t.state[key] = windowState{} }

// Copy gives a key what another table of the same limit has counted for one of
// its keys.
func (t *FixedWindows) Copy(key int32, from *FixedWindows, theirs int32) {
	t.state[key] = from.state[theirs]
}

// Reset makes a key's bucket one that nobody has asked yet.
func (t *TokenBuckets) Reset(key int32) { t.state[key] = t.rule.fresh() }

// Copy gives a key the bucket that another table of the same limit and options
// has for one of its keys.
func (t *TokenBuckets) Copy(key int32, from *TokenBuckets, theirs int32) {
	t.state[key] = from.state[theirs]
}

// Credit gives cost back to a key's bucket, up to its depth.
func (t *TokenBuckets) Credit(key int32, cost int64) {
	s := &t.state[key]
	s.missing = max(0, s.missing-cost*t.rule.p)
}
