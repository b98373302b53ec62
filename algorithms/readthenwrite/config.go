package readthenwrite

import (
	"errors"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config describes the recipe, as read from Entry's fields.
type Config struct {
	Counter       string
	Bucket        counting.TokenBucketOptions // of counter token-bucket
	FirstHit      counting.FirstHitOptions    // of counter first-hit-window
	CountRejected bool                        // a rejected request is written, too

	Increment  bool           `option:"write=increment"` // otherwise the write sets the value read plus the cost
	Wait       bool           `option:"wait_for_write"`
	ClientTime catalog.Choice `option:"client_time"`
	Timeout    int64          `option:"timeout"` // ns of a call; 0 means none
	FailClosed bool           `option:"on_timeout=fail-closed"`

	options catalog.Values
}

// ConfigFrom reads a Config. It returns an error for options that do not work
// together.
func ConfigFrom(v catalog.Values, limit counting.Limit, name string) (Config, error) {
	c := Config{Counter: name, CountRejected: v.Bool("count_rejected"), options: v}
	v.Read(&c)
	switch name {
	case tokenBucket:
		c.Bucket = counting.TokenBucketOptionsOf(limit, v)
		if c.Increment {
			return c, errors.New("write: increment works over windows only: a client computes the level of a token-bucket from what it has read, and writes level and time back")
		}
	case firstHitWindow:
		v.Read(&c.FirstHit)
	}
	_, err := counting.New(name, limit, v, 0)
	return c, err
}

// The counters that clients can read, decide on and write back.
const (
	fixedWindow    = "fixed-window"
	firstHitWindow = "first-hit-window"
	tokenBucket    = "token-bucket"
)
