// Package gauge_examples tests limiters of other modules with package gauge.
package gauge_examples

import (
	"context"
	"testing"

	uber "go.uber.org/ratelimit"

	"github.com/limitgauge/limitgauge/gauge"
)

// newUber makes a limiter that sleeps until the request may go. It paces requests, so
// there is no burst.
func newUber(p gauge.Policy) gauge.WaitFunc {
	l := uber.New(int(p.Rate()), uber.WithoutSlack)
	return func(context.Context, string, int64) error {
		l.Take()
		return nil
	}
}

// TestUber checks that go.uber.org/ratelimit dispatches requests as the exact queue of
// its rate does. It has no key and reads the clock.
func TestUber(t *testing.T) {
	gauge.Test(t, "testdata/pacing.yaml", gauge.Use("uber", newUber, gauge.PerKey()))
}
