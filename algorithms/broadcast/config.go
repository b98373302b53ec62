package broadcast

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config describes a limiter of peers. All peers share one Config. Only two things
// may change while they exist: the limit, about which each peer must be informed
// by Relimit before, and the number of peers, which gives keys other owners.
type Config struct {
	Limit counter.Limit // the policy; Burst is the depth of a leaky bucket
	Peers int           // number of peers, at least 1
	Leaky bool          // a bucket that refills, not a window

	Interval   int64 // ns from the first hit, or the first change, to its message
	BatchLimit int   // number of keys that are sent at once, before the interval is over
	Resolution int64 // ns; the peers' clocks show multiples of it

	Calendar       bool // windows are calendar windows and do not begin with a key's first hit
	ForwardRefused bool // rejected requests are forwarded too
	Drain          bool // forwarded hits above the remainder take all of it
	FreshFull      bool // a window opened by forwarded hits above the limit stays full
	BurstLost      bool // an update gives the limit as the bucket's depth
}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter,
// which is a leaky bucket if its fields include debt, otherwise a window. It
// returns an error for options that do not work together.
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
			return Config{}, fmt.Errorf("debt: broadcast's bucket rejects what it does not hold")
		case o.Initial != counter.Full:
			return Config{}, fmt.Errorf("initial: broadcast's buckets start full")
		}
	}
	if v.Bool("count_rejected") {
		return Config{}, fmt.Errorf("count_rejected has no effect in broadcast: forward says whether rejected requests reach the owner")
	}
	return c, c.Check()
}

// Check returns an error if peers cannot be made of c.
func (c *Config) Check() error {
	limit := c.Limit
	if !c.Leaky {
		limit.Burst = 0
	} else {
		limit.Burst++ // a bucket can hold a fraction more than its depth
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

// whole returns a time as the peers' clocks show it.
func (c *Config) whole(now int64) int64 { return now - now%c.Resolution }

// perRequest returns the time that the limit grants each request, in multiples of
// the clock's resolution: 0 if there is more than one request per multiple.
func (c *Config) perRequest() int64 { return c.whole(c.Limit.Window / c.Limit.Count) }

// units returns a cost in units of a bucket, cut at 2^62.
func units(cost, p int64) int64 { return integers.MulDiv(cost, p, 1, 1<<62) }

// units is cost in units of a bucket, cut at what an int64 holds.
