package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// localLimiter holds a client's token buckets for the keys under one policy. Its
// limit is nil if the policy has no local limit.
type localLimiter struct {
	limit   *counter.Limit
	buckets pages[counter.TokenBuckets]
}

// newLocalLimiters returns a client's limiters by policy, or nil if no policy has
// a local limit.
func newLocalLimiters(c *Config) []localLimiter {
	var all []localLimiter
	for i := range 1 + len(c.Further) {
		limit := c.policy(i).Local
		if limit != nil && all == nil {
			all = make([]localLimiter, 1+len(c.Further))
		}
		if limit == nil {
			continue
		}
		l := &all[i]
		l.limit = limit
		l.buckets.page = func(keys int) *counter.TokenBuckets {
			return counter.NewTokenBuckets(*l.limit, depthOf(*l.limit), keys)
		}
	}
	return all
}

func depthOf(l counter.Limit) counter.TokenBucketOptions {
	return counter.TokenBucketOptions{Burst: l.Burst}
}

// localOf returns the local limiter of a slot's key.
func (c *Client) localOf(slot int32) *localLimiter {
	if c.policyBySlot == nil {
		return &c.locals[0]
	}
	return &c.locals[c.policyBySlot[slot]]
}

func (l *localLimiter) reach(slot int32) {
	if l.limit != nil {
		l.buckets.reach(slot)
	}
}

// take takes the cost and reports whether the bucket held it.
func (l *localLimiter) take(slot int32, now, cost int64) bool {
	if l.limit == nil {
		return true
	}
	bucket, place := l.buckets.at(slot)
	return bucket.Take(place, now, cost).Admitted()
}

// giveBack returns the cost that the latest take of a slot took.
func (c *Client) giveBack(slot int32, now, cost int64) {
	if c.locals == nil {
		return
	}
	if l := c.localOf(slot); l.limit != nil {
		bucket, place := l.buckets.at(slot)
		bucket.Return(place, now, cost)
	}
}

// Relimit changes a policy's local limit at now, if it has one. Buckets keep
// their level, cut to the new depth.
func (c *Client) Relimit(now int64, policy int, limit *counter.Limit) {
	if c.locals == nil || limit == nil {
		return
	}
	l := &c.locals[policy]
	l.limit = limit
	for _, page := range l.buckets.all {
		if page != nil {
			page.RelimitRounded(*limit, depthOf(*limit), now)
		}
	}
}
