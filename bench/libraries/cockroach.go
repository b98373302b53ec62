package libraries

import (
	"time"

	"github.com/cockroachdb/tokenbucket"

	"github.com/limitgauge/limitgauge/gauge"
)

func cockroach() library {
	return library{
		name: "cockroach", module: "github.com/cockroachdb/tokenbucket",
		settings: "tb.Init(limit/window, burst)", call: "TryToFulfill(cost)",
		door: injected, costs: true,
		promise: promise{
			text: "A token bucket has a rate of replenishment and a burst limit. Tokens are replenished over time, up to the burst limit.",
			link: "https://pkg.go.dev/github.com/cockroachdb/tokenbucket#TokenBucket",
			kind: "token bucket, depth burst, starts full", exact: fullBuckets,
		},
		make: func(p gauge.Policy) any {
			return &cockroachBucket{rate: tokenbucket.TokensPerSecond(p.Rate()), burst: tokenbucket.Tokens(p.Burst)}
		},
	}
}

// cockroachBucket is a bucket that reads the time of the call. The first call makes
// it.
type cockroachBucket struct {
	clock  settable
	rate   tokenbucket.TokensPerSecond
	burst  tokenbucket.Tokens
	made   bool
	bucket tokenbucket.TokenBucket
}

func (l *cockroachBucket) Take(now time.Time, _ string, cost int64) bool {
	l.clock.now = now
	if !l.made {
		l.made = true
		l.bucket.InitWithNowFn(l.rate, l.burst, l.clock.Now)
	}
	ok, _ := l.bucket.TryToFulfill(tokenbucket.Tokens(cost))
	return ok
}
