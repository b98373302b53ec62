package libraries

import (
	"context"

	"go.uber.org/ratelimit"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

// uberSlack is the library's default: calls that it accumulates when idle.
const uberSlack = 10

func uber() library {
	return library{
		name: "uber-slack", module: "go.uber.org/ratelimit",
		settings: "ratelimit.New(limit, ratelimit.Per(window))", call: "Take()",
		door: blocks,
		promise: promise{
			text: `Slack allows the limiter to accumulate "unspent" requests for future bursts of traffic.`,
			link: "https://pkg.go.dev/go.uber.org/ratelimit#WithSlack",
			kind: "token bucket, depth 11 (a request and the default slack of 10), starts with 1 token; calls wait",
			exact: func(p gauge.Policy, keys int) exact {
				o := counting.TokenBucketOptions{Burst: 1 + uberSlack, Initial: counting.Tokens(1)}
				return counting.NewTokenBuckets(limitOf(p), o, keys)
			},
		},
		make: func(p gauge.Policy) any { return uberTake(p) },
	}
}

func uberWithoutSlack() library {
	return library{
		name: "uber-without-slack", module: "go.uber.org/ratelimit",
		settings: "ratelimit.New(limit, ratelimit.Per(window), ratelimit.WithoutSlack)", call: "Take()",
		door: blocks,
		promise: promise{
			text: `WithoutSlack configures the limiter to be strict and not to accumulate previously "unspent" requests for future bursts of traffic.`,
			link: "https://pkg.go.dev/go.uber.org/ratelimit#WithoutSlack",
			kind: "calls return at least window/limit apart", exact: spaced,
		},
		make: func(p gauge.Policy) any { return uberTake(p, ratelimit.WithoutSlack) },
	}
}

func uberTake(p gauge.Policy, options ...ratelimit.Option) gauge.WaitFunc {
	options = append(options, ratelimit.Per(p.Window))
	l := ratelimit.New(int(p.Limit), options...)
	return func(context.Context, string, int64) error {
		l.Take()
		return nil
	}
}
