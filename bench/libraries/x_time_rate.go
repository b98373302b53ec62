package libraries

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/gauge"
)

func xTimeRate() library {
	return library{
		name: "x-time-rate", module: "golang.org/x/time",
		settings: "rate.NewLimiter(rate.Limit(limit/window), burst)", call: "AllowN(now, cost)",
		door: takesNow, costs: true,
		promise: xTimeRatePromise(),
		make: func(p gauge.Policy) any {
			l := xTimeRateLimiter(p)
			return gauge.Func(func(now time.Time, _ string, cost int64) bool { return l.AllowN(now, int(cost)) })
		},
	}
}

func xTimeRateWait() library {
	l := xTimeRate()
	l.name, l.call, l.door = "x-time-rate-wait", "WaitN(ctx, cost)", blocks
	l.make = func(p gauge.Policy) any {
		l := xTimeRateLimiter(p)
		return gauge.WaitFunc(func(ctx context.Context, _ string, cost int64) error { return l.WaitN(ctx, int(cost)) })
	}
	return l
}

func xTimeRateLimiter(p gauge.Policy) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
}

func xTimeRatePromise() promise {
	return promise{
		text: `It implements a "token bucket" of size b, initially full and refilled at rate r tokens per second.`,
		link: "https://pkg.go.dev/golang.org/x/time/rate#Limiter",
		kind: "token bucket, depth burst, starts full", exact: fullBuckets,
	}
}
