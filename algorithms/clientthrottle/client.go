package clientthrottle

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Config describes the throttle. Its clients share one Config, which must not
// change.
type Config struct {
	K       units.Fraction `option:"k"`                    // at least 1
	Window  int64          `option:"window"`               // ns
	Slices  int64          `option:"slices"`               // parts of the window
	Remote  bool           `option:"backend=remote"`       // the limiter is called over a network
	Timeout int64          `option:"timeout"`              // ns, of that call
	Open    bool           `option:"on_timeout=fail-open"` // admit a request whose call times out
}

// maxParts limits K's numerator and denominator, so that K times a count of
// requests is exact.
const maxParts = 1_000_000

// ConfigFrom reads a Config from the bound fields of Entry. It returns an error if
// K has more than six digits or the window is shorter than its slices.
func ConfigFrom(v catalog.Values) (Config, error) {
	var c Config
	v.Read(&c)
	return c, cmp.Or(
		catalog.ErrorIf(c.K.Num > maxParts || c.K.Den > maxParts, "k of %d/%d has more than six digits", c.K.Num, c.K.Den),
		catalog.ErrorIf(c.Window < c.Slices, "a window of %d ns cannot be divided into %d slices", c.Window, c.Slices),
	)
}

// Coin is true with probability num/den, such as a *random.Stream.
type Coin interface{ Chance(num, den uint64) bool }

// Client counts its requests and how many of them were accepted. Its memory grows
// with the number of keys it has seen. It is not safe for concurrent use.
type Client struct {
	config *Config
	width  int64 // ns of a slice
	keys   perkey.Table[history]
}

// history holds a client's counts for one key.
type history struct {
	slices   []slice // slice number i is at i % len
	newest   int64
	requests int64 // in all slices
	accepts  int64
}

type slice struct{ requests, accepts int64 }

// NewClient returns a client without history.
func NewClient(c *Config) *Client {
	return &Client{config: c, width: (c.Window + c.Slices - 1) / c.Slices}
}

// Sends reports whether a request is sent, and counts it. It uses the coin only if
// the probability of a rejection is not 0.
func (c *Client) Sends(now int64, key int32, coin Coin) bool {
	h := c.at(now, key)
	num, den := c.chance(h)
	h.requests++
	h.slices[h.newest%c.config.Slices].requests++
	return num == 0 || !coin.Chance(num, den)
}

// SendsAll is Sends for a request under several keys, each with counts of its own. The
// first key that rejects the request ends it: the keys after it do not count it, and
// those before it no longer do.
func (c *Client) SendsAll(now int64, keys []int32, coin Coin) bool {
	for i, key := range keys {
		if c.Sends(now, key, coin) {
			continue
		}
		for _, before := range keys[:i] {
			h := c.at(now, before)
			h.requests--
			h.slices[h.newest%c.config.Slices].requests--
		}
		return false
	}
	return true
}

// chance returns the probability with which the next request is rejected.
func (c *Client) chance(h *history) (num, den uint64) {
	over := h.requests*c.config.K.Den - h.accepts*c.config.K.Num
	return uint64(max(over, 0)), uint64((h.requests + 1) * c.config.K.Den)
}

// Accepted counts the acceptance of a request that was sent.
func (c *Client) Accepted(now int64, key int32) {
	h := c.at(now, key)
	h.accepts++
	h.slices[h.newest%c.config.Slices].accepts++
}

// AcceptedAll counts the acceptance of a request that was sent for the keys whose own
// limit has accepted it.
func (c *Client) AcceptedAll(now int64, keys []int32) {
	for _, key := range keys {
		c.Accepted(now, key)
	}
}

// at returns the key's history at now.
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
