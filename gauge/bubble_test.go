package gauge

import (
	"context"
	"runtime"
	"testing"
)

// TestCancelledCall checks that a bubble waits for the function that it calls also when
// the run is cancelled: what the function writes is read, or its test ends, only then.
func TestCancelledCall(t *testing.T) {
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		returned := false
		b := newBubble(t)
		b.do(ctx, func() {
			cancel()
			for range 1000 {
				runtime.Gosched()
			}
			returned = true
		})
		b.close()
		if !returned {
			t.Fatal("a cancelled call was not waited for")
		}
	}
}
