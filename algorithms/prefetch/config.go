package prefetch

import (
	"errors"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// WhenEmpty is what a request does that finds too few tokens.
type WhenEmpty uint8

const (
	Wait   WhenEmpty = iota // for the fetch
	Reject                  // while the fetch is under way
	Ask                     // the server once, for the request alone
)

// Config is the protocol in plain values.
type Config struct {
	Limit        counter.Limit
	Bucket       *counter.TokenBucketOptions // nil is a fixed window
	OwnBurst     bool                        // the bucket's, not the limit's
	LeaseSize    int64                       // tokens, at least 1
	LowWater     int64                       // tokens
	Expiry       int64                       // ns; 0 is never
	Returned     bool                        // unused tokens go back to the server
	WhenEmpty    WhenEmpty
	AdmitAtStart bool  // until the first answer
	AllOrNothing bool  // the server gives what is asked for, or nothing
	Forgetful    bool  // a refusal is not remembered
	Timeout      int64 // ns, of a fetch
	FailOpen     bool  // what a timeout means for those who wait
}

var whenEmpty = map[string]WhenEmpty{"wait": Wait, "reject": Reject, "ask": Ask}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter: a
// token bucket where the fields include its debt, otherwise a fixed window.
func ConfigFrom(v catalog.Values, limit counter.Limit) (Config, error) {
	c := Config{
		Limit:        limit,
		LeaseSize:    v.Int("lease_size"),
		LowWater:     v.Int("low_water"),
		Expiry:       v.Duration("expiry"),
		Returned:     v.String("unused") == "returned",
		WhenEmpty:    whenEmpty[v.String("when_empty")],
		AdmitAtStart: v.String("at_start") == "admit",
		AllOrNothing: v.String("grant") == "all-or-nothing",
		Forgetful:    v.String("refusal") == "forgotten",
		Timeout:      v.Duration("timeout"),
		FailOpen:     v.String("on_timeout") == "fail-open",
	}
	if v.Set("debt") {
		bucket := counter.TokenBucketOptionsOf(limit, v)
		c.Bucket, c.OwnBurst = &bucket, v.Set("burst")
	}
	switch {
	case c.Bucket != nil && c.Bucket.Debt:
		return c, errors.New("debt has no meaning for prefetch: a server grants no more tokens than it has")
	case v.Bool("count_rejected"):
		return c, errors.New("count_rejected has no meaning for prefetch: what a server does not grant it does not count")
	}
	return c, c.CheckLimit(limit)
}

// CheckLimit says whether counters can be put under a limit.
func (c *Config) CheckLimit(limit counter.Limit) error {
	if c.Bucket != nil {
		return c.bucket(limit).Check(limit)
	}
	limit.Burst = 0 // a window has none
	return limit.Check()
}

// bucket is the bucket's options under a limit.
func (c *Config) bucket(limit counter.Limit) counter.TokenBucketOptions {
	o := *c.Bucket
	if !c.OwnBurst {
		o.Burst = limit.Burst
	}
	return o
}
