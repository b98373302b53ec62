package trial

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/exchange"
)

const clockReadings = 16 // before a run, and again after it

// reading is the time of the target's clock in ns since 1970, read at some time from
// from to to.
type reading struct {
	from, to time.Time
	unixNs   int64
}

// readClock reads the clock of the target some times if the trial needs it. A target
// whose clock cannot be asked for is taken to go by that of this machine.
func (t *Trial) readClock(ctx context.Context, target exchange.Target) (list []reading, err error) {
	if !t.Clock {
		return nil, nil
	}
	now := func(context.Context) (int64, error) { return time.Now().UnixNano(), nil }
	if c, ok := target.(exchange.Clock); ok {
		now = c.Now
	}
	for range clockReadings {
		r := reading{from: time.Now()}
		if r.unixNs, err = now(ctx); err != nil {
			return nil, fmt.Errorf("the clock of the target: %w", err)
		}
		r.to = time.Now()
		list = append(list, r)
	}
	return list, nil
}

// phaseOf returns when calendar windows begin that follow the target's clock, on the
// clock of a run that began at start. Each reading is up to stepNs old. It
// returns an error if the readings contradict each other by a quarter of the window.
func phaseOf(readings []reading, start time.Time, stepNs, windowNs int64) (*bounds.Phase, error) {
	// The target's clock is ahead of the run's by an offset from least to most.
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	for _, r := range readings {
		lo, hi := r.unixNs-int64(r.to.Sub(start)), r.unixNs+stepNs-int64(r.from.Sub(start))
		least, most = max(least, lo), min(most, hi)
	}
	if least > most { // the clocks drift apart: any offset between the readings
		least, most = most, least
	}
	if most-least >= windowNs/4 {
		return nil, fmt.Errorf("the target's clock is known to %v alone, of windows of %v", time.Duration(most-least), time.Duration(windowNs))
	}
	earliest := ((-most)%windowNs + windowNs) % windowNs
	return &bounds.Phase{EarliestNs: earliest, LatestNs: earliest + most - least}, nil
}
