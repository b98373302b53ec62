package clientthrottle

import (
	"cmp"
	"math"
	"math/bits"

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
	Roots   uint8          `option:"aggression=1|2|4"`     // square roots of the probability
	Most    units.Fraction `option:"most"`                 // of the probability
	Sent    bool           `option:"counts=sent"`          // requests count with their answer; those that the client rejects do not
	Guard   bool           `option:"backend=guard"`        // there is no limiter: a good answer of the backend is an acceptance
	Remote  bool           `option:"backend=remote"`       // the limiter is called over a network
	Timeout int64          `option:"timeout"`              // ns, of that call
	Open    bool           `option:"on_timeout=fail-open"` // admit a request whose call times out
}

// maxParts limits K's numerator and denominator, so that K times a count of
// requests is exact.
const maxParts = 1_000_000

// ConfigFrom reads a Config from the bound fields of Entry. It returns an error if
// K or Most has more than six digits or the window is shorter than its slices.
func ConfigFrom(v catalog.Values) (Config, error) {
	var c Config
	v.Read(&c)
	c.Sent = c.Sent && c.Guard
	return c, cmp.Or(
		catalog.ErrorIf(c.K.Num > maxParts || c.K.Den > maxParts, "k of %d/%d has more than six digits", c.K.Num, c.K.Den),
		catalog.ErrorIf(c.Most.Num > maxParts || c.Most.Den > maxParts, "most of %d/%d has more than six digits", c.Most.Num, c.Most.Den),
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
	if !c.config.Sent {
		h.add(c, 1, 0)
	}
	return num == 0 || !coin.Chance(num, den)
}

// add counts requests and acceptances in the newest slice.
func (h *history) add(c *Client, requests, accepts int64) {
	s := &h.slices[h.newest%c.config.Slices]
	h.requests, s.requests = h.requests+requests, s.requests+requests
	h.accepts, s.accepts = h.accepts+accepts, s.accepts+accepts
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
			c.at(now, before).add(c, -1, 0)
		}
		return false
	}
	return true
}

// accuracy is the number of values of the random number that Envoy compares a probability
// with.
const accuracy = 10_000

// chance returns the probability with which the next request is rejected.
func (c *Client) chance(h *history) (num, den uint64) {
	over := h.requests*c.config.K.Den - h.accepts*c.config.K.Num
	num, den = uint64(max(over, 0)), uint64((h.requests+1)*c.config.K.Den)
	if num == 0 {
		return 0, den
	}
	if c.config.Sent || c.config.Roots > 0 {
		p := float64(num) / float64(den)
		for range c.config.Roots {
			p = math.Sqrt(p)
		}
		num, den = uint64(math.Ceil(float64(p*accuracy))), accuracy
	}
	most := c.config.Most
	high, low := bits.Mul64(num, uint64(most.Den))
	if mostHigh, mostLow := bits.Mul64(uint64(most.Num), den); high > mostHigh || high == mostHigh && low > mostLow {
		return uint64(most.Num), uint64(most.Den)
	}
	return num, den
}

// Accepted counts the acceptance of a request that was sent.
func (c *Client) Accepted(now int64, key int32) { c.at(now, key).add(c, 0, 1) }

// Answered counts the answer to a request that was sent, where requests count with theirs,
// and its acceptance if it is good.
func (c *Client) Answered(now int64, key int32, good bool) {
	h := c.at(now, key)
	if c.config.Sent {
		h.add(c, 1, 0)
	}
	if good {
		h.add(c, 0, 1)
	}
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
