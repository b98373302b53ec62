package rlqs

import (
	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Allocation is how a server divides the quota among its clients.
type Allocation uint8

const (
	Fair         Allocation = iota // max-min over the reported demands
	Proportional                   // in proportion to the reported demands
	Greedy                         // who asks first gets all that it demands
	Whole                          // each client gets the whole quota
)

// Action is what a client does with a request without an active assignment.
type Action uint8

const (
	Allow   Action = iota // admit all
	Deny                  // reject all
	Limit                 // decide with a bucket of its own
	Reuse                 // keep the last assignment
	Discard               // do as before the first assignment
)

// Fallback is a behaviour without an active assignment.
type Fallback struct {
	Action Action
	Rate   Capacity // of Limit
	Depth  int64    // units, of Limit
}

// Capacity is a rate in the units of the Config's Scale.
type Capacity = int64

// Config describes the protocol. Its clients and servers share one Config. Times
// are nanoseconds.
type Config struct {
	capacity.Divided
	Interval     int64 `option:"report_interval"`
	FirstRequest bool  `option:"phase=first-request"` // a client's timer starts with its first request
	Phase        ticks.Phase
	Allocation   Allocation `option:"allocation=fair|proportional|greedy|whole"`
	Conserves    bool       `option:"conserves"` // a server assigns no more than unexpired assignments of others leave
	Rebalance    int64      `option:"rebalance"` // 0: a report is answered with the assignments of its client
	LeastDemand  Capacity   // of a client, so that a rarely used key has an assignment
	TTL          int64      `option:"ttl"`
	Forget       int64      `option:"forget"`
	FillInterval int64      `option:"fill_interval"` // 0: assignments are not rounded to whole tokens
	CarriesOver  bool       `option:"on_change=carry-over"`
	NoAssignment Fallback
	Expired      Fallback
	ExpiredFor   int64 `option:"expired_for"` // how long Expired applies
}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter. It
// returns an error for options that do not work together.
func ConfigFrom(v catalog.Values, limit counting.Limit) (Config, error) {
	interval := v.Duration("report_interval")
	ttl := integers.Mul(interval, 3, never)
	if v.Set("ttl") {
		ttl = v.Duration("ttl")
	}
	divided, err := capacity.Divide(v, limit, "rlqs", "the bucket of a new assignment is full")
	c := Config{Divided: divided, Phase: ticks.Named[v.String("phase")], Forget: ttl, ExpiredFor: never}
	v.Read(&c)
	c.TTL = ttl
	if err != nil {
		return c, err
	}
	c.LeastDemand = max(1, c.Rate(c.Unit, c.Interval))
	c.NoAssignment = c.fallback(v.Choice("no_assignment"))
	c.Expired = c.fallback(v.Choice("expired"))
	return c, nil
}

// fallback reads the behaviour of a choice.
func (c *Config) fallback(choice catalog.Choice) Fallback {
	f := Fallback{Action: map[string]Action{"allow": Allow, "deny": Deny, "limit": Limit, "reuse": Reuse, "discard": Discard}[choice.Name]}
	if f.Action == Limit {
		rate := choice.Values["rate"].V.(units.Rate)
		f.Rate, f.Depth = c.Of(rate), choice.Values.Int("burst")*c.Unit
	}
	return f
}

// Admits returns an error if a client's bucket can never hold a request of this
// cost while its assignment is an even part of the quota.
func (c *Config) Admits(cost int64, clients int) error {
	part := c.Limit
	if c.Allocation == Fair || c.Allocation == Proportional {
		part /= int64(max(clients, 1))
	}
	return c.Holds(cost, part)
}

// grain rounds a rate down to whole tokens per FillInterval.
func (c *Config) grain(rate Capacity) Capacity {
	if c.FillInterval == 0 {
		return rate
	}
	tokens := integers.MulDiv(rate, c.FillInterval, c.Window, never) / c.Unit
	return integers.MulDiv(tokens*c.Unit, c.Window, c.FillInterval, capacity.MostWants)
}

// never is after all times.
const never = int64(1<<63 - 1)
