package check

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// limiter counts the requests of a rule, or of rules that share their counts, in one
// replica.
type limiter struct {
	reach func(key int32)
	level func(key int32, now int64) int64 // how many requests a key has room for
	// charge counts a request for which there is room, and returns how many ms it waits.
	// Only windows count its cost.
	charge func(key int32, now, cost int64) (waitMs int64)
	count  func(key int32, now int64) int64 // of a system that counts what it refuses
	under  func(r *Rule)                    // puts the keys under the limit of another rule; nil if none shares them
}

// newLimiter returns a limiter, or an error if the rule cannot be counted exactly.
func newLimiter(r *Rule) (*limiter, error) {
	switch r.System {
	case "nginx", "ingress-nginx":
		if err := counting.CheckNginx(r.Limit, r.Options); err != nil {
			return nil, err
		}
		t := counting.NewNginxLimitReqs(r.Limit, r.Options, 0)
		return &limiter{reach: t.Reach, level: t.Level, charge: func(key int32, now, _ int64) int64 {
			_, dispatch := t.Take(key, now, 1)
			return max(0, dispatch/1e6-now/1e6)
		}, under: func(r *Rule) { t.Under(r.Limit, r.Options) }}, nil
	case "HAProxy":
		o := counting.HAProxyRateOptions{ForgetAfter: r.Forget}
		limit := r.Limit
		limit.Count = max(1, limit.Count)
		if err := o.Check(limit); err != nil {
			return nil, err
		}
		t := counting.NewHAProxyRates(limit, o, 0)
		under := func(r *Rule) { t.Relimit(r.Limit) } // also to none
		under(r)
		return &limiter{reach: t.Reach, level: t.Level, charge: atOnce(t.Take), count: t.Rate, under: under}, nil
	case "envoyproxy/ratelimit": // counts each request of a calendar window, also those that are refused
		most := r.Limit.Count // may be 0
		t := counting.NewFixedWindows(counting.Limit{Count: max(1, most), Window: r.Limit.Window}, counting.WindowOptions{}, 0)
		return &limiter{reach: t.Reach, level: func(key int32, now int64) int64 {
			return max(0, most-t.Count(key, now))
		}, charge: func(key int32, now, cost int64) int64 {
			t.Add(key, now, cost)
			return 0
		}, count: t.Count}, nil
	case "Envoy":
		o := counting.TokenBucketOptions{Burst: r.AtOnce}
		if err := o.Check(r.Limit); err != nil {
			return nil, err
		}
		t := counting.NewTokenBuckets(r.Limit, o, 0)
		return &limiter{reach: t.Reach, level: t.Level, charge: atOnce(t.Take)}, nil
	case "Traefik", "Traefik with Redis":
		o := counting.TraefikBucketOptions{Burst: r.AtOnce, Redis: r.System == "Traefik with Redis"}
		if err := o.Check(r.Limit); err != nil {
			return nil, err
		}
		t := counting.NewTraefikBuckets(r.Limit, o, 0)
		return &limiter{reach: t.Reach, level: func(key int32, now int64) int64 {
			level := t.Level(key, now)
			if level <= 0 { // a request that is refused is seen, too
				t.Take(key, now, 1)
			}
			return level
		}, charge: func(key int32, now, _ int64) int64 {
			_, dispatch := t.Take(key, now, 1)
			return (dispatch - now) / 1e6
		}}, nil
	}
	return nil, fmt.Errorf("%s is not counted", r.System)
}

// atOnce returns the charge of a table whose requests never wait.
func atOnce(take func(key int32, now, cost int64) counting.Verdict) func(key int32, now, cost int64) int64 {
	return func(key int32, now, _ int64) int64 {
		take(key, now, 1)
		return 0
	}
}
