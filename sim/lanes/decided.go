package lanes

import "github.com/limitgauge/limitgauge/algorithms/counters"

// Decided is the reference in its own row: the cohort has asked it already, so
// its verdicts come with the arrivals.
type Decided struct{}

func (Decided) Decide(a *Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	return copy(verdicts, a.Verdicts[lo:hi])
}

func (Decided) Next() int64 { return Never }
func (Decided) Step(int64)  {}

// Inspect knows nothing: the reference is a block ahead.
func (Decided) Inspect(int32, int32, int64, int64) (level, retryAt int64) {
	return UnknownLevel, counters.Never
}
