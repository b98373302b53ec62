package broadcast

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config describes a limiter of peers. All peers share one Config. Only two things
// may change while they exist: the limit, about which each peer must be informed
// by Relimit before, and the number of peers, which gives keys other owners.
type Config struct {
	Limit counting.Limit // the policy; Burst is the depth of a leaky bucket
	Peers int            // number of peers, at least 1
	Leaky bool           // a bucket that refills, not a window

	Interval   int64 `option:"interval"`    // ns from the first hit, or the first change, to its message
	BatchLimit int   `option:"batch_limit"` // number of keys that are sent at once, before the interval is over
	Resolution int64 `option:"resolution"`  // ns; the peers' clocks show multiples of it

	Calendar       bool `option:"window=calendar"`    // windows are calendar windows and do not begin with a key's first hit
	ForwardRefused bool `option:"forward=all"`        // rejected requests are forwarded too
	Drain          bool `option:"too_many=drain"`     // forwarded hits above the remainder take all of it
	FreshFull      bool `option:"fresh_window=full"`  // a window opened by forwarded hits above the limit stays full
	BurstLost      bool `option:"update_burst=limit"` // an update gives the limit as the bucket's depth
}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter,
// which is a leaky bucket if its fields include debt, otherwise a window. It
// returns an error for options that do not work together.
func ConfigFrom(v catalog.Values, limit counting.Limit, peers int) (Config, error) {
	c := Config{Limit: limit, Peers: peers, Leaky: v.Set("debt")}
	v.Read(&c)
	o := counting.TokenBucketOptionsOf(limit, v)
	if c.Leaky {
		c.Limit.Burst = o.Burst
	}
	err := cmp.Or(
		catalog.ErrorIf(c.Leaky && o.Debt, "debt: broadcast's bucket rejects what it does not hold"),
		catalog.ErrorIf(c.Leaky && o.Initial != counting.Full, "initial: broadcast's buckets start full"),
		catalog.ErrorIf(v.Bool("count_rejected"), "count_rejected has no effect in broadcast: forward says whether rejected requests reach the owner"),
		c.Check(),
	)
	return c, err
}

// Check returns an error if peers cannot be made of c.
func (c *Config) Check() error {
	limit := c.Limit
	if !c.Leaky {
		limit.Burst = 0
	} else {
		limit.Burst++ // a bucket can hold a fraction more than its depth
	}
	return cmp.Or(
		catalog.ErrorIf(c.Peers < 1, "%d peers: at least 1 is needed", c.Peers),
		catalog.ErrorIf(c.Interval < 1, "interval of %d ns: at least 1 is needed", c.Interval),
		catalog.ErrorIf(c.BatchLimit < 1, "batch_limit of %d: at least 1 is needed", c.BatchLimit),
		catalog.ErrorIf(c.Resolution < 1, "resolution of %d ns: at least 1 is needed", c.Resolution),
		catalog.ErrorIf(c.Limit.Window < c.Resolution, "resolution of %d ns is longer than the limit's window of %d ns", c.Resolution, c.Limit.Window),
		catalog.ErrorIf(c.Leaky && c.Limit.Burst < 1, "a bucket of burst 0 admits nothing"),
		limit.Check(),
	)
}

// whole returns a time as the peers' clocks show it.
func (c *Config) whole(now int64) int64 { return now - now%c.Resolution }

// perRequest returns the time that the limit grants each request, in multiples of
// the clock's resolution: 0 if there is more than one request per multiple.
func (c *Config) perRequest() int64 { return c.whole(c.Limit.Window / c.Limit.Count) }

// units returns a cost in units of a bucket, cut at 2^62.
func units(cost, p int64) int64 { return integers.MulDiv(cost, p, 1, 1<<62) }
