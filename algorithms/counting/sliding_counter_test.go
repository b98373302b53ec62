package counting

import "testing"

func TestSlidingCounter(t *testing.T) {
	const s = int64(1e9)
	cloudflare := []step{}
	for range 42 {
		cloudflare = append(cloudflare, step{59 * s, 1, true, 0})
	}
	for range 10 {
		// A previous count of 42 at full weight leaves 8. Later requests wait
		// until enough of the previous window is out of view.
		cloudflare = append(cloudflare, step{75*s - 1, 1, true, 0})
	}
	play(t, []script{
		{"the previous window fades", "sliding-window-counter", Limit{Count: 4, Window: 10}, options(), []step{
			{5, 4, true, 0}, {9, 1, false, 0}, {10, 1, false, 0}, {12, 1, false, 0}, {13, 1, true, 0}, {14, 1, false, 0}, {15, 1, true, 0},
			{18, 1, true, 0}, {20, 1, true, 0}, {20, 1, false, 0}, {40, 4, true, 0}}},
		{"two windows later nothing is left", "sliding-window-counter", Limit{Count: 4, Window: 10}, options(), []step{
			{9, 4, true, 0}, {20, 4, true, 0}, {20, 0, true, 0}, {20, 1, false, 0}}},
		{"refused cost counts", "sliding-window-counter", Limit{Count: 4, Window: 10}, options("count_rejected", true), []step{
			{0, 4, true, 0}, {1, 4, false, 0}, {10, 1, false, 0}, {17, 1, false, 0}, {19, 1, true, 0}}},
		{"a late clock stands still", "sliding-window-counter", Limit{Count: 4, Window: 10}, options(), []step{
			{5, 4, true, 0}, {13, 1, true, 0}, {2, 1, false, 0}, {15, 1, true, 0}}},
		{"a limit of 50 a minute after 42 and 10", "sliding-window-counter", Limit{Count: 50, Window: 60 * s}, options(), cloudflare},
	})
}

// Cloudflare's worked example: 42 requests in the last minute and 18 in the first
// 15 s of this one give an estimate of 42*45/60 + 18 = 49.5. At 50 per minute the
// next request is rejected.
func TestSlidingCounterWorkedExample(t *testing.T) {
	const s = int64(1e9)
	c := NewSlidingCounters(Limit{Count: 50, Window: 60 * s}, WindowOptions{}, 1)
	for range 42 {
		if !c.Take(0, 30*s, 1).Admitted() {
			t.Fatal("refused below the limit")
		}
	}
	for range 18 {
		if !c.Take(0, 75*s, 1).Admitted() {
			t.Fatal("refused at an estimate of 31.5 to 48.5")
		}
	}
	if c.Take(0, 75*s, 1).Admitted() {
		t.Error("admitted at an estimate of 49.5")
	}
	if level := c.Level(0, 75*s); level != 0 {
		t.Errorf("level %d at an estimate of 49.5, want 0", level)
	}
	// 42*rest/60 s = 31 at rest = 44.285714285714... s: rounded down, that
	// much of the window is still to come.
	if at, want := c.RetryAt(0, 75*s, 1), 120*s-44_285_714_285; at != want {
		t.Errorf("retry at %d, want %d", at, want)
	}
}
