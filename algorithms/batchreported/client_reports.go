package batchreported

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Flush reports everything counted since the last report: one row per key, in
// the order of first requests, in one report per owning server, or with Scattered
// in one report per row. If owner is nil, server 0 owns all keys. Flush calls
// report for an empty report to a server and fills it in. The caller then owns
// the report.
func (c *Client) Flush(now int64, owner func(key int32) int32, report func(server int32) *Report) {
	slots := c.touched[:c.touchedCount]
	c.touchedCount = 0
	if owner == nil && !c.config.Scattered {
		if len(slots) > 0 {
			r := c.reportTo(now, 0, report)
			r.Rows = slices.Grow(r.Rows, len(slots))[:len(slots)]
			c.touch(len(slots))
			c.take(now, r.Rows, slots)
		}
		clear(c.open)
		return
	}
	var taken [rowsAtATime]ReportRow
	var r *Report
	to := int32(-1)
	for len(slots) > 0 {
		rows := taken[:min(len(slots), rowsAtATime)]
		c.take(now, rows, slots)
		slots = slots[len(rows):]
		for _, row := range rows {
			server := int32(0)
			if owner != nil {
				server = owner(row.Key)
			}
			if server != to || c.config.Scattered {
				r, to = c.reportTo(now, server, report), server
			}
			r.Rows = append(r.Rows, row)
		}
	}
	clear(c.open)
}

// touch reads the client's whole state in order if many keys have to be read
// anyway, because processors prefetch sequential reads.
func (c *Client) touch(keys int) {
	if keys < len(c.keys)/4 {
		return
	}
	seen := clientKey(0)
	for i := 0; i < len(c.keys); i += keysPerLine {
		seen |= c.keys[i]
	}
	c.seen = seen
}

// rowsAtATime is the number of rows taken before they are distributed to reports.
// In a loop that does nothing else, the processor fetches many keys at a time.
const rowsAtATime = 64

// reportTo returns the report that takes the next row for a server.
func (c *Client) reportTo(now int64, server int32, report func(server int32) *Report) *Report {
	c.open = lists.Reach(c.open, server)
	r := c.open[server]
	if r == nil || c.config.Scattered {
		r = report(server)
		r.Client, r.Server, r.SentAt, r.LeftAt, r.Rows = c.id, server, now+c.ahead, now, r.Rows[:0]
		c.open[server] = r
	}
	return r
}

// Resend adds the counts of a lost report to the next report.
func (c *Client) Resend(r *Report) {
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Hits|row.Rejected == 0 {
			continue
		}
		slot := c.slotOf(row.Key, row.Slot)
		if row.Hits < 0 {
			c.takeBack(slot, -row.Hits, c.countsUntil(row.Key, r.LeftAt))
		}
		c.tally(slot, max(row.Hits, 0), row.Rejected)
	}
}

// Unanswered tells the client to give up on an answer to a report. A pessimistic
// client then no longer knows the report's keys until their next answer, except
// for keys of which a later report has been answered.
func (c *Client) Unanswered(r *Report) {
	if !c.config.Pessimistic {
		return
	}
	for i := range r.Rows {
		if slot := c.slotOf(r.Rows[i].Key, r.Rows[i].Slot); c.answered[slot] < r.LeftAt {
			c.reject(slot, c.unknown)
		}
	}
}

// slotOf returns the slot of a key from a message that names the key's slot.
func (c *Client) slotOf(key, slot int32) int32 {
	if slot == key && uint32(key) < uint32(c.index.expected) {
		return slot
	}
	return c.searchSlot(key, slot)
}

// searchSlot is slotOf for a key outside the expected ones.
func (c *Client) searchSlot(key, slot int32) int32 {
	if uint32(slot) < uint32(c.index.count()) && c.index.key(slot) == key {
		return slot
	}
	return c.find(key)
}

// Apply applies an answer that arrives at now. For each of its keys it replaces
// everything from earlier answers. It ignores a row that was computed before the
// one the client already has.
func (c *Client) Apply(now int64, a *Answer) {
	from := int64(0)
	if c.config.AsDuration {
		from = now
	}
	rows, computedAt, number := a.Rows, a.ComputedAt, c.numberOf(a)
	simple := number != apart && !c.config.RejectionRate && !c.config.Pessimistic
	for i := range rows {
		row := &rows[i]
		slot := c.slotOf(row.Key, row.Slot)
		k := &c.keys[slot]
		span := int64(0)
		if row.Reject != 0 {
			span = from + row.Reject - computedAt
		}
		// Most rows take this path, without a call.
		if simple && uint64(span) < farAway && (span > 0 || row.Reject == 0) && !k.isApart() && c.times[k.number()] <= computedAt {
			*k = k.withAnswer(number, span)
			continue
		}
		c.apply(now, a, row, slot, number)
	}
}

// apply applies one row of an answer.
func (c *Client) apply(now int64, a *Answer, row *AnswerRow, slot int32, number int) {
	if a.ComputedAt < c.computedAt(slot) {
		return
	}
	if c.config.Pessimistic {
		c.answered[slot] = max(c.answered[slot], a.LeftAt)
	}
	until := int64(none)
	switch {
	case row.Reject == 0:
	case c.config.AsDuration:
		until = integers.Add(now, row.Reject)
	default:
		until = row.Reject
	}
	c.setAnswer(slot, number, a.ComputedAt, until)
	if c.config.RejectionRate {
		r := &c.rates[slot]
		r.rate, r.until = row.RejectionRate, integers.Add(now, c.config.RateTTL)
	}
}
