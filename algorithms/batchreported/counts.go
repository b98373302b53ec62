package batchreported

// carried is what keys have no room for, by slot, as far as there is any.
type carried []struct{ hits, rejected int64 }

// tally adds to what a key has to report.
func (c *Client) tally(slot int32, hits, rejected int64) {
	d := c.desk
	k := &d.keys[slot]
	// Without a branch, because nobody can predict whether a key has been
	// touched since the last report.
	d.touched[d.news] = slot
	d.news += k.untouched()
	hits += k.hits()
	rejected += k.rejected()
	if uint64(hits|rejected) > mostCounted {
		hits, rejected = c.carry(slot, hits, rejected)
	}
	*k = k.with(hits, rejected)
}

// carry sets aside what does not fit, all but 1, by which the key can be seen to
// be touched.
func (c *Client) carry(slot int32, hits, rejected int64) (int64, int64) {
	if len(c.carried) < len(c.keys) {
		c.carried = append(c.carried, make(carried, len(c.keys)-len(c.carried))...)
	}
	aside := &c.carried[slot]
	if hits > mostCounted {
		aside.hits += hits - 1
		hits = 1
	}
	if rejected > mostCounted {
		aside.rejected += rejected - 1
		rejected = 1
	}
	return hits, rejected
}

// take fills in the rows of some slots, which then have nothing to report.
func (c *Client) take(rows []ReportRow, slots []int32) {
	for i, slot := range slots[:len(rows)] {
		k := &c.keys[slot]
		rows[i] = ReportRow{Key: c.index.key(slot), Slot: slot, Hits: k.hits(), Rejected: k.rejected()}
		*k = k.with(0, 0)
	}
	if c.carried == nil {
		return
	}
	for i := range rows {
		if row := &rows[i]; int(row.Slot) < len(c.carried) {
			aside := &c.carried[row.Slot]
			row.Hits += aside.hits
			row.Rejected += aside.rejected
			aside.hits, aside.rejected = 0, 0
		}
	}
}
