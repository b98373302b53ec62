package delayedsync

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config describes a delayed-sync limiter. The nodes and the store of a limiter
// share one Config. While they exist only the limit's count may change; the new
// count also holds for what has been counted already.
type Config struct {
	Limit    counting.Limit // the policy
	Interval int64          `option:"interval"` // ns between two syncs
	Pull     Pull           `option:"pull=remaining|counts"`
	Sliding  bool           // the previous window counts too, by the part of it that is still in view

	// For Quota nodes:
	Commit     Commit `option:"commit=weighted|unweighted|checked"`
	Lifetime   int64  // ns after which a node drops counts that it has not synced; 0 means never
	Resolution int64  `option:"reset_resolution"` // ns; a quota's time is rounded up to a multiple of it

	// For Tally nodes:
	Phase         ticks.Phase // when within the interval each node syncs
	CountRejected bool        `option:"count_rejected"` // rejected cost counts too
}

// Pull is what a node receives from the store.
type Pull uint8

const (
	Remaining Pull = iota // the remainder of the limit
	Counts                // the counts
)

// Commit is the method by which the store adds counts of admitted cost, and the
// remainder that it returns.
type Commit uint8

const (
	// Weighted always adds, and returns the limit minus the estimate of the
	// sliding window.
	Weighted Commit = iota
	// Unweighted always adds, and returns the limit minus the count of the
	// calendar window.
	Unweighted
	// Checked treats the counts as a request: it drops them if the estimate is
	// at the limit, and otherwise answers like Weighted.
	Checked
)

// sliding is the counter whose estimate weights two windows.
const sliding = "sliding-window-counter"

// ConfigFrom reads a Config from the bound fields of Entry and of the named
// counter, one of those in Entry's Over.
func ConfigFrom(v catalog.Values, limit counting.Limit, counter string) (Config, error) {
	c := Config{Limit: limit, Sliding: counter == sliding, Phase: ticks.Named[v.String("phase")]}
	v.Read(&c)
	if v.String("uncommitted") == "two-windows" {
		c.Lifetime = 2 * limit.Window
	}
	return c, c.Check()
}

// Check returns an error if nodes and a store cannot be made of c.
func (c *Config) Check() error {
	return cmp.Or(
		counting.Limit{Count: c.Limit.Count, Window: c.Limit.Window}.Check(),
		catalog.ErrorIf(c.Interval < 1, "interval of %d ns: at least 1 is needed", c.Interval),
		catalog.ErrorIf(c.Pull == Remaining && c.Resolution < 1, "reset_resolution of %d ns: at least 1 is needed", c.Resolution),
		catalog.ErrorIf(c.Pull == Remaining && c.CountRejected, "count_rejected has no effect with pull: remaining, which never counts what it rejects"),
	)
}
