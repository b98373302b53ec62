package conformance

import (
	"context"
	"errors"
	"testing"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// A clock of whole milliseconds is within a tolerance of a millisecond, and not within
// half of it.
func TestClockOfMilliseconds(t *testing.T) {
	clock := mutant{key: bucketWith(func(*bucket) {}), see: func(c *Call) { c.AtNs -= c.AtNs % 1e6 }}
	if r := expectConforms(t, "token-bucket", clock.make, Options{Seed: 1, Sessions: 20, ToleranceNs: 1e6}); r.Tolerated == 0 {
		t.Error("no verdict differs within the tolerance")
	}
	if r, err := Check(t.Context(), "token-bucket", clock.make, Options{Seed: 1, ToleranceNs: 500_000}); err != nil || r.Difference == nil {
		t.Error(err, "no difference beyond the tolerance")
	}
}

// A rate that is wrong by a millionth is found although each wait differs by less than
// the tolerance: the differences add up.
func TestWrongRateIsBeyondATolerance(t *testing.T) {
	for _, millionths := range []int64{-1, 1} {
		fast := mutant{key: bucketWith(func(b *bucket) {
			b.elapsed = func(b *bucket, now int64) int64 { ns := since(b, now); return ns + ns/1_000_000*millionths }
		})}
		r, err := Check(t.Context(), "token-bucket", fast.make, Options{Seed: 1, Sessions: 20, ToleranceNs: 1000})
		if err != nil || r.Difference == nil {
			t.Errorf("%v: a rate that is wrong by %d millionth is within 1 us:\n%s", err, millionths, text(r))
		}
	}
}

// A limiter that gives other verdicts each time has no fewest calls.
func TestLimiterThatDoesNotRepeat(t *testing.T) {
	made := 0
	r, err := Check(t.Context(), "gcra", func(p Policy) (outside.Fleet, error) {
		made++
		first := made == 1
		return mutant{key: func(p Policy) oneKey {
			right := bucketWith(func(*bucket) {})(p)
			return func(now, cost int64) bool { return right(now, cost) != (first && cost == 1) }
		}}.make(p)
	}, Options{})
	if err != nil || r.Difference == nil || len(r.Difference.Calls) > 0 {
		t.Fatal(err, text(r))
	}
}

// An error of a limiter, and an interruption, end the test.
func TestEnds(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Check(t.Context(), "gcra", func(Policy) (outside.Fleet, error) { return nil, broken }, Options{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	made := 0
	_, err := Check(ctx, "gcra", func(p Policy) (outside.Fleet, error) {
		if made++; made == 3 { // while it looks for the fewest calls
			cancel()
		}
		return mutant{key: func(Policy) oneKey { return func(now, _ int64) bool { return now%2 == 0 } }}.make(p)
	}, Options{})
	if !errors.Is(err, context.Canceled) || made > 3 {
		t.Error(err, made)
	}
	if _, err := Check(t.Context(), "token", nil, Options{}); !errors.Is(err, UnknownCounter("token")) {
		t.Error(err)
	}
}
