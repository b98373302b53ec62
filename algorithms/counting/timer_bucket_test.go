package counting

import "testing"

func TestTimerBucket(t *testing.T) {
	play(t, []script{
		{"nothing between fills", "timer-bucket", Limit{Count: 3, Window: 10, Burst: 5}, options(), []step{
			{0, 5, true, 0}, {9, 1, false, 0}, {10, 4, false, 0}, {10, 3, true, 0}, {19, 1, false, 0}, {39, 5, true, 0}, {39, 1, false, 0}}},
		{"what does not fit is lost", "timer-bucket", Limit{Count: 4, Window: 10, Burst: 5}, options(), []step{
			{0, 2, true, 0}, {10, 6, false, 0}, {10, 5, true, 0}, {1000, 5, true, 0}, {1000, 1, false, 0}}},
		// 10 in 100 ns are 1 in 10 ns; 3 in 100 ns are 0.3, rounded up.
		{"fills of a shorter interval", "timer-bucket", Limit{Count: 10, Window: 100, Burst: 1}, options("fill_interval", int64(10)), []step{
			{0, 1, true, 0}, {9, 1, false, 0}, {10, 1, true, 0}, {19, 1, false, 0}, {20, 1, true, 0}}},
		{"a fill is whole", "timer-bucket", Limit{Count: 3, Window: 100, Burst: 1}, options("fill_interval", int64(10)), []step{
			{0, 1, true, 0}, {10, 1, true, 0}, {20, 1, true, 0}}},
		{"a fill of its own", "timer-bucket", Limit{Count: 3, Window: 10, Burst: 9}, options("tokens_per_fill", int64(2)), []step{
			{0, 9, true, 0}, {10, 3, false, 0}, {10, 2, true, 0}}},
		{"a late clock stands still", "timer-bucket", Limit{Count: 1, Window: 10, Burst: 1}, options(), []step{
			{50, 1, true, 0}, {0, 1, false, 0}, {60, 1, true, 0}}},
	})
}

// Rounding up a share of the limit and then a fill equals rounding up once:
// ceil(ceil(L/N)/m) = ceil(L/(N*m)), as in Envoy's tokens_per_fill.
func TestTimerBucketFillsRoundUp(t *testing.T) {
	for count := int64(1); count < 60; count++ {
		for m := int64(1); m < 20; m++ {
			b := NewTimerBuckets(Limit{Count: count, Window: 60 * m}, TimerBucketOptions{Burst: 1000, FillInterval: 60}, 1)
			if got, want := b.rule.perFill, (count+m-1)/m; got != want {
				t.Errorf("%d in %d intervals: %d a fill, want %d", count, m, got, want)
			}
		}
	}
}
