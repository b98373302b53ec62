package counter

// SampledAverages is a table of sampled averages, up to 24 bytes a sample and
// key. Kafka decides in floating point and milliseconds; here integers do, in
// nanoseconds. Instants are nanoseconds from 0 on. Cost 0 is always admitted.
type SampledAverages struct {
	rule  averageRule
	state []averageState
}

var _ Table = (*SampledAverages)(nil)

// NewSampledAverages panics if o.Check(limit) fails.
func NewSampledAverages(limit Limit, o SampledAverageOptions, keys int) *SampledAverages {
	return &SampledAverages{rule: newAverageRule(limit, o), state: make([]averageState, keys)}
}

func (t *SampledAverages) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		verdicts[i] = t.rule.take(&t.state[keys[i]], times[i], costs[i])
	}
}

func (t *SampledAverages) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
func (t *SampledAverages) Level(key int32, now int64) int64 { return t.rule.level(&t.state[key], now) }
func (t *SampledAverages) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.retryAt(&t.state[key], now, cost)
}
func (t *SampledAverages) State(key int32) []StateField { return t.rule.state(&t.state[key]) }

// Throttle is the throttle time that the key's average means at now: what Kafka
// tells the client of a request that went over its quota.
func (t *SampledAverages) Throttle(key int32, now int64) int64 {
	s := &t.state[key]
	now = max(now, s.last)
	samples, sum := t.rule.live(s, now)
	return t.rule.throttle(samples, sum, now)
}
