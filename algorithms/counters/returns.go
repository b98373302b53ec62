package counters

// Return puts back cost that the key was given and has not used, as far as
// there is room.
func (t *TokenBuckets) Return(key int32, now, cost int64) {
	s := &t.state[key]
	*s = t.rule.at(*s, now)
	s.missing -= min(s.missing, mulDiv(max(cost, 0), t.rule.p, 1, maxMissing))
}

// Forget sets the key's bucket back to its start.
func (t *TokenBuckets) Forget(key int32) { t.state[key] = t.rule.fresh() }

// Return puts back cost that the key was given at takenAt and has not used,
// unless that window is over at now.
func (t *FixedWindows) Return(key int32, now, takenAt, cost int64) {
	s := &t.state[key]
	*s = t.rule.at(*s, now)
	if windowStart(takenAt, t.rule.width) == s.start {
		s.count -= min(s.count, max(cost, 0))
	}
}

// Forget sets the key's window back to its start.
func (t *FixedWindows) Forget(key int32) { t.state[key] = windowState{} }

// Relimit changes the limit of all windows, whose length stays what it is. What
// is counted stays counted.
func (t *FixedWindows) Relimit(limit Limit) { t.rule.limit = limit.Count }
