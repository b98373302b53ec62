package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// localLimiter is a client's token buckets for the keys under one policy; there
// are none where the policy has no local limit.
type localLimiter struct {
	limit   *counter.Limit
	buckets pages[counter.TokenBuckets]
}

// newLocalLimiters are a client's, by policy; nil where no policy has one.
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

// localOf is the local limiter that a slot's key is under.
func (c *Client) localOf(slot int32) *localLimiter {
	if c.kinds == nil {
		return &c.locals[0]
	}
	return &c.locals[c.kinds[slot]]
}

func (l *localLimiter) reach(slot int32) {
	if l.limit != nil {
		l.buckets.reach(slot)
	}
}

// take takes the cost if it is there.
func (l *localLimiter) take(slot int32, now, cost int64) bool {
	if l.limit == nil {
		return true
	}
	bucket, place := l.buckets.at(slot)
	return bucket.Take(place, now, cost).Admitted()
}

// untake gives back what the latest take of a slot took.
func (c *Client) untake(slot int32, now, cost int64) {
	if c.locals == nil {
		return
	}
	if l := c.localOf(slot); l.limit != nil {
		bucket, place := l.buckets.at(slot)
		bucket.Return(place, now, cost)
	}
}

// Relimit changes a policy's local limit at now, where it has one: buckets keep
// their level up to the new depth.
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
