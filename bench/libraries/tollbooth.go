package libraries

import (
	"time"

	"github.com/didip/tollbooth/v7"

	"github.com/limitgauge/limitgauge/gauge"
)

func tollboothKeys() library {
	return library{
		name: "tollbooth", module: "github.com/didip/tollbooth/v7",
		settings: "tollbooth.NewLimiter(limit/window, nil).SetBurst(burst)", call: "LimitByKeys(limiter, []string{key})",
		door: readsClock, keyed: true,
		promise: promise{
			text: "SetBurst is thread-safe way of setting maximum burst size.",
			link: "https://pkg.go.dev/github.com/didip/tollbooth/v7/limiter#Limiter.SetBurst",
			kind: "token bucket, depth burst, starts full", exact: fullBuckets,
		},
		make: func(p gauge.Policy) any {
			l := tollbooth.NewLimiter(p.Rate(), nil).SetBurst(int(p.Burst))
			return gauge.Func(func(_ time.Time, key string, _ int64) bool {
				return tollbooth.LimitByKeys(l, []string{key}) == nil
			})
		},
	}
}
