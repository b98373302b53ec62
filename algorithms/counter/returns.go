package counter

import "github.com/limitgauge/limitgauge/algorithms/integers"

// Return puts back cost that the key was given and has not used, as far as
// there is room.
func (t *TokenBuckets) Return(key int32, now, cost int64) {
	s := &t.state[key]
	*s = t.rule.at(*s, now)
	s.missing -= min(s.missing, integers.MulDiv(max(cost, 0), t.rule.p, 1, maxMissing))
}

// Return puts back cost that the key was given at takenAt and has not used,
// unless that window is over at now.
func (t *FixedWindows) Return(key int32, now, takenAt, cost int64) {
	s := &t.state[key]
	*s = t.rule.at(*s, now)
	if windowStart(takenAt, t.rule.width) == s.start {
		s.count -= min(s.count, max(cost, 0))
	}
}
