package gauge_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// wrongRefills are limiters that are used up and hardly ever refill, by a mistake of
// their own: no clock is to blame.
var wrongRefills = []struct {
	name string
	make func(gauge.Policy) gauge.Limiter
	read []gauge.Option // how the limiter reads time, where its author states it
	pct  float64        // least under-admission
}{
	{"a window that goes stale", newStaleWindow, nil, 0},
	{"an integer rate of 0", newRateOfZero, nil, 90},
	{"an integer rate of 0, stated", newRateOfZero, []gauge.Option{gauge.ReadsClock()}, 90},
	{"a ticker that rounds down", newRoundingTicker, nil, 90},
	{"a ticker that rounds down, stated", newRoundingTicker, []gauge.Option{gauge.ReadsClock()}, 90},
	{"a clock that was forgotten", bucketAt(func(time.Time) time.Time { return time.Unix(1, 0) }), nil, 90},
}

// TestWrongRefills checks that a limiter that refills wrongly is measured, and not
// refused as if its clock were not virtual.
func TestWrongRefills(t *testing.T) {
	for _, w := range wrongRefills {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			d := resultstest.Decode(t, gauge.Run(t, "testdata/steady.yaml", gauge.Use("mine", w.make, w.read...)))
			for _, r := range d.Results {
				if under := r.Metrics["under_admission_pct"].Mean; r.Algorithm == "mine" && (under == nil || *under < w.pct) {
					t.Errorf("under-admission %v, want at least %v %%", under, w.pct)
				}
			}
		})
	}
}

// TestTokensThatNeverCome checks that calls that wait until their context ends are
// measured as rejected.
func TestTokensThatNeverCome(t *testing.T) {
	r := ofMine(t, gauge.Run(t, "testdata/steady.yaml", gauge.Use("mine", func(p gauge.Policy) gauge.WaitFunc {
		tokens := make(chan bool, p.Burst)
		for range p.Burst {
			tokens <- true
		}
		return func(ctx context.Context, _ string, _ int64) error {
			select {
			case <-tokens:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}, gauge.MaxWait(200*time.Millisecond))))
	if under := r.Metrics["under_admission_pct"].Mean; under == nil || *under < 90 {
		t.Errorf("under-admission %v, want at least 90 %%", under)
	}
}

// newStaleWindow makes a window counter that is begun anew by a request of the very
// next window only.
func newStaleWindow(p gauge.Policy) gauge.Limiter {
	window, used := int64(0), int64(0)
	return gauge.Func(func(now time.Time, _ string, cost int64) bool {
		at := now.UnixNano() / int64(p.Window)
		if window == 0 || at == window+1 {
			window, used = at, 0
		}
		if used+cost > p.Limit {
			return false
		}
		used += cost
		return true
	})
}

// newRateOfZero makes a token bucket that reads the clock and earns whole tokens per
// millisecond, which are none.
func newRateOfZero(p gauge.Policy) gauge.Limiter {
	tokens, last := p.Burst, time.Now()
	return gauge.Func(func(_ time.Time, _ string, cost int64) bool {
		now := time.Now()
		tokens = min(p.Burst, tokens+now.Sub(last).Milliseconds()*(p.Limit/p.Window.Milliseconds()))
		last = now
		if tokens < cost {
			return false
		}
		tokens -= cost
		return true
	})
}

// roundingTicker is a token bucket that a ticker fills with too few tokens.
type roundingTicker struct {
	tokens atomic.Int64
	stop   chan bool
}

func newRoundingTicker(p gauge.Policy) gauge.Limiter {
	l := &roundingTicker{stop: make(chan bool)}
	l.tokens.Store(p.Burst)
	go tick(time.Millisecond, l.stop, func() { l.tokens.Add(p.Limit / p.Window.Milliseconds()) }) // rounds down to 0
	return l
}

func (l *roundingTicker) Take(_ time.Time, _ string, cost int64) bool {
	if l.tokens.Load() < cost {
		return false
	}
	l.tokens.Add(-cost)
	return true
}

func (l *roundingTicker) Stop() { close(l.stop) }
