package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Client is the half that runs in a gateway. It decides requests from the
// answers it has received, and counts its decisions for the next report. Its
// memory grows with the number of keys it has seen. It is not safe for
// concurrent use.
//
// The first of these rules that applies decides a request:
//
//  1. If now is before the key's reject-until time, or the client is Pessimistic
//     and does not know the key, the request is rejected by the limiter.
//  2. If the key has a rejection rate not older than RateTTL, and the coin (or
//     the diffusion) selects the request, it is rejected by the limiter.
//  3. If the local limiter does not hold the cost, the request is rejected
//     locally.
//  4. Otherwise the request is admitted.
//
// After a reject-until time the client is optimistic again until the next
// answer. A client knows a key from the first answer about it. It forgets the
// key when a report of it is Unanswered that left after all answered reports.
type Client struct {
	*hotState // in the table of its Fleet, if it has one
	index     index
	latest    int     // number of the newest numbered answer
	old       []int64 // by slot: when the answers of keys without a number were computed
	far       []int64 // by slot: reject-until times that do not fit the key's word
	carried   carried // by slot: counts that do not fit the key's word

	config       *Config
	id           int32
	plain        bool               // only reject-until times decide, and every request is counted
	fleet        bool               // a Fleet owns the client's tables, which cannot grow
	last         int32              // slot of the latest decision
	seen         clientKey          // result of touch; without it the compiler would remove the reads
	ahead        int64              // ns by which the client's clock is ahead of now
	unknown      int64              // reject-until time of a key without an answer
	policyBySlot []int32            // by slot: number of the policy; nil with one policy
	open         []*Report          // by server, during Flush
	verdicts     []counting.Verdict // of each key, during DecideAll

	answered []int64 // by slot: when the latest answered report left, or none; nil unless Pessimistic

	rates    []clientRate             // by slot; nil without rejection rates
	sampled  []sampledKey             // by slot; nil if every request is counted
	returned map[int32]returned       // by slot: admitted cost to take from the next report
	locals   []*counting.TokenBuckets // by policy; nil without local limits
}

// hotState is the part of a client that every decision needs.
type hotState struct {
	keys         []clientKey    // by slot
	touched      []int32        // slots with counts to report, in order of first touch; longer than keys
	touchedCount int            // used length of touched
	clockOffset  int64          // ns to add to now before comparing it with a reject-until time
	times        [numbers]int64 // when answers were computed, by number
}

// clientRate is a key's rejection rate.
type clientRate struct {
	until int64  // the rate holds before this time
	rate  uint32 // 2^-32
	carry uint32 // diffusion: the fraction of a rejection that is due, 2^-32
}

// sampledKey holds the remainders of scaling a key's counts, in units of
// 1/Sample.Num.
type sampledKey struct{ hits, rejected uint64 }

// Times before and after all others, with room for differences.
const (
	none    = -1 << 62
	forever = 1 << 62
)

// NoAnswer is the computation time of a key's latest answer if it has none.
const NoAnswer int64 = none

// NoAge is the least age that stands for a missing answer.
const NoAge = -NoAnswer

// NewClient returns client number id of c.Clients. Its clock shows now until SetClock is
// called.
func NewClient(c *Config, id int32) *Client {
	cl := &Client{config: c, id: id, unknown: none, hotState: &hotState{}, latest: unanswered}
	cl.times[unanswered], cl.times[apart] = NoAnswer, NoAnswer
	if c.Pessimistic {
		cl.unknown = forever
	}
	cl.locals = newLocals(c)
	cl.plain = !c.RejectionRate && cl.locals == nil && !c.Samples()
	return cl
}

// SetClock sets how far the client's clock is ahead of now, in ns. The client
// compares reject-until times of the server's clock with its own clock.
func (c *Client) SetClock(ahead int64) {
	c.ahead = ahead
	if !c.config.AsDuration {
		c.clockOffset = ahead
	}
}

// Expect allocates the state of the keys 0 to keys-1, which the client then finds
// without a search. Call it on a new client that will see most of these keys. On
// a client that has seen a key it has no effect.
func (c *Client) Expect(keys int32) {
	if len(c.keys) > 0 || keys <= 0 {
		return
	}
	c.expect(keys, make([]clientKey, 0, keys))
}

// expect numbers the keys 0 to keys-1 and stores them in a table with that capacity.
func (c *Client) expect(keys int32, table []clientKey) {
	c.index.expected = keys
	c.keys = table
	c.touched = make([]int32, keys+1)
	for key := range keys {
		c.add(key, key)
	}
}

// Slot returns the client's own number of a key, which never changes.
func (c *Client) Slot(key int32) int32 {
	if uint32(key) < uint32(c.index.expected) {
		return key
	}
	return c.find(key)
}

// find is Slot for a key outside the expected ones.
func (c *Client) find(key int32) int32 {
	slot, added := c.index.slot(key)
	if added {
		c.add(key, slot)
	}
	return slot
}

func (c *Client) add(key, slot int32) {
	if c.fleet && len(c.keys) == cap(c.keys) {
		panic("batchreported: key outside the keys that the fleet expects")
	}
	c.keys = append(c.keys, 0)
	c.unlearn(slot)
	if len(c.touched) <= len(c.keys) {
		grown := make([]int32, 2*len(c.keys)+2)
		copy(grown, c.touched[:c.touchedCount])
		c.touched = grown
	}
	if c.config.Further != nil {
		c.policyBySlot = append(c.policyBySlot, int32(c.config.PolicyOf(key)))
	}
	if c.config.Pessimistic {
		c.answered = append(c.answered, none)
	}
	if c.config.RejectionRate {
		c.rates = append(c.rates, clientRate{})
	}
	if c.config.Samples() {
		c.sampled = append(c.sampled, sampledKey{})
	}
	if l := c.localOf(slot); l != nil {
		l.Reach(slot)
	}
}

// LatestAnswer returns when the answer behind the latest decision was computed,
// by the server's clock. ok is false if the key had no answer.
func (c *Client) LatestAnswer() (computedAt int64, ok bool) {
	if int(c.last) >= len(c.keys) {
		return 0, false
	}
	at := c.computedAt(c.last)
	return at, at != NoAnswer
}

// RejectUntil returns the time up to which the client rejects every request of
// the key because of an answer. It returns 0 if the client does not reject the
// key, or rejects it only because it does not know it.
func (c *Client) RejectUntil(key int32) int64 {
	until := c.unknown
	if slot, ok := c.index.lookup(key); ok {
		until = c.rejectUntil(slot)
	}
	if until == none || until == forever {
		return 0
	}
	return until - c.clockOffset
}
