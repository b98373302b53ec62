package batchreported

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Decide decides one request of a key. It uses the coin once if a rejection rate
// is in force and thinning is by coin, and once if requests are sampled. Cost 0
// is admitted and not counted.
func (c *Client) Decide(now int64, key int32, cost int64, coin Coin) counting.Verdict {
	return c.DecideAt(now, c.Slot(key), cost, coin)
}

// DecideAt is Decide for a key with a known Slot.
func (c *Client) DecideAt(now int64, slot int32, cost int64, coin Coin) counting.Verdict {
	c.last = slot
	if cost <= 0 {
		return counting.Admitted
	}
	if c.plain {
		verdict, _ := c.Judge(now, slot, cost)
		c.Count(slot, cost, verdict)
		return verdict
	}
	verdict := c.judge(now, slot, cost, coin)
	c.count(slot, cost, verdict.Admitted(), coin)
	return verdict
}

// Plain reports whether only reject-until times decide and every request is
// counted. DecideAt is then the same as Judge followed by Count, except that
// these two do not set LatestAnswer.
func (c *Client) Plain() bool { return c.plain }

// Judge returns the verdict of a Plain client on a request, and when the answer
// behind it was computed, or NoAnswer. It changes nothing.
func (c *Client) Judge(now int64, slot int32, cost int64) (verdict counting.Verdict, computedAt int64) {
	// There is no branch, because verdicts are unpredictable under overload. A
	// request is rejected only if its cost is positive.
	k := c.keys[slot]
	computedAt = c.times[k.number()]
	until := computedAt + k.span()
	if k.number() == apart {
		computedAt, until = c.computedAt(slot), c.rejectUntil(slot)
	}
	rejects := (now + c.clockOffset - until) & -cost & -k.span() >> 63
	return counting.Verdict(1 + rejects), computedAt
}

// Count counts a request that a Plain client has judged.
func (c *Client) Count(slot int32, cost int64, verdict counting.Verdict) {
	if cost > 0 {
		hits := cost & -int64(verdict&1)
		c.tally(slot, hits, cost-hits)
	}
}

// DecideAll decides one request under several keys, one per policy. It admits the
// request if all keys admit it. With ChargeNone, a rejected request counts as
// rejected for all of its keys and takes nothing from local limiters. Otherwise
// the keys that would have admitted it count it as admitted.
func (c *Client) DecideAll(now int64, keys []int32, cost int64, coin Coin) counting.Verdict {
	if cost <= 0 || len(keys) == 0 {
		return counting.Admitted
	}
	verdict := counting.Admitted
	c.verdicts = c.verdicts[:0]
	for _, key := range keys {
		v := c.judge(now, c.Slot(key), cost, coin)
		if verdict.Admitted() {
			verdict = v
		}
		c.verdicts = append(c.verdicts, v)
	}
	for i, key := range keys {
		slot, admitted := c.Slot(key), c.verdicts[i].Admitted()
		if admitted && c.config.ChargeNone && !verdict.Admitted() {
			admitted = false
			if l := c.localOf(slot); l != nil {
				l.Correct(slot, now, now, -cost, false)
			}
		}
		c.count(slot, cost, admitted, coin)
		c.last = slot
	}
	return verdict
}

// judge returns the verdict of one key if more than a reject-until time decides.
func (c *Client) judge(now int64, slot int32, cost int64, coin Coin) counting.Verdict {
	if now+c.clockOffset < c.rejectUntil(slot) || c.config.RejectionRate && c.thin(now, &c.rates[slot], coin) {
		return counting.Rejected
	}
	if l := c.localOf(slot); l != nil && !l.Take(slot, now, cost).Admitted() {
		return counting.MakeVerdict(false, counting.ByLocal)
	}
	return counting.Admitted
}

// count adds the decision to the next report, unless the request is not sampled.
func (c *Client) count(slot int32, cost int64, admitted bool, coin Coin) {
	if c.config.Samples() {
		if !c.config.takes(coin) {
			return
		}
		remainder := &c.sampled[slot].hits
		if !admitted {
			remainder = &c.sampled[slot].rejected
		}
		cost = c.config.scale(cost, remainder)
	}
	if admitted {
		c.tally(slot, cost, 0)
	} else {
		c.tally(slot, 0, cost)
	}
}

// thin reports whether the rejection rate rejects this request. Diffusion carries
// the due fraction of a rejection from one request to the next, so that it
// rejects n*rate of n requests, plus or minus one.
func (c *Client) thin(now int64, k *clientRate, coin Coin) bool {
	if k.rate == 0 || now >= k.until {
		return false
	}
	if !c.config.Diffusion {
		return uint32(coin.Uint64()>>32) < k.rate
	}
	before := k.carry
	k.carry += k.rate
	return k.carry < before // wrapped: a whole rejection is due
}

// takes reports whether a request is counted: whether a uniform 64-bit fraction
// is below Sample.
func (c *Config) takes(coin Coin) bool {
	hi, _ := bits.Mul64(coin.Uint64(), uint64(c.Sample.Den))
	return hi < uint64(c.Sample.Num)
}

// scale returns the cost that a counted request stands for: cost/Sample. It
// carries the remainder to the next request. Check bounds the quotient.
func (c *Config) scale(cost int64, remainder *uint64) int64 {
	hi, lo := bits.Mul64(uint64(cost), uint64(c.Sample.Den))
	lo, carry := bits.Add64(lo, *remainder, 0)
	q, left := bits.Div64(hi+carry, lo, uint64(c.Sample.Num))
	*remainder = left
	return int64(q)
}
