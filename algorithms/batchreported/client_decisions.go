package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Decide decides one request. The coin is used, once each, where a rejection
// rate is in force and thinning is by coin, and where requests are sampled.
// Cost 0 is admitted and not counted.
func (c *Client) Decide(now int64, key int32, cost int64, coin Coin) counter.Verdict {
	return c.DecideAt(now, c.Slot(key), cost, coin)
}

// DecideAt is Decide for a key whose Slot is known.
func (c *Client) DecideAt(now int64, slot int32, cost int64, coin Coin) counter.Verdict {
	c.last = slot
	if cost <= 0 {
		return counter.Admitted
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

// Plain reports whether nothing but reject-until times decides and every
// request is counted. A decision is then a Judge and a Count, which together
// are DecideAt but for LatestAnswer.
func (c *Client) Plain() bool { return c.plain }

// Judge is the verdict on a request to a Plain client, and when the answer was
// computed that it goes by, or NoAnswer. It changes nothing.
func (c *Client) Judge(now int64, slot int32, cost int64) (verdict counter.Verdict, computedAt int64) {
	// Without branches, because in overload nobody can predict the verdict;
	// nothing is rejected unless the cost is positive.
	k := c.keys[slot]
	computedAt = c.times[k.number()]
	until := computedAt + k.span()
	if k.number() == apart {
		computedAt, until = c.computedAt(slot), c.rejectUntil(slot)
	}
	rejects := (now + c.wall - until) & -cost & -k.span() >> 63
	return counter.Verdict(1 + rejects), computedAt
}

// Count counts what a Plain client has judged.
func (c *Client) Count(slot int32, cost int64, verdict counter.Verdict) {
	if cost > 0 {
		hits := cost & -int64(verdict&1)
		c.tally(slot, hits, cost-hits)
	}
}

// DecideAll decides one request under several keys, one a policy: it is let
// through when every key lets it through. With ChargeNone a request that is
// refused counts as refused for all of its keys, and takes nothing from local
// limiters; else the keys that would have let it through count it as let
// through.
func (c *Client) DecideAll(now int64, keys []int32, cost int64, coin Coin) counter.Verdict {
	if cost <= 0 || len(keys) == 0 {
		return counter.Admitted
	}
	verdict := counter.Admitted
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
			c.untake(slot, now, cost)
		}
		c.count(slot, cost, admitted, coin)
		c.last = slot
	}
	return verdict
}

// judge is the verdict of one key, where more than a reject-until time decides.
func (c *Client) judge(now int64, slot int32, cost int64, coin Coin) counter.Verdict {
	switch {
	case now+c.wall < c.rejectUntil(slot), c.rates != nil && c.thin(now, &c.rates[slot], coin):
		return counter.Rejected
	case c.locals != nil && !c.localOf(slot).take(slot, now, cost):
		return counter.MakeVerdict(false, counter.ByLocal)
	}
	return counter.Admitted
}

// count keeps what was decided for the next report, unless it is not sampled.
func (c *Client) count(slot int32, cost int64, admitted bool, coin Coin) {
	if c.sample != nil {
		if !c.sample.takes(coin) {
			return
		}
		cost = c.sample.scale(slot, cost, admitted)
	}
	if admitted {
		c.tally(slot, cost, 0)
	} else {
		c.tally(slot, 0, cost)
	}
}

// thin says whether the rejection rate takes this request. Diffusion carries
// the fractions of rejections that are due from one request to the next, so
// that of n requests it takes n*rate, give or take one.
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
