package terminal

import (
	"testing"
	"time"
)

// TestStopwatch checks that the shares of scenarios that run in parallel add up to
// the run.
func TestStopwatch(t *testing.T) {
	var s Stopwatch
	if got := s.Took(); got.Run != 0 || len(got.Scenarios) != 0 {
		t.Errorf("nothing was run, and took %v", got)
	}
	s.add("a", 3*time.Second) // two workers
	s.add("a", 3*time.Second)
	s.add("b", 2*time.Second)
	s.Run = 4 * time.Second
	if got := s.Took(); got.Run != 4*time.Second || got.Scenarios["a"] != 3*time.Second || got.Scenarios["b"] != time.Second {
		t.Errorf("took %v, want 3 s and 1 s of 4 s", got)
	}
}
