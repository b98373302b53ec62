package clientthrottle

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Config is the throttle in plain values.
type Config struct {
	K       units.Fraction // at least 1
	Window  int64          // ns
	Slices  int64
	Remote  bool  // the limiter is a call away
	Timeout int64 // ns, of that call
	Open    bool  // a request that times out is let through
}

// maxParts bounds K's numerator and denominator, so that K times a count of
// requests is exact.
const maxParts = 1_000_000

// ConfigFrom reads a Config from the bound fields of Entry.
func ConfigFrom(v catalog.Values) (Config, error) {
	c := Config{K: v.Share("k"), Window: v.Duration("window"), Slices: v.Int("slices"), Remote: v.String("backend") == "remote",
		Timeout: v.Duration("timeout"), Open: v.String("on_timeout") == "fail-open"}
	switch {
	case c.K.Num > maxParts || c.K.Den > maxParts:
		return c, fmt.Errorf("k of %d/%d has more than six digits", c.K.Num, c.K.Den)
	case c.Window < c.Slices:
		return c, fmt.Errorf("a window of %d ns cannot be cut into %d slices", c.Window, c.Slices)
	}
	return c, nil
}

// Coin is true with probability num/den, such as a *random.Stream.
type Coin interface{ Chance(num, den uint64) bool }

// Client counts what it has asked and what was accepted.
type Client struct {
	config *Config
	width  int64 // ns of a slice
	keys   perkey.Table[history]
}

// history is what a client remembers of one key.
type history struct {
	slices   []slice // slice i of time is at i % len
	newest   int64
	requests int64 // in all slices
	accepts  int64
}

type slice struct{ requests, accepts int64 }

// NewClient returns a client that remembers nothing.
func NewClient(c *Config) *Client {
	return &Client{config: c, width: (c.Window + c.Slices - 1) / c.Slices}
}

// Sends decides whether a request is sent, and counts it. The coin is used only
// where there is a chance that it is not.
func (c *Client) Sends(now int64, key int32, coin Coin) bool {
	h := c.at(now, key)
	num, den := c.chance(h)
	h.requests++
	h.slices[h.newest%c.config.Slices].requests++
	return num == 0 || !coin.Chance(num, den)
}

// chance is the probability with which the next request is rejected.
func (c *Client) chance(h *history) (num, den uint64) {
	over := h.requests*c.config.K.Den - h.accepts*c.config.K.Num
	return uint64(max(over, 0)), uint64((h.requests + 1) * c.config.K.Den)
}

// Accepted says that a request that was sent has been accepted.
func (c *Client) Accepted(now int64, key int32) {
	h := c.at(now, key)
	h.accepts++
	h.slices[h.newest%c.config.Slices].accepts++
}

// at is the key's history at now.
func (c *Client) at(now int64, key int32) *history {
	h, n := c.keys.At(key), now/c.width
	if h.slices == nil {
		h.slices, h.newest = make([]slice, c.config.Slices), n
	}
	for i := max(h.newest+1, n-c.config.Slices+1); i <= n; i++ {
		s := &h.slices[i%c.config.Slices]
		h.requests -= s.requests
		h.accepts -= s.accepts
		*s = slice{}
	}
	h.newest = max(h.newest, n)
	return h
}
