package libraries

import (
	"context"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"

	"github.com/limitgauge/limitgauge/gauge"
)

func throttledGCRA() library {
	return library{
		name: "throttled", module: "github.com/throttled/throttled/v2",
		settings: "throttled.NewGCRARateLimiterCtx(memstore, throttled.RateQuota{throttled.PerDuration(limit, window), burst - 1})",
		call:     "RateLimitCtx(ctx, key, cost)",
		door:     injected, keyed: true, costs: true,
		promise: promise{
			text: "MaxRate specified the maximum sustained rate of requests ... MaxBurst defines the number of requests that will be allowed to exceed the rate in a single burst",
			link: "https://pkg.go.dev/github.com/throttled/throttled/v2#RateQuota",
			kind: "token bucket, depth MaxBurst + 1, starts full", exact: fullBuckets,
		},
		make: func(p gauge.Policy) any { return newThrottled(p, int(p.Burst)-1) },
	}
}

// throttledWithoutBurst is the quota of an example in the documentation, which sets
// no MaxBurst.
func throttledWithoutBurst() library {
	l := throttledGCRA()
	l.name, l.settings = "throttled-no-burst", "throttled.NewGCRARateLimiterCtx(memstore, throttled.RateQuota{MaxRate: throttled.PerDuration(limit, window)})"
	l.promise = promise{
		text: "For example, PerMin(60) permits 60 requests instantly per key followed by one request per second indefinitely",
		link: "https://pkg.go.dev/github.com/throttled/throttled/v2#NewGCRARateLimiterCtx",
		also: "The documentation of RateQuota: \"Rate{PerSec(2), 0} permits one request per 0.5 seconds rather than two requests in one second.\"",
		kind: "token bucket, depth limit, starts full",
		exact: func(p gauge.Policy, keys int) exact {
			p.Burst = p.Limit
			return fullBuckets(p, keys)
		},
	}
	l.costs = false
	l.make = func(p gauge.Policy) any { return newThrottled(p, 0) }
	return l
}

func newThrottled(p gauge.Policy, maxBurst int) *throttledLimiter {
	l := &throttledLimiter{}
	store := must(memstore.New(0))
	store.SetTimeNow(l.clock.Now)
	quota := throttled.RateQuota{MaxRate: throttled.PerDuration(int(p.Limit), p.Window), MaxBurst: maxBurst}
	l.limiter = must(throttled.NewGCRARateLimiterCtx(throttled.WrapStoreWithContext(store), quota))
	return l
}

type throttledLimiter struct {
	clock   settable
	limiter *throttled.GCRARateLimiterCtx
}

func (l *throttledLimiter) Take(now time.Time, key string, cost int64) bool {
	l.clock.now = now
	limited, _, err := l.limiter.RateLimitCtx(context.Background(), key, int(cost))
	return !limited && err == nil
}
