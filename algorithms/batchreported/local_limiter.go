package batchreported

import (
	"cmp"
	"fmt"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// localLimit returns the limit of one client's local limiter for one key: the whole
// policy, a share of an even split of it, a limit of its own, or nil for none.
//
// The whole policy ("auto") is a bucket of the policy's rate with a depth at which it
// admits all conforming demand. It refuses nothing of conforming demand, however that is
// spread over clients: what a client has taken from its bucket is part of what the bucket
// of all demand has lost, both refill at the same rate, and so the client's bucket is
// never lower than the other, which holds the cost. What it refuses, no split of the limit
// could allow.
func localLimit(choice catalog.Choice, policy counting.Limit, clients int, depth int64) (*counting.Limit, error) {
	l := policy
	switch choice.Name {
	case "auto":
		l.Burst = depth
	case "share":
		share, burst := choice.Values.Share("share"), cmp.Or(policy.Burst, policy.Count)
		if share.Num < 1 {
			return nil, fmt.Errorf("the share must be above 0")
		}
		// share*L/N per window = (num*L) per (den*N*window), in lowest terms.
		rate := new(big.Rat).SetFrac(product(share.Num, policy.Count), product(share.Den, int64(clients), policy.Window))
		deep, rest := new(big.Int).DivMod(product(share.Num, burst), product(share.Den, int64(clients)), new(big.Int))
		if !rate.Num().IsInt64() || !rate.Denom().IsInt64() || !deep.IsInt64() {
			return nil, fmt.Errorf("the share of one client cannot be kept exactly in 63 bits")
		}
		l = counting.Limit{Count: rate.Num().Int64(), Window: rate.Denom().Int64(), Burst: deep.Int64()}
		if rest.Sign() > 0 {
			l.Burst++
		}
	case "rate":
		rate := choice.Values.Rate("rate")
		l = counting.Limit{Count: rate.Count, Window: rate.Per, Burst: choice.Values.Int("burst")}
	default:
		return nil, nil
	}
	return &l, localOptions(l).Check(l)
}

// product multiplies its factors.
func product(factors ...int64) *big.Int {
	p := big.NewInt(1)
	for _, f := range factors {
		p.Mul(p, big.NewInt(f))
	}
	return p
}

// newLocals returns a client's token buckets by policy and slot, nil for a policy
// without a local limit. It returns nil if no policy has one.
func newLocals(c *Config) []*counting.TokenBuckets {
	all, limited := make([]*counting.TokenBuckets, 1+len(c.Further)), false
	for i := range all {
		if limit := c.policy(i).Local; limit != nil {
			all[i], limited = counting.NewTokenBuckets(*limit, localOptions(*limit), 0), true
		}
	}
	if !limited {
		return nil
	}
	return all
}

func localOptions(l counting.Limit) counting.TokenBucketOptions {
	return counting.TokenBucketOptions{Burst: l.Burst}
}

// localOf returns the local buckets that include a slot's key, or nil.
func (c *Client) localOf(slot int32) *counting.TokenBuckets {
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
func (c *Client) Relimit(now int64, policy int, limit *counting.Limit) {
	if c.locals != nil && limit != nil {
		c.locals[policy].RelimitRounded(*limit, localOptions(*limit), now)
	}
}
