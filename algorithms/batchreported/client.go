package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Client is the half that runs in a gateway: it decides requests from the
// answers it has, and counts what it decided for the next report. Its memory
// grows with the number of keys it has seen. It is not safe for use by several
// goroutines.
//
// A request is decided by the first of these that applies:
//
//  1. now is before the key's reject-until time, or the client is Pessimistic
//     and does not know the key: rejected, by the limiter
//  2. the key has a rejection rate, not older than RateTTL, and the coin (or
//     the diffusion) says so: rejected, by the limiter
//  3. the local limiter has not got the cost: rejected, locally
//  4. otherwise it is admitted
//
// A reject-until time that has passed leaves the client optimistic again until
// the next answer. A key is known from its first answer on, until a report of
// it goes Unanswered that left after all reports that have been answered.
type Client struct {
	*desk   // in the table of its Fleet, if it has one
	index   index
	latest  int     // number of an answer that was given out
	old     []int64 // when the answers were computed of keys that are apart, by slot
	far     []int64 // reject-until times that keys have no room for, by slot
	carried carried // counts of some keys, by slot

	config   *Config
	id       int32
	plain    bool              // nothing but reject-until times decides, and all is counted
	fleet    bool              // a Fleet has the client's tables, which do not grow
	last     int32             // slot of the latest decision
	seen     clientKey         // by touch, which would be left out otherwise
	ahead    int64             // ns by which the client's clock shows more than now
	unknown  int64             // reject-until time of a key without an answer
	kinds    []int32           // the policy of each slot; nil with one policy
	open     []*Report         // by server, during Flush
	verdicts []counter.Verdict // of each key, during DecideAll

	answered []int64 // by slot: when the latest report left that has an answer, or none; nil unless Pessimistic

	rates  []clientRate   // by slot; nil without rejection rates
	locals []localLimiter // by policy; nil without
	sample *sampler       // nil where everything is counted
}

// desk is what every decision of a client needs.
type desk struct {
	keys    []clientKey    // by slot
	touched []int32        // slots with something to report, in order of first touch; longer than there are slots
	news    int            // how many of touched are in use
	wall    int64          // ns that are added to now to compare it with a reject-until time
	times   [numbers]int64 // when answers were computed, by number
}

// clientRate is a key's rejection rate.
type clientRate struct {
	until int64  // it is forgotten from here on
	rate  uint32 // 2^-32
	carry uint32 // diffusion: the part of a rejection that is due, 2^-32
}

// Instants before and after all others, with room to be compared.
const (
	none    = -1 << 62
	forever = 1 << 62
)

// NoAnswer is when the latest answer was computed to a key that has none.
const NoAnswer int64 = none

// NoAge is the least age of an answer that there is not.
const NoAge = -NoAnswer

// NewClient returns client number id of c.Clients. Its clock shows
// now + c.Skew(id) until SetClock says otherwise.
func NewClient(c *Config, id int32) *Client {
	cl := &Client{config: c, id: id, unknown: none, desk: &desk{}, latest: unanswered}
	cl.times[unanswered], cl.times[apart] = NoAnswer, NoAnswer
	cl.SetClock(c.Skew(id))
	if c.Pessimistic {
		cl.unknown = forever
		cl.answered = []int64{}
	}
	if c.RejectionRate {
		cl.rates = []clientRate{}
	}
	cl.locals = newLocalLimiters(c)
	cl.sample = newSampler(c)
	cl.plain = cl.rates == nil && cl.locals == nil && cl.sample == nil
	return cl
}

// SetClock says how far the client's clock is ahead of now, in ns. What it was
// told by the server's clock it reads by its own.
func (c *Client) SetClock(ahead int64) {
	c.ahead = ahead
	if !c.config.AsDuration {
		c.wall = ahead
	}
}

// Expect makes room at once for the keys 0 to keys-1, which the client then
// finds without a search. It is for a client that has not seen a key yet and
// will see most of these.
func (c *Client) Expect(keys int32) {
	if len(c.keys) > 0 || keys <= 0 {
		return
	}
	c.expect(keys, make([]clientKey, 0, keys))
}

// expect numbers the keys 0 to keys-1, for which there is room in a table.
func (c *Client) expect(keys int32, table []clientKey) {
	c.index.expected = keys
	c.keys = table
	c.touched = make([]int32, keys+1)
	for key := range keys {
		c.add(key, key)
	}
}

// Slot is the client's own number of a key, which stays the same.
func (c *Client) Slot(key int32) int32 {
	if uint32(key) < uint32(c.index.expected) {
		return key
	}
	return c.find(key)
}

// find is Slot for a key that was not expected.
func (c *Client) find(key int32) int32 {
	slot, added := c.index.slot(key)
	if added {
		c.add(key, slot)
	}
	return slot
}

func (c *Client) add(key, slot int32) {
	if c.fleet && len(c.keys) == cap(c.keys) {
		panic("batch: a key that the fleet does not expect")
	}
	c.keys = append(c.keys, clientKey(unanswered<<numberAt))
	c.reject(slot, c.unknown)
	if len(c.touched) <= len(c.keys) {
		grown := make([]int32, 2*len(c.keys)+2)
		copy(grown, c.touched[:c.news])
		c.touched = grown
	}
	if c.config.Further != nil {
		c.kinds = append(c.kinds, int32(c.config.PolicyOf(key)))
	}
	if c.answered != nil {
		c.answered = append(c.answered, none)
	}
	if c.rates != nil {
		c.rates = append(c.rates, clientRate{})
	}
	if c.locals != nil {
		c.localOf(slot).reach(slot)
	}
	if c.sample != nil {
		c.sample.keys = append(c.sample.keys, sampledKey{})
	}
}

// LatestAnswer is when the answer was computed that the latest decision went
// by, by the server's clock; ok is false where that key had none yet.
func (c *Client) LatestAnswer() (computedAt int64, ok bool) {
	if int(c.last) >= len(c.keys) {
		return 0, false
	}
	at := c.computedAt(c.last)
	return at, at != NoAnswer
}

// RejectUntil is the instant up to which the client rejects every request of
// the key because its server said so; 0 where it does not reject, or where it
// rejects because it does not know the key.
func (c *Client) RejectUntil(key int32) int64 {
	until := c.unknown
	if slot, ok := c.index.lookup(key); ok {
		until = c.rejectUntil(slot)
	}
	if until == none || until == forever {
		return 0
	}
	return until - c.wall
}
