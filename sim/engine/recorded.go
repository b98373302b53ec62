package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

// recordedDecider repeats what the limiter that wrote the log decided.
type recordedDecider struct{}

// NewRecordedDecider returns a Decider that repeats the recorded verdicts. Each
// arrival must have one.
func NewRecordedDecider() Decider { return recordedDecider{} }

func (recordedDecider) Decide(a *Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i, rejected := range a.Rejected[lo:hi] {
		verdicts[i] = counting.MakeVerdict(rejected == 0, counting.ByLimiter)
	}
	return hi - lo
}

func (recordedDecider) Next() int64 { return Never }
func (recordedDecider) Step(int64)  {}

func (recordedDecider) Inspect(_, _ int32, _, _ int64) (level, retryAt int64) {
	return UnknownLevel, counting.Never
}
