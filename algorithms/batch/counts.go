package batch

import "math"

// counts are what a client has to report of a key, in cost. They have 32 bits
// each so that a key takes 24 bytes: the keys of a fleet are more than caches
// hold.
type counts struct {
	hits     uint32 // let through
	rejected uint32
}

// carried is what has not fitted into counts, by slot, as far as there is any.
type carried []struct{ hits, rejected int64 }

// tally adds to what a key has to report.
func (c *Client) tally(slot int32, hits, rejected int64) {
	k := &c.keys[slot].counts
	// Without a branch, because nobody can predict whether a key has been
	// touched since the last report.
	c.touched[c.news] = slot
	c.news += int((uint64(k.hits|k.rejected) - 1) >> 63)
	hits += int64(k.hits)
	rejected += int64(k.rejected)
	if uint64(hits|rejected) > math.MaxUint32 {
		hits, rejected = c.carry(slot, hits, rejected)
	}
	*k = counts{uint32(hits), uint32(rejected)}
}

// carry sets aside what does not fit, all but 1, by which the key can be seen to
// be touched.
func (c *Client) carry(slot int32, hits, rejected int64) (int64, int64) {
	if len(c.carried) < len(c.keys) {
		c.carried = append(c.carried, make(carried, len(c.keys)-len(c.carried))...)
	}
	aside := &c.carried[slot]
	if hits > math.MaxUint32 {
		aside.hits += hits - 1
		hits = 1
	}
	if rejected > math.MaxUint32 {
		aside.rejected += rejected - 1
		rejected = 1
	}
	return hits, rejected
}

// take fills in the rows of some slots, which then have nothing to report.
func (c *Client) take(rows []ReportRow, slots []int32) {
	for i, slot := range slots[:len(rows)] {
		k := &c.keys[slot].counts
		rows[i] = ReportRow{Key: c.index.key(slot), Slot: slot, Hits: int64(k.hits), Rejected: int64(k.rejected)}
		*k = counts{}
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
