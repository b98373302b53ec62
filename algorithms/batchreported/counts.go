package batchreported

import "github.com/limitgauge/limitgauge/internal/lists"

// carried holds, by slot, counts that do not fit the key's word. It may be shorter
// than there are slots.
type carried []struct{ hits, rejected int64 }

// tally adds cost to what a key has to report.
func (c *Client) tally(slot int32, hits, rejected int64) {
	d := c.hotState
	k := &d.keys[slot]
	// There is no branch: whether a key has been touched since the last report
	// is unpredictable.
	d.touched[d.touchedCount] = slot
	d.touchedCount += k.untouched()
	hits += k.hits()
	rejected += k.rejected()
	if uint64(hits|rejected) > mostCounted {
		hits, rejected = c.carry(slot, hits, rejected)
	}
	*k = k.with(hits, rejected)
}

// carry stores counts that do not fit a key's word, except for 1, which marks the
// key as touched.
func (c *Client) carry(slot int32, hits, rejected int64) (int64, int64) {
	c.carried = lists.Reach(c.carried, len(c.keys)-1)
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

// take fills in the rows of the slots for a report at now, and resets their counts.
func (c *Client) take(now int64, rows []ReportRow, slots []int32) {
	for i, slot := range slots[:len(rows)] {
		k := &c.keys[slot]
		rows[i] = ReportRow{Key: c.index.key(slot), Slot: slot, Hits: k.hits(), Rejected: k.rejected()}
		*k = k.with(0, 0)
	}
	if c.carried != nil {
		c.addCarried(rows)
	}
	if len(c.returned) > 0 {
		c.giveBack(now, rows)
	}
}

// addCarried adds the counts that did not fit the keys' words to their rows.
func (c *Client) addCarried(rows []ReportRow) {
	for i := range rows {
		if row := &rows[i]; int(row.Slot) < len(c.carried) {
			aside := &c.carried[row.Slot]
			row.Hits += aside.hits
			row.Rejected += aside.rejected
			aside.hits, aside.rejected = 0, 0
		}
	}
}
