package check

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// limiter counts the requests of a rule, or of rules that share their counts, in one
// replica.
type limiter interface {
	Reach(key int32)
	// Level returns how many requests a key has room for.
	Level(key int32, now int64) int64
	// charge counts a request for which there is room, and returns how many ms it waits.
	charge(key int32, now int64) (waitMs int64)
	// under puts the keys under the limit of another rule that shares them.
	under(r *Rule)
}

// newLimiter returns a limiter, or an error if the rule cannot be counted exactly.
func newLimiter(r *Rule) (limiter, error) {
	switch r.System {
	case "nginx", "ingress-nginx":
		if err := counting.CheckNginx(r.Limit, r.Options); err != nil {
			return nil, err
		}
		return nginxLimiter{counting.NewNginxLimitReqs(r.Limit, r.Options, 0)}, nil
	case "Envoy":
		o := counting.TokenBucketOptions{Burst: r.AtOnce}
		if err := o.Check(r.Limit); err != nil {
			return nil, err
		}
		return bucketLimiter{counting.NewTokenBuckets(r.Limit, o, 0)}, nil
	}
	return nil, fmt.Errorf("%s is not counted", r.System)
}

type nginxLimiter struct{ *counting.NginxLimitReqs }

func (l nginxLimiter) charge(key int32, now int64) int64 {
	if _, dispatch := l.Take(key, now, 1); dispatch > now {
		return dispatch/1e6 - now/1e6
	}
	return 0
}

func (l nginxLimiter) under(r *Rule) { l.Under(r.Limit, r.Options) }

type bucketLimiter struct{ *counting.TokenBuckets }

func (l bucketLimiter) charge(key int32, now int64) int64 {
	l.Take(key, now, 1)
	return 0
}

func (l bucketLimiter) under(*Rule) {}
