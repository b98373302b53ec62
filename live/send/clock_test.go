package send

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestWaitIsNotEarly checks that a wait goes on 1 ns before its time, and ends at its time.
// The clock of a bubble stands still while a goroutine spins.
func TestWaitIsNotEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sleeper{clock: clock{time.Now()}}
		for _, until := range []int64{1, 2, 1000} {
			var halted atomic.Bool
			waited := make(chan bool)
			go func() { waited <- s.wait(until, &halted) }()
			for range 100 {
				runtime.Gosched()
			}
			halted.Store(true)
			if <-waited {
				t.Errorf("a wait for %d ns ended before them", until)
			}
		}
		for _, until := range []int64{0, -1} {
			if !s.wait(until, new(atomic.Bool)) {
				t.Errorf("a wait until %d ns did not end", until)
			}
		}
	})
}
