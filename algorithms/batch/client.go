package batch

import "github.com/limitgauge/limitgauge/algorithms/counters"

// Client is the half that runs in a gateway: it decides requests from the
// answers it has, and counts what it decided for the next report. Its memory
// grows with the number of keys it has seen. It is not safe for use by several
// goroutines.
//
// A request is decided by the first of these that applies:
//
//  1. with Pessimistic, a key without any answer yet: rejected, by the limiter
//  2. now is before the key's reject-until time: rejected, by the limiter
//  3. the key has a rejection rate, not older than RateTTL, and the coin (or
//     the diffusion) says so: rejected, by the limiter
//  4. the local limiter has not got the cost: rejected, locally
//  5. otherwise it is admitted
//
// A reject-until time that has passed leaves the client optimistic again until
// the next answer.
type Client struct {
	id          int32
	offset      int64
	pessimistic bool
	diffusion   bool
	rateTTL     int64
	index       index
	keys        []clientKey
	local       *pages[*counters.TokenBuckets] // nil without a local limiter
	last        int32                          // slot of the latest decision
	touched     []int32                        // slots with something to report, in order of first touch
	open        []*Report                      // by server, during Flush
}

// clientKey is what a client knows of one key.
type clientKey struct {
	rejectUntil int64 // by the client's own now
	rateUntil   int64 // the rate is forgotten from here on
	computedAt  int64 // of the latest answer
	hits        int64 // let through and not reported yet
	rejected    int64 // refused and not reported yet
	key         int32
	rate        uint32 // 2^-32
	carry       uint32 // diffusion: the part of a rejection that is due, 2^-32
	answered    bool
}

// NewClient returns client number id of c.Clients. Its clock shows
// now + c.Skew(id).
func NewClient(c *Config, id int32) *Client {
	cl := &Client{
		id:          id,
		offset:      c.Skew(id),
		pessimistic: c.Pessimistic,
		diffusion:   c.Diffusion,
		rateTTL:     c.RateTTL,
	}
	if c.Local != nil {
		limit := *c.Local
		cl.local = &pages[*counters.TokenBuckets]{page: func(keys int) *counters.TokenBuckets {
			return counters.NewTokenBuckets(limit, counters.TokenBucketOptions{Burst: limit.Burst}, keys)
		}}
	}
	return cl
}

// Decide decides one request. The coin is used only where a rejection rate is
// in force and thinning is by coin, once. Cost 0 is admitted and not counted.
func (c *Client) Decide(now int64, key int32, cost int64, coin Coin) counters.Verdict {
	slot := c.last
	if int(slot) >= len(c.keys) || c.keys[slot].key != key {
		slot = c.slot(key)
		c.last = slot
	}
	k := &c.keys[slot]
	if cost <= 0 {
		return counters.Admitted
	}
	if k.hits|k.rejected == 0 {
		c.touched = append(c.touched, slot)
	}
	if now < k.rejectUntil || k.rate != 0 && now < k.rateUntil && c.thin(k, coin) || c.pessimistic && !k.answered {
		k.rejected += cost
		return counters.Rejected
	}
	if c.local != nil {
		if bucket, place := c.local.at(slot); !bucket.Take(place, now, cost).Admitted() {
			k.rejected += cost
			return counters.MakeVerdict(false, counters.ByLocal)
		}
	}
	k.hits += cost
	return counters.Admitted
}

// thin says whether the rejection rate takes this request. Diffusion carries
// the fractions of rejections that are due from one request to the next, so
// that of n requests it takes n*rate, give or take one.
func (c *Client) thin(k *clientKey, coin Coin) bool {
	if !c.diffusion {
		return uint32(coin.Uint64()>>32) < k.rate
	}
	before := k.carry
	k.carry += k.rate
	return k.carry < before // wrapped: a whole rejection is due
}

// slot returns the key's place, making it at the first touch.
func (c *Client) slot(key int32) int32 {
	slot, added := c.index.slot(key)
	if added {
		c.keys = append(c.keys, clientKey{key: key})
		if c.local != nil {
			c.local.reach(slot)
		}
	}
	return slot
}

// LatestAnswer is when the answer was computed that the latest Decide went by,
// by the server's clock; ok is false where that key had none yet.
func (c *Client) LatestAnswer() (computedAt int64, ok bool) {
	if int(c.last) >= len(c.keys) {
		return 0, false
	}
	k := &c.keys[c.last]
	return k.computedAt, k.answered
}

// RejectUntil is the instant up to which the client rejects every request of
// the key because its server said so, or 0.
func (c *Client) RejectUntil(key int32) int64 {
	slot, ok := c.index.lookup(key)
	if !ok {
		return 0
	}
	return c.keys[slot].rejectUntil
}

// Flush reports everything counted since the last report: one row a key, in the
// order in which keys were first touched since, in one report for each server
// that owns any of them. It asks the caller for the report to a server at the
// first row for it, and fills it in; the caller owns it from then on.
func (c *Client) Flush(now int64, servers int, report func(server int32) *Report) {
	if len(c.touched) == 0 {
		return
	}
	if len(c.open) < servers {
		c.open = make([]*Report, servers)
	}
	for _, slot := range c.touched {
		k := &c.keys[slot]
		server := Owner(k.key, servers)
		r := c.open[server]
		if r == nil {
			r = report(server)
			r.Client, r.Server, r.SentAt, r.Rows = c.id, server, now+c.offset, r.Rows[:0]
			c.open[server] = r
		}
		r.Rows = append(r.Rows, ReportRow{Key: k.key, Hits: k.hits, Rejected: k.rejected})
		k.hits, k.rejected = 0, 0
	}
	c.touched = c.touched[:0]
	clear(c.open)
}

// Resend takes back the counts of a report that was lost, so that they go out
// with the next one.
func (c *Client) Resend(r *Report) {
	for _, row := range r.Rows {
		if row.Hits|row.Rejected == 0 {
			continue
		}
		slot := c.slot(row.Key)
		k := &c.keys[slot]
		if k.hits|k.rejected == 0 {
			c.touched = append(c.touched, slot)
		}
		k.hits += row.Hits
		k.rejected += row.Rejected
	}
}

// Apply takes in an answer that arrives now. For each of its keys it replaces
// all that an earlier answer said; a row that was computed before the one the
// client already has is late and changes nothing.
func (c *Client) Apply(now int64, a *Answer) {
	for i := range a.Rows {
		row := &a.Rows[i]
		k := &c.keys[c.slot(row.Key)]
		if k.answered && a.ComputedAt < k.computedAt {
			continue
		}
		k.answered, k.computedAt = true, a.ComputedAt
		k.rejectUntil = 0
		switch {
		case row.RejectUntil != 0:
			k.rejectUntil = row.RejectUntil - c.offset
		case row.RejectFor != 0:
			k.rejectUntil = addTime(now, row.RejectFor)
		}
		k.rate, k.rateUntil = row.RejectionRate, addTime(now, c.rateTTL)
	}
}

// addTime is t+d for d >= 0; a sum beyond the last instant is the last instant.
func addTime(t, d int64) int64 {
	if d > counters.Never-t {
		return counters.Never
	}
	return t + d
}
