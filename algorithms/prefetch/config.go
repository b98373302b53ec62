package prefetch

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config describes the protocol. Its clients and servers share one Config.
type Config struct {
	Limit        counting.Limit
	Bucket       *counting.TokenBucketOptions // nil means a fixed window
	OwnBurst     bool                         // the burst is the bucket's own, not the limit's
	LeaseSize    int64                        `option:"lease_size"`           // tokens, at least 1
	LowWater     int64                        `option:"low_water"`            // tokens
	Expiry       int64                        `option:"expiry"`               // ns; 0 means never
	Rejects      bool                         `option:"when_empty=reject"`    // a request without tokens does not wait for the fetch
	AdmitAtStart bool                         `option:"at_start=admit"`       // admit requests before the first answer
	Forgetful    bool                         `option:"refusal=forgotten"`    // the client does not remember a rejection
	Timeout      int64                        `option:"timeout"`              // ns, of a fetch
	FailOpen     bool                         `option:"on_timeout=fail-open"` // admit waiting requests at a timeout
}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter,
// which is a token bucket if its fields include debt, otherwise a fixed window.
// It returns an error for options that do not work together.
func ConfigFrom(v catalog.Values, limit counting.Limit) (Config, error) {
	c := Config{Limit: limit, OwnBurst: v.Set("burst")}
	v.Read(&c)
	if v.Set("debt") {
		bucket := counting.TokenBucketOptionsOf(limit, v)
		c.Bucket = &bucket
	}
	return c, cmp.Or(
		catalog.ErrorIf(c.Bucket != nil && c.Bucket.Debt, "debt has no effect in prefetch: a server grants no more tokens than it has"),
		catalog.ErrorIf(v.Bool("count_rejected"), "count_rejected has no effect in prefetch: a server does not count what it does not grant"),
		c.CheckLimit(limit),
	)
}

// CheckLimit returns an error if counters cannot have this limit.
func (c *Config) CheckLimit(limit counting.Limit) error {
	if c.Bucket != nil {
		return c.bucket(limit).Check(limit)
	}
	limit.Burst = 0 // a window has none
	return limit.Check()
}

// bucket returns the bucket's options under a limit.
func (c *Config) bucket(limit counting.Limit) counting.TokenBucketOptions {
	o := *c.Bucket
	if !c.OwnBurst {
		o.Burst = limit.Burst
	}
	return o
}
