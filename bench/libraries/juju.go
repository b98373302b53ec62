package libraries

import (
	"context"
	"time"

	"github.com/juju/ratelimit"

	"github.com/limitgauge/limitgauge/gauge"
)

func jujuTake() library {
	return library{
		name: "juju", module: "github.com/juju/ratelimit",
		settings: "ratelimit.NewBucketWithRate(limit/window, burst)", call: "TakeMaxDuration(cost, 0)",
		door: injected, costs: true,
		promise: jujuPromise(),
		make: func(p gauge.Policy) any {
			return &jujuBucket{fresh: func(c ratelimit.Clock) *ratelimit.Bucket {
				return ratelimit.NewBucketWithRateAndClock(p.Rate(), p.Burst, c)
			}}
		},
	}
}

func jujuWait() library {
	l := jujuTake()
	l.name, l.call, l.door = "juju-wait", "Wait(cost)", blocks
	l.make = func(p gauge.Policy) any {
		l := ratelimit.NewBucketWithRate(p.Rate(), p.Burst)
		return gauge.WaitFunc(func(_ context.Context, _ string, cost int64) error {
			l.Wait(cost)
			return nil
		})
	}
	return l
}

func jujuPromise() promise {
	return promise{
		text: "NewBucketWithRate returns a token bucket that fills the bucket at the rate of rate tokens per second up to the given maximum capacity. " +
			"Because of limited clock resolution, at high rates, the actual rate may be up to 1% different from the specified rate.",
		link: "https://pkg.go.dev/github.com/juju/ratelimit#NewBucketWithRate",
		also: "A comment in ratelimit.go that the documentation does not show: \"Time is measured in equal measured ticks, a given interval (fillInterval) apart. " +
			"On each tick a number of tokens (quantum) are added to the bucket.\"",
		kind: "token bucket, depth burst, starts full", exact: fullBuckets,
	}
}

// jujuBucket is a bucket that reads the time of the call. The first call makes it.
type jujuBucket struct {
	clock  jujuClock
	fresh  func(ratelimit.Clock) *ratelimit.Bucket
	bucket *ratelimit.Bucket
}

func (l *jujuBucket) Take(now time.Time, _ string, cost int64) bool {
	l.clock.now = now
	if l.bucket == nil {
		l.bucket = l.fresh(&l.clock)
	}
	_, ok := l.bucket.TakeMaxDuration(cost, 0)
	return ok
}

// jujuClock is the library's Clock. Nothing sleeps: TakeMaxDuration returns at
// once.
type jujuClock struct{ settable }

func (*jujuClock) Sleep(time.Duration) {}
