package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// newLocals returns a client's token buckets by policy and slot, nil for a policy
// without a local limit. It returns nil if no policy has one.
func newLocals(c *Config) []*counter.TokenBuckets {
	all, limited := make([]*counter.TokenBuckets, 1+len(c.Further)), false
	for i := range all {
		if limit := c.policy(i).Local; limit != nil {
			all[i], limited = counter.NewTokenBuckets(*limit, depthOf(*limit), 0), true
		}
	}
	if !limited {
		return nil
	}
	return all
}

func depthOf(l counter.Limit) counter.TokenBucketOptions {
	return counter.TokenBucketOptions{Burst: l.Burst}
}

// localOf returns the local buckets that include a slot's key, or nil.
func (c *Client) localOf(slot int32) *counter.TokenBuckets {
	switch {
	case c.locals == nil:
		return nil
	case c.policyBySlot == nil:
		return c.locals[0]
	}
	return c.locals[c.policyBySlot[slot]]
}

// Relimit changes a policy's local limit at now, if it has one. Buckets keep
// their level, cut to the new depth.
func (c *Client) Relimit(now int64, policy int, limit *counter.Limit) {
	if c.locals != nil && limit != nil {
		c.locals[policy].RelimitRounded(*limit, depthOf(*limit), now)
	}
}
