package counting

// SampledAverages is a table of sampled averages. It takes up to 16 bytes per
// sample and key. Kafka computes in floating point and milliseconds; this table
// computes in integers and nanoseconds. Times are 0 or later. Cost 0 is always
// admitted.
type SampledAverages struct {
	correctable[averageState, averageRule, *averageRule]
}

var _ Table = (*SampledAverages)(nil)

// NewSampledAverages returns a table without samples for keys 0 to keys-1. It
// panics if o.Check(limit) fails.
func NewSampledAverages(limit Limit, o SampledAverageOptions, keys int) *SampledAverages {
	return &SampledAverages{newCorrectable[averageState](newAverageRule(limit, o), keys)}
}

// TakeBlock decides the requests of a block in order.
func (t *SampledAverages) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		verdicts[i] = t.Take(keys[i], times[i], costs[i])
	}
}

// Take decides one request.
func (t *SampledAverages) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
