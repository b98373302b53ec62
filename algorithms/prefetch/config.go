package prefetch

import (
	"errors"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// WhenEmpty is what a request does that finds too few tokens.
type WhenEmpty uint8

const (
	Wait   WhenEmpty = iota // wait for the fetch
	Reject                  // reject while the fetch is in flight
	Ask                     // call the server for this request alone
)

// Config describes the protocol. Its clients and servers share one Config.
type Config struct {
	Limit        counter.Limit
	Bucket       *counter.TokenBucketOptions // nil means a fixed window
	OwnBurst     bool                        // the burst is the bucket's own, not the limit's
	LeaseSize    int64                       // tokens, at least 1
	LowWater     int64                       // tokens
	Expiry       int64                       // ns; 0 means never
	Returned     bool                        // unused tokens are returned to the server
	WhenEmpty    WhenEmpty
	AdmitAtStart bool  // admit requests before the first answer
	AllOrNothing bool  // the server grants all requested tokens or none
	Forgetful    bool  // the client does not remember a rejection
	Timeout      int64 // ns, of a fetch
	FailOpen     bool  // admit waiting requests at a timeout
}

var whenEmpty = map[string]WhenEmpty{"wait": Wait, "reject": Reject, "ask": Ask}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter,
// which is a token bucket if its fields include debt, otherwise a fixed window.
// It returns an error for options that do not work together.
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
		return c, errors.New("debt has no effect in prefetch: a server grants no more tokens than it has")
	case v.Bool("count_rejected"):
		return c, errors.New("count_rejected has no effect in prefetch: a server does not count what it does not grant")
	}
	return c, c.CheckLimit(limit)
}

// CheckLimit returns an error if counters cannot have this limit.
func (c *Config) CheckLimit(limit counter.Limit) error {
	if c.Bucket != nil {
		return c.bucket(limit).Check(limit)
	}
	limit.Burst = 0 // a window has none
	return limit.Check()
}

// bucket returns the bucket's options under a limit.
func (c *Config) bucket(limit counter.Limit) counter.TokenBucketOptions {
	o := *c.Bucket
	if !c.OwnBurst {
		o.Burst = limit.Burst
	}
	return o
}
