package counting

import "testing"

func TestFixedWindow(t *testing.T) {
	play(t, []script{
		{"window ends refill it whole", "fixed-window", Limit{Count: 3, Window: 10}, options(), []step{
			{0, 2, true, 0}, {5, 1, true, 0}, {9, 1, false, 0}, {10, 3, true, 0}, {19, 1, false, 0}, {20, 1, true, 0}}},
		{"a smaller cost still fits", "fixed-window", Limit{Count: 3, Window: 10}, options(), []step{
			{0, 2, true, 0}, {1, 2, false, 0}, {2, 1, true, 0}, {3, 0, true, 0}, {25, 4, false, 0}, {26, 3, true, 0}}},
		{"a late clock belongs to the latest window", "fixed-window", Limit{Count: 1, Window: 10}, options(), []step{
			{12, 1, true, 0}, {9, 1, false, 0}, {8, 0, true, 0}, {20, 1, true, 0}}},
		{"refused cost counts", "fixed-window", Limit{Count: 3, Window: 10}, options("count_rejected", true), []step{
			{0, 2, true, 0}, {1, 2, false, 0}, {2, 1, false, 0}, {3, 0, true, 0}, {10, 4, false, 0}, {11, 1, false, 0}, {20, 3, true, 0}}},
	})
}

// L just before a boundary and L just after: 2L in two nanoseconds, and never
// more than 2L in any window's length.
func TestFixedWindowStraddle(t *testing.T) {
	const limit, width = 100, 1_000
	w := NewFixedWindow(Limit{Count: limit, Window: width}, WindowOptions{})
	var admits []counted
	for now := int64(width - 1); now < 3*width; now++ {
		for range 2 * limit {
			if w.Take(now, 1).Admitted() {
				admits = append(admits, counted{now, 1})
			}
		}
	}
	if got := inSpan(admits, width, 2); got != 2*limit {
		t.Errorf("admitted %d in 2 ns around the boundary, want %d", got, 2*limit)
	}
	if got := mostInSpan(admits, width); got != 2*limit {
		t.Errorf("admitted at most %d in a sliding window, want %d", got, 2*limit)
	}
}

// inSpan is the cost admitted in (end-span, end].
func inSpan(admits []counted, end, span int64) (sum int64) {
	for _, a := range admits {
		if a.at > end-span && a.at <= end {
			sum += a.cost
		}
	}
	return sum
}

// mostInSpan is the most admitted in any span (t-span, t].
func mostInSpan(admits []counted, span int64) (most int64) {
	sum, oldest := int64(0), 0
	for _, a := range admits {
		sum += a.cost
		for admits[oldest].at <= a.at-span {
			sum -= admits[oldest].cost
			oldest++
		}
		most = max(most, sum)
	}
	return most
}

func TestFixedWindowsAdd(t *testing.T) {
	w := NewFixedWindows(Limit{Count: 5, Window: 10}, WindowOptions{}, 2)
	w.Add(1, 3, 4)
	w.Add(1, 9, 4)
	for _, c := range []struct {
		key       int32
		now, want int64
	}{{1, 9, 8}, {1, 10, 0}, {0, 9, 0}, {1, 2, 8}} {
		if got := w.Count(c.key, c.now); got != c.want {
			t.Errorf("count of key %d at %d is %d, want %d", c.key, c.now, got, c.want)
		}
	}
	if w.Take(1, 9, 1).Admitted() || !w.Take(1, 9, 0).Admitted() || w.Level(1, 9) != 0 {
		t.Error("a window counted above its limit admits cost 0 alone")
	}
	if at := w.RetryAt(1, 9, 1); at != 10 {
		t.Errorf("retry at %d, want the next window's start, 10", at)
	}
}
