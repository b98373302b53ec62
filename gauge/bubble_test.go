package gauge

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/outside"
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

// TestBubblesOfBrokenLimitersEnd checks that no goroutine stays in a bubble if a limiter
// cannot be made.
func TestBubblesOfBrokenLimitersEnd(t *testing.T) {
	inBubbles := func() int {
		all := make([]byte, 1<<22)
		return strings.Count(string(all[:runtime.Stack(all, true)]), "synctest bubble")
	}
	row := Use("mine", func(Policy) Limiter { panic("no limiter") })
	p := outside.Program{Row: "mine", Limit: counting.Limit{Count: 1, Window: 1e9, Burst: 1}, Instances: 1}
	times, err := virtualTimes(&p)
	if err != nil {
		t.Fatal(err)
	}
	for name, fleet := range map[string]func() (outside.Fleet, error){
		"waiting":  func() (outside.Fleet, error) { return newWaitingFleet(t.Context(), t, &row, &p, times) },
		"deciding": func() (outside.Fleet, error) { return newFleet(t.Context(), t, &row, &p, times, bubbled) },
		"acquires": func() (outside.Fleet, error) { return newAcquireFleet(t.Context(), t, &row, &p, times) },
	} {
		before := inBubbles()
		if _, err := fleet(); err == nil || inBubbles() > before {
			t.Errorf("%s: %v; %d goroutines in bubbles, %d before", name, err, inBubbles(), before)
		}
	}
}
