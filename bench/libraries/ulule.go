package libraries

import (
	"context"
	"time"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

func ululeMemory() library {
	return library{
		name: "ulule", module: "github.com/ulule/limiter/v3",
		settings: "limiter.New(memory.NewStoreWithOptions(limiter.StoreOptions{}), limiter.Rate{Period: window, Limit: limit})",
		call:     "Increment(ctx, key, cost)",
		door:     readsClock, keyed: true, costs: true,
		promise: promise{
			text: "If the key does not exist in the store we set a default value with an expiration period.",
			link: "https://github.com/ulule/limiter#how-it-works",
			kind: "a window of the key, from its first request; refused requests count",
			exact: func(p gauge.Policy, keys int) exact {
				return counting.NewFirstHitWindows(limitOf(p), counting.FirstHitOptions{CountRejected: true}, keys)
			},
			countsRefused: true,
		},
		make: func(p gauge.Policy) any {
			// Without an interval, no goroutine removes expired keys. The decisions are
			// the same, and nothing keeps the bubble open.
			store := memory.NewStoreWithOptions(limiter.StoreOptions{})
			l := limiter.New(store, limiter.Rate{Period: p.Window, Limit: p.Limit})
			return gauge.Func(func(_ time.Time, key string, cost int64) bool {
				c, err := l.Increment(context.Background(), key, cost)
				return err == nil && !c.Reached
			})
		},
	}
}
