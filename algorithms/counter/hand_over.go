package counter

// Forget sets the key's window back to its start.
func (t *FixedWindows) Forget(key int32) { t.state[key] = windowState{} }

// Copy gives a key what another table of the same limit has counted for one of
// its keys.
func (t *FixedWindows) Copy(key int32, from *FixedWindows, theirs int32) {
	t.state[key] = from.state[theirs]
}

// Forget makes the key's bucket one that nobody has asked yet.
func (t *TokenBuckets) Forget(key int32) { t.state[key] = t.rule.fresh() }

// Copy gives a key the bucket that another table of the same limit and options
// has for one of its keys.
func (t *TokenBuckets) Copy(key int32, from *TokenBuckets, theirs int32) {
	t.state[key] = from.state[theirs]
}
