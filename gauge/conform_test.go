package gauge_test

import (
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/gauge"
)

// TestConform checks that our own counter conforms exactly, although it reads the
// clock, and x/time/rate within a tolerance.
func TestConform(t *testing.T) {
	gauge.Conform(t, gauge.Use("exact", func(p gauge.Policy) gauge.Limiter {
		limit := counter.Limit{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}
		b := counter.NewTokenBucket(limit, counter.TokenBucketOptions{Burst: p.Burst})
		return gauge.Func(func(_ time.Time, _ string, cost int64) bool { return b.Take(time.Now().UnixNano(), cost).Admitted() })
	}, gauge.PerKey(), gauge.As("token-bucket")))
	gauge.Conform(t, gauge.Use("rate", func(p gauge.Policy) gauge.Limiter {
		l := rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
		return gauge.Func(func(now time.Time, _ string, cost int64) bool { return l.AllowN(now, int(cost)) })
	}, gauge.PerKey(), gauge.As("token-bucket"), gauge.Tolerance(time.Microsecond)))
}
