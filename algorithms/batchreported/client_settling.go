package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// DecideCharge decides a request whose cost is not known yet under all its keys, and
// counts the charge. A charge of 0 asks whether a cost of 1 would be admitted; a rejected
// request then counts with its estimate. Correct adds the rest when the cost is known.
func (c *Client) DecideCharge(now int64, keys []int32, charge, estimate int64, coin Coin) counter.Verdict {
	if charge > 0 {
		return c.DecideAll(now, keys, charge, coin)
	}
	verdict := counter.Admitted
	for _, key := range keys {
		slot := c.Slot(key)
		v := c.judge(now, slot, 1, coin)
		if l := c.localOf(slot); l != nil && v.Admitted() {
			l.Correct(slot, now, now, -1, false)
		}
		if !v.Admitted() {
			c.tally(slot, 0, estimate)
		}
		if verdict.Admitted() {
			verdict = v
		}
		c.last = slot
	}
	return verdict
}

// Correct adds tokens to the admitted cost of a key, or takes -tokens from it, now that the
// cost of a request admitted at the time taken is known. What was admitted in a window
// that is over is not given back.
func (c *Client) Correct(key int32, now, taken, tokens int64, debt bool) {
	slot := c.Slot(key)
	if l := c.localOf(slot); l != nil {
		l.Correct(slot, now, taken, tokens, debt)
	}
	switch {
	case tokens > 0:
		c.tally(slot, tokens, 0)
	case tokens < 0 && now < c.config.CountsUntil(c.config.PolicyOf(key), taken):
		c.takeBack(slot, -tokens)
	}
}

// takeBack takes tokens from the hits that a key has to report.
func (c *Client) takeBack(slot int32, tokens int64) {
	c.tally(slot, 1, 0) // marks the key as touched
	if c.returned == nil {
		c.returned = map[int32]int64{}
	}
	c.returned[slot] += tokens + 1
}

// CountsUntil returns until when cost that is admitted at a time counts under a policy: to
// the end of its window, or in a bucket for ever.
func (c *Config) CountsUntil(policy int, taken int64) int64 {
	p := c.policy(policy)
	if p.Bucket != nil {
		return counter.Never
	}
	w := p.Limit.Window
	return taken - taken%w + w
}

// giveBack takes what has been given back from the rows of a report. A row can then have
// negative hits.
func (c *Client) giveBack(rows []ReportRow) {
	for i := range rows {
		row := &rows[i]
		if back, ok := c.returned[row.Slot]; ok {
			row.Hits -= back
			delete(c.returned, row.Slot)
		}
	}
}
