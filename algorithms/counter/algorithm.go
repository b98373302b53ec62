package counter

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Algorithm is how a counter counts: a [TokenBucket], [FixedWindow],
// [SlidingWindowCounter] or [SlidingWindowLog].
type Algorithm interface {
	// table returns a table of new counters for keys 0 to keys-1.
	table(limit counting.Limit, keys int) (table, error)
}

// table is what the types of this package need of the tables that count.
type table interface {
	Take(key int32, now, cost int64) counting.Verdict
	Level(key int32, now int64) int64
	RetryAt(key int32, now, cost int64) int64
	Reach(key int32)
	Forget(key int32)
}

// TokenBucket is a bucket of Limit.Burst tokens that refills continuously at the rate of
// the limit and begins full. A request is admitted if the bucket holds its cost, which it
// takes. In any span of t seconds it admits at most burst + rate*t. A GCRA decides the
// same. It takes 16 bytes per key.
type TokenBucket struct {
	// Debt admits a request while the level is 0 or more and then takes its whole cost,
	// so that the bucket pays later: for costs above the burst, or known only afterwards.
	// It admits at most one cost more. A cost above 2^61/P, with the P of Limit, is rejected.
	Debt bool
}

func (b TokenBucket) table(limit counting.Limit, keys int) (table, error) {
	o := counting.TokenBucketOptions{Burst: limit.Burst, Debt: b.Debt}
	return checked(limit, o, counting.NewTokenBuckets, keys)
}

// FixedWindow counts the cost in each calendar window and rejects what would exceed the
// limit until the window ends. It admits at most the limit in a calendar window, and up
// to twice as much in a span of the same length. It takes 16 bytes per key.
type FixedWindow struct {
	CountRejected bool // also count rejected costs, so that a caller that keeps retrying stays rejected
}

func (w FixedWindow) table(limit counting.Limit, keys int) (table, error) {
	return checked(limit, counting.WindowOptions(w), counting.NewFixedWindows, keys)
}

// SlidingWindowCounter estimates the cost of the last window from the counts of two
// calendar windows: the previous count, weighted by the share of its window that is still
// in view, plus the present count. It takes 24 bytes per key. A count stops at 2^63-1: if
// CountRejected would bring it above, the estimate of the next window is too low.
type SlidingWindowCounter struct {
	CountRejected bool // also count rejected costs, so that a caller that keeps retrying stays rejected
}

func (w SlidingWindowCounter) table(limit counting.Limit, keys int) (table, error) {
	return checked(limit, counting.WindowOptions(w), counting.NewSlidingCounters, keys)
}

// SlidingWindowLog logs every admitted request of the last window: it never admits more
// than the limit in any span of its length. It takes 56 bytes per key, and 16 for each
// time for which its log has room: 4 at first, and twice as many whenever it is full, up
// to twice the limit.
type SlidingWindowLog struct {
	CountRejected bool // also count rejected costs, so that a caller that keeps retrying stays rejected
}

func (w SlidingWindowLog) table(limit counting.Limit, keys int) (table, error) {
	return checked(limit, counting.WindowOptions(w), counting.NewSlidingLogs, keys)
}

// checked makes a table if its options fit the limit.
func checked[O interface{ Check(counting.Limit) error }, T table](limit counting.Limit, o O, build func(counting.Limit, O, int) T, keys int) (table, error) {
	if err := o.Check(limit); err != nil {
		return nil, err
	}
	return build(limit, o, keys), nil
}
