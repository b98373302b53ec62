package delayedsync

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Config is a delayed-sync limiter in plain values. The nodes and the store of
// one limiter share a Config. Once they exist only the limit's count may change:
// it holds from then on, for what has been counted already too.
type Config struct {
	Limit    counter.Limit // the policy
	Interval int64         // ns between two syncs
	Pull     Pull
	Sliding  bool // the window before counts too, by what of it is still in view

	// Of Quota nodes:
	Commit     Commit
	Lifetime   int64 // ns after which a node forgets counts it has not brought to the store; 0 is never
	Resolution int64 // ns to whose multiples a quota's time is rounded up

	// Of Counts nodes:
	Phase         ticks.Phase // when within the interval each node syncs
	CountRejected bool        // refused cost counts too
}

// Pull is what a node takes from the store.
type Pull uint8

const (
	Remaining Pull = iota // what is left of the limit
	Counts                // what has been counted
)

// Commit is how the store takes counts that have been let through already, and
// what it answers.
type Commit uint8

const (
	// Weighted always adds, and answers what the estimate of the sliding window
	// leaves of the limit.
	Weighted Commit = iota
	// Unweighted always adds, and answers what the count of the calendar window
	// leaves of the limit.
	Unweighted
	// Checked takes the counts for a request: it drops them when the estimate
	// is at the limit, and answers like Weighted when it is not.
	Checked
)

// sliding is the counter whose estimate weighs two windows.
const sliding = "sliding-window-counter"

// ConfigFrom reads a Config from the bound fields of Entry and of the named
// counter, one of those in Entry's Over.
func ConfigFrom(v catalog.Values, limit counter.Limit, counter string) (Config, error) {
	c := Config{
		Limit:         limit,
		Interval:      v.Duration("interval"),
		Pull:          map[string]Pull{"remaining": Remaining, "counts": Counts}[v.String("pull")],
		Sliding:       counter == sliding,
		Commit:        map[string]Commit{"weighted": Weighted, "unweighted": Unweighted, "checked": Checked}[v.String("commit")],
		Resolution:    v.Duration("reset_resolution"),
		Phase:         ticks.Named[v.String("phase")],
		CountRejected: v.Bool("count_rejected"),
	}
	if v.String("uncommitted") == "two-windows" {
		c.Lifetime = 2 * limit.Window
	}
	return c, c.Check()
}

// Check says whether nodes and a store can be made of the configuration.
func (c *Config) Check() error {
	if err := (counter.Limit{Count: c.Limit.Count, Window: c.Limit.Window}).Check(); err != nil {
		return err
	}
	switch {
	case c.Interval < 1:
		return fmt.Errorf("interval of %d ns: at least 1 is needed", c.Interval)
	case c.Pull == Remaining && c.Resolution < 1:
		return fmt.Errorf("reset_resolution of %d ns: at least 1 is needed", c.Resolution)
	case c.Pull == Remaining && c.CountRejected:
		return fmt.Errorf("count_rejected has no meaning for pull: remaining, which never counts what it refuses")
	}
	return nil
}
