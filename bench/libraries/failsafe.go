package libraries

import (
	"context"
	"time"

	"github.com/failsafe-go/failsafe-go/ratelimiter"

	"github.com/limitgauge/limitgauge/gauge"
)

const failsafeModule = "github.com/failsafe-go/failsafe-go"

func failsafeSmooth() library {
	return library{
		name: "failsafe-smooth", module: failsafeModule,
		settings: "ratelimiter.NewSmooth[any](limit, window)", call: "TryAcquirePermits(cost)",
		door: readsClock,
		promise: promise{
			text: "The individual execution rate is computed as period / maxExecutions. For example, with maxExecutions of 100 and a period of 1000 millis, " +
				"individual executions will be permitted at a max rate of one every 10 millis.",
			link: "https://pkg.go.dev/github.com/failsafe-go/failsafe-go/ratelimiter#NewSmooth",
			kind: "requests are at least window/limit apart", exact: spaced,
		},
		make: func(p gauge.Policy) any { return failsafeTry(ratelimiter.NewSmooth[any](uint(p.Limit), p.Window)) },
	}
}

func failsafeBursty() library {
	return library{
		name: "failsafe-bursty", module: failsafeModule,
		settings: "ratelimiter.NewBursty[any](limit, window)", call: "TryAcquirePermits(cost)",
		door: readsClock, costs: true,
		promise: failsafeBurstyPromise(),
		make:    func(p gauge.Policy) any { return failsafeTry(ratelimiter.NewBursty[any](uint(p.Limit), p.Window)) },
	}
}

func failsafeBurstyWait() library {
	return library{
		name: "failsafe-bursty-wait", module: failsafeModule,
		settings: "ratelimiter.NewBursty[any](limit, window)", call: "AcquirePermits(ctx, cost)",
		door:    blocks,
		promise: failsafeBurstyPromise(),
		make: func(p gauge.Policy) any {
			l := ratelimiter.NewBursty[any](uint(p.Limit), p.Window)
			return gauge.WaitFunc(func(ctx context.Context, _ string, cost int64) error { return l.AcquirePermits(ctx, uint(cost)) })
		},
	}
}

func failsafeBurstyPromise() promise {
	return promise{
		text: "For example, a maxExecutions value of 100 with a period of 1 second would allow up to 100 executions every 1 second.",
		link: "https://pkg.go.dev/github.com/failsafe-go/failsafe-go/ratelimiter#NewBursty",
		kind: "fixed windows, from when the limiter is made", exact: windowsFromFirstUse,
	}
}

func failsafeTry(l ratelimiter.RateLimiter[any]) gauge.Func {
	return func(_ time.Time, _ string, cost int64) bool { return l.TryAcquirePermits(uint(cost)) }
}
