package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestFull holds 128 MB under limits of which they are 15 sixteenths, a little less, and a
// little more.
func TestFull(t *testing.T) {
	before := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(before)
	held := make([]byte, 128<<20)
	runtime.GC()
	if limit, full := Full(); limit != math.MaxInt64 || full {
		t.Errorf("without a limit: %d, %v", limit, full)
	}
	for _, percent := range []int64{10, 90, 97, 104, 110, 1000} {
		limit := int64(len(held)) / 15 * 16 / 100 * percent
		debug.SetMemoryLimit(limit)
		if got, full := Full(); got != limit || full != (percent <= 100) || debug.SetMemoryLimit(-1) != limit {
			t.Errorf("%d %% of the largest limit that 128 MB fill: %d, %v, want the limit %d", percent, got, full, limit)
		}
	}
	runtime.KeepAlive(held)
}
