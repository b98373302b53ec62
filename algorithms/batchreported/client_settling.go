package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counting"

// DecideCharge decides a request whose cost is not known yet under all its keys, and
// counts the charge. A charge of 0 asks whether a cost of 1 would be admitted; a rejected
// request then counts with its estimate. Correct adds the rest when the cost is known.
func (c *Client) DecideCharge(now int64, keys []int32, charge, estimate int64, coin Coin) counting.Verdict {
	if charge > 0 {
		return c.DecideAll(now, keys, charge, coin)
	}
	verdict := counting.Admitted
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
	if tokens > 0 {
		c.tally(slot, tokens, 0)
	} else if until := c.countsUntil(key, taken); tokens < 0 && now < until {
		c.takeBack(slot, -tokens, until)
	}
}

// returned is admitted cost to take from a key's next report. What was returned in a window
// that has ended before the report only reduces the hits of the same report: the server
// counts in the next window by then, from which nothing is to be taken.
type returned struct {
	tokens, until int64 // until is the end of the window of tokens
	late          int64 // of windows before that
}

// takeBack takes tokens, which count until that time, from the hits that a key has to report.
func (c *Client) takeBack(slot int32, tokens, until int64) {
	c.tally(slot, 1, 0) // marks the key as touched
	if c.returned == nil {
		c.returned = map[int32]returned{}
	}
	back := c.returned[slot]
	if until > back.until {
		back.late, back.tokens, back.until = back.late+back.tokens, 0, until
	}
	back.late++ // the mark
	back.tokens += tokens
	c.returned[slot] = back
}

func (c *Client) countsUntil(key int32, taken int64) int64 {
	return c.config.CountsUntil(c.config.PolicyOf(key), taken)
}

// CountsUntil returns until when cost that is admitted at a time counts under a policy: to
// the end of its window, or in a bucket for ever.
func (c *Config) CountsUntil(policy int, taken int64) int64 {
	p := c.policy(policy)
	if p.Bucket != nil {
		return counting.Never
	}
	w := p.Limit.Window
	return taken - taken%w + w
}

// giveBack takes what has been returned from the rows of a report at now. A row can then
// have negative hits.
func (c *Client) giveBack(now int64, rows []ReportRow) {
	for i := range rows {
		row := &rows[i]
		back, ok := c.returned[row.Slot]
		if !ok {
			continue
		}
		delete(c.returned, row.Slot)
		if back.until <= now {
			back.late, back.tokens = back.late+back.tokens, 0
		}
		row.Hits = max(row.Hits-back.late, 0) - back.tokens
	}
}
