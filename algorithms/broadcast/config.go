package broadcast

import (
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config is a limiter of peers in plain values, which all of them share. Once
// they exist only two things may change: the limit, which each peer must be told
// of by Relimit before, and the number of peers, by which keys get other owners.
type Config struct {
	Limit counter.Limit // the policy; Burst is the depth of a leaky bucket
	Peers int           // how many there are, at least 1
	Leaky bool          // a bucket that refills, not a window that is used up

	Interval   int64 // ns from the first hit, or the first change, to its message
	BatchLimit int   // so many keys are sent at once, before the interval is over
	Resolution int64 // ns: instants are whole multiples of it

	Calendar       bool // windows are the calendar's, not from a key's first hit on
	ForwardRefused bool // refused requests are forwarded too
	Drain          bool // forwarded hits that are more than what is left take it all
	FreshFull      bool // a window opened by forwarded hits above the limit stays full
	BurstLost      bool // an update names the limit as the bucket's depth
}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter:
// a leaky bucket where the fields include a bucket's debt, otherwise a window.
func ConfigFrom(v catalog.Values, limit counter.Limit, peers int) (Config, error) {
	c := Config{
		Limit:          limit,
		Peers:          peers,
		Interval:       v.Duration("interval"),
		BatchLimit:     int(v.Int("batch_limit")),
		Resolution:     v.Duration("resolution"),
		Calendar:       v.String("window") == "calendar",
		ForwardRefused: v.String("forward") == "all",
		Drain:          v.String("too_many") == "drain",
		FreshFull:      v.String("fresh_window") == "full",
		BurstLost:      v.String("update_burst") == "limit",
	}
	if v.Set("debt") {
		o := counter.TokenBucketOptionsOf(limit, v)
		c.Leaky, c.Limit.Burst = true, o.Burst
		switch {
		case o.Debt:
			return Config{}, fmt.Errorf("debt: broadcast's bucket refuses what it does not hold")
		case o.Initial != counter.Full:
			return Config{}, fmt.Errorf("initial: broadcast's buckets start full")
		}
	}
	if v.Bool("count_rejected") {
		return Config{}, fmt.Errorf("count_rejected has no meaning for broadcast: forward says whether the owner hears of refused requests")
	}
	return c, c.Check()
}

// Check says whether peers can be made of the configuration.
func (c *Config) Check() error {
	limit := c.Limit
	if !c.Leaky {
		limit.Burst = 0
	} else {
		limit.Burst++ // a bucket may hold a fraction more than its depth
	}
	switch {
	case c.Peers < 1:
		return fmt.Errorf("%d peers: at least 1 is needed", c.Peers)
	case c.Interval < 1:
		return fmt.Errorf("interval of %d ns: at least 1 is needed", c.Interval)
	case c.BatchLimit < 1:
		return fmt.Errorf("batch_limit of %d: at least 1 is needed", c.BatchLimit)
	case c.Resolution < 1:
		return fmt.Errorf("resolution of %d ns: at least 1 is needed", c.Resolution)
	case c.Limit.Window < c.Resolution:
		return fmt.Errorf("resolution of %d ns is longer than the limit's window of %d ns", c.Resolution, c.Limit.Window)
	case c.Leaky && c.Limit.Burst < 1:
		return fmt.Errorf("a bucket of burst 0 admits nothing")
	}
	return limit.Check()
}

// whole is an instant as the peers' clocks show it.
func (c *Config) whole(now int64) int64 { return now - now%c.Resolution }

// perRequest is the time the limit gives each request, in whole units of the
// clock's resolution: 0 where there is more than one to a unit.
func (c *Config) perRequest() int64 { return c.whole(c.Limit.Window / c.Limit.Count) }

// units is cost in units of a bucket, cut at what an int64 holds.
func units(cost, p int64) int64 { return rescale(cost, 1, p) }

// rescale is level*to/from rounded down: a level in units of 1/to of a request
// instead of 1/from. It is cut at 2^62.
func rescale(level, from, to int64) int64 {
	hi, lo := bits.Mul64(uint64(level), uint64(to))
	if hi >= uint64(from) {
		return 1 << 62
	}
	q, _ := bits.Div64(hi, lo, uint64(from))
	return int64(min(q, 1<<62))
}
