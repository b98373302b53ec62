package libraries

import (
	"time"

	"github.com/labstack/echo/v4/middleware"
	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/gauge"
)

func echoMemoryStore() library {
	return library{
		name: "echo", module: "github.com/labstack/echo/v4",
		settings: "middleware.NewRateLimiterMemoryStoreWithConfig(middleware.RateLimiterMemoryStoreConfig{Rate: limit/window, Burst: burst})",
		call:     "Allow(key)",
		door:     readsClock, keyed: true,
		promise: promise{
			text: "Rate of requests allowed to pass as req/s. ... Burst is maximum number of requests to pass at the same moment.",
			link: "https://pkg.go.dev/github.com/labstack/echo/v4/middleware#RateLimiterMemoryStoreConfig",
			also: "The same type: \"ExpiresIn is the duration after that a rate limiter is cleaned up\". The default is 3 minutes.",
			kind: "token bucket, depth burst, starts full", exact: fullBuckets,
		},
		make: func(p gauge.Policy) any {
			store := middleware.NewRateLimiterMemoryStoreWithConfig(middleware.RateLimiterMemoryStoreConfig{
				Rate: rate.Limit(p.Rate()), Burst: int(p.Burst),
			})
			return gauge.Func(func(_ time.Time, key string, _ int64) bool {
				ok, err := store.Allow(key)
				return ok && err == nil
			})
		},
	}
}
