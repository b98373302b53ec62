package gossip

import (
	"cmp"
	"fmt"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Config describes the limiters of a fleet, which share it. Only two things may
// change while they exist: the limit, about which each limiter must be informed
// by Relimit before, and the number of limiters alive.
type Config struct {
	Limit  counting.Limit // the policy; Burst is what the buckets of all limiters hold together
	Nodes  int            // number of limiters, at least 1
	Alive  int            // number of limiters alive, which are 0 to Alive-1
	Shares bool           `option:"rule=flow-share"` // flow proportional share, not global random drop

	Interval  int64 `option:"interval"` // ns between two ticks of a limiter
	Phase     ticks.Phase
	Weight    units.Fraction `option:"ewma"` // of the newest interval in an estimate
	Branching int            // number of other limiters to which a limiter sends at a tick; 0 means all
}

// Positions of the binary points. A demand is cost per interval in units of 2^-30,
// a share of the limit is in units of 2^-32, a weight is in 2^-30 of a flow.
const (
	demandBits = 30
	shareBits  = 32
	weightBits = 30
	massBits   = 40
)

// A weight is at most 2^20 flows, and at least 2^-10 of a flow if there is any
// demand. Without the lower bound, limiters that are all below their share would
// reduce each other's weights without end, because each weight is a part of the
// others'; at 0 every limiter would grant itself the whole limit.
const (
	mostWeight  = int64(1) << (weightBits + 20)
	leastWeight = int64(1) << (weightBits - 10)
)

// mostPerInterval limits the cost counted within an interval, and the limit itself.
const mostPerInterval = int64(1) << 31

// maxStored limits what all limiters together store of each other: 2^24 values, one
// for each key and each other limiter, take 256 MiB.
const maxStored = 1 << 24

// ConfigFrom reads a Config from the bound fields of Entry and of the counter. It
// returns an error for options that do not work together.
func ConfigFrom(v catalog.Values, limit counting.Limit, nodes int) (Config, error) {
	o := counting.TokenBucketOptionsOf(limit, v)
	if o.Debt || o.Initial != counting.Full {
		return Config{}, fmt.Errorf("debt and initial have no effect in gossip: a limiter's bucket starts full and rejects what it does not hold")
	}
	limit.Burst = o.Burst
	n, _ := v.IntOr("branching")
	c := Config{Limit: limit, Nodes: nodes, Alive: nodes, Phase: ticks.Named[v.String("phase")], Branching: int(n)}
	v.Read(&c)
	return c, c.Check()
}

// Check returns an error if limiters cannot be made of c.
func (c *Config) Check() error {
	err := cmp.Or(
		catalog.ErrorIf(c.Nodes < 1, "%d limiters: at least 1 is needed", c.Nodes),
		catalog.ErrorIf(c.Alive < 1 || c.Alive > c.Nodes, "%d limiters alive of %d", c.Alive, c.Nodes),
		catalog.ErrorIf(c.Interval < 1, "interval of %d ns: at least 1 is needed", c.Interval),
		catalog.ErrorIf(c.Weight.Num < 1 || c.Weight.Num > c.Weight.Den || c.Weight.Den > 1<<30, "the weight of the newest interval must be 2^-30 to 1"),
		catalog.ErrorIf(c.Branching < 0, "branching of %d: at least 1 is needed", c.Branching),
		catalog.ErrorIf(c.Shares && c.Limit.Burst < 1, "a bucket of burst 0 admits nothing"),
		c.Limit.Check(),
	)
	if err != nil {
		return err
	}
	return cmp.Or(
		catalog.ErrorIf(c.limit()>>demandBits > mostPerInterval, "the limit is above 2^31 requests per interval of %s", units.FormatDuration(c.Interval)),
		catalog.ErrorIf(c.limit() == 0, "the limit is below 2^-%d requests per interval of %s", demandBits, units.FormatDuration(c.Interval)),
	)
}

// CheckMemory returns an error if limiters that all receive values of this many
// keys do not fit in memory.
func (c *Config) CheckMemory(keys int) error {
	stored := c.Nodes
	if c.Branching > 0 {
		stored = 4 // the size of a sum, which replaces the single values
	}
	return catalog.ErrorIf(c.Nodes*stored > maxStored/max(keys, 1),
		"%d limiters that receive values of %d keys from all others need more than %d values: set branching", c.Nodes, keys, maxStored)
}

// limit returns the limit as a demand, cut at 2^62.
func (c *Config) limit() int64 {
	demand := new(big.Int).Mul(big.NewInt(c.Limit.Count), big.NewInt(c.Interval))
	demand.Div(demand.Lsh(demand, demandBits), big.NewInt(c.Limit.Window))
	if demand.BitLen() > 62 {
		return 1 << 62
	}
	return demand.Int64()
}
