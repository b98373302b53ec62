package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// newLocals returns a client's token buckets by policy and slot, nil for a policy
// without a local limit. It returns nil if no policy has one.
func newLocals(c *Config) []*counter.TokenBuckets {
	all, limited := make([]*counter.TokenBuckets, 1+len(c.Further)), false
	for i := range all {
		if limit := c.policy(i).Local; limit != nil {
			all[i], limited = counter.NewTokenBuckets(*limit, c.localOptions(*limit), 0), true
		}
	}
	if !limited {
		return nil
	}
	return all
}

func (c *Config) localOptions(l counter.Limit) counter.TokenBucketOptions {
	return counter.TokenBucketOptions{Burst: l.Burst, Debt: c.LocalAuto}
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

// pauseLocal stops the refill of a key's local bucket until the server no longer
// rejects the key, a time by the client's clock, or resumes it. While the server
// rejects, the fleet has used up the limit and more, so a client has no share of
// it left to save. A bucket that kept refilling would be full when the rejections
// end, and all clients would admit their depth at once.
func (c *Client) pauseLocal(now int64, slot int32, until int64) {
	if l := c.localOf(slot); l != nil {
		l.Pause(slot, now, until-c.clockOffset)
	}
}

// Relimit changes a policy's local limit at now, if it has one. Buckets keep
// their level, cut to the new depth.
func (c *Client) Relimit(now int64, policy int, limit *counter.Limit) {
	if c.locals != nil && limit != nil {
		c.locals[policy].RelimitRounded(*limit, c.config.localOptions(*limit), now)
	}
}
