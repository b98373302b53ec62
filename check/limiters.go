package check

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
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
	case "HAProxy":
		o := counting.HAProxyRateOptions{ForgetAfter: r.Forget}
		if err := o.Check(r.Limit); err != nil {
			return nil, err
		}
		return haproxyLimiter{counting.NewHAProxyRates(r.Limit, o, 0)}, nil
	case "envoyproxy/ratelimit":
		return &windowLimiter{limit: r.Limit}, nil
	case "Envoy":
		o := counting.TokenBucketOptions{Burst: r.AtOnce}
		if err := o.Check(r.Limit); err != nil {
			return nil, err
		}
		return bucketLimiter{counting.NewTokenBuckets(r.Limit, o, 0)}, nil
	case "Traefik", "Traefik with Redis":
		o := counting.TraefikBucketOptions{Burst: r.AtOnce}
		if err := o.Check(r.Limit); err != nil {
			return nil, err
		}
		return traefikLimiter{counting.NewTraefikBuckets(r.Limit, o, 0)}, nil
	}
	return nil, fmt.Errorf("%s is not counted", r.System)
}

// costs is a limiter that counts the cost of requests.
type costs interface {
	chargeCost(key int32, now, cost int64)
}

// counts is a limiter that also counts what it refuses.
type counts interface {
	count(key int32, now int64) int64
}

type haproxyLimiter struct{ *counting.HAProxyRates }

func (l haproxyLimiter) charge(key int32, now int64) int64 {
	l.Take(key, now, 1)
	return 0
}

func (l haproxyLimiter) count(key int32, now int64) int64 { return l.Rate(key, now) }

func (l haproxyLimiter) under(r *Rule) { l.Relimit(r.Limit) }

// windowLimiter counts as envoyproxy/ratelimit does: each request of a calendar window, also
// those that are refused.
type windowLimiter struct {
	limit  counting.Limit
	window []int64 // by key: the number of the window that count is of
	seen   []int64
}

func (l *windowLimiter) Reach(key int32) {
	for int(key) >= len(l.seen) {
		l.window, l.seen = append(l.window, -1), append(l.seen, 0)
	}
}

func (l *windowLimiter) Level(key int32, now int64) int64 {
	return max(0, l.limit.Count-l.count(key, now))
}

func (l *windowLimiter) charge(key int32, now int64) int64 {
	l.chargeCost(key, now, 1)
	return 0
}

func (l *windowLimiter) chargeCost(key int32, now, cost int64) {
	l.seen[key] = integers.Add(l.count(key, now), max(0, cost))
	l.window[key] = now / l.limit.Window
}

func (l *windowLimiter) count(key int32, now int64) int64 {
	if l.window[key] != now/l.limit.Window {
		return 0
	}
	return l.seen[key]
}

func (l *windowLimiter) under(*Rule) {}

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

// traefikLimiter looks before it charges, and a request that is refused is seen, too.
type traefikLimiter struct{ *counting.TraefikBuckets }

func (l traefikLimiter) Level(key int32, now int64) int64 {
	level := l.TraefikBuckets.Level(key, now)
	if level <= 0 {
		l.Take(key, now, 1)
	}
	return level
}

func (l traefikLimiter) charge(key int32, now int64) int64 {
	_, dispatch := l.Take(key, now, 1)
	return (dispatch - now) / 1e6
}

func (l traefikLimiter) under(*Rule) {}
