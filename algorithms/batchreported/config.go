package batchreported

import (
	"cmp"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Config describes a batch-reported limiter. All clients and servers of a limiter
// share one Config, which must not change after they are made. Its zero value is
// not valid; see Check.
type Config struct {
	Policy           // the first or only policy
	Further []Policy // the other policies of a multi-policy limiter, ordered by their first keys
	Clients int      // number of clients, at least 1

	Interval int64 `option:"interval"` // ns between two reports of a client
	Phase    ticks.Phase
	Offsets  []int64 // replaces Phase unless nil: of client 0, 1 and so on, each 0 to Interval-1; a shorter list repeats

	CountSent     bool `option:"count_in=sent"`          // count hits only in the window in which they were sent, not in that of their arrival
	RefillFirst   bool `option:"order=refill-debit"`     // refill a bucket before the debits with the same timestamp, not after
	Literal       bool `option:"order=literal"`          // debit first and refill the whole elapsed time after, however long it is
	RejectTil     bool `option:"reject_til"`             // answers carry reject-until times
	AsDuration    bool `option:"reject_til_as=duration"` // as durations
	RejectionRate bool `option:"rejection_rate"`         // answers carry rejection rates
	Estimate      Estimate
	CountRejected bool  `option:"count_rejected_in_estimate"` // rejected cost counts in the estimate
	Diffusion     bool  `option:"thinning=diffusion"`         // thin by error diffusion, not by coin
	RateTTL       int64 `option:"rate_ttl"`                   // ns for which a client uses a rejection rate

	Pessimistic bool           `option:"unknown=pessimistic"` // reject a key until its first answer
	ChargeNone  bool           `option:"charge=none"`         // a request that one policy rejects is charged to none
	Sample      units.Fraction `option:"sample"`              // share of requests that are counted, each independently
	Scattered   bool           // send one report per row, not one per server

	options catalog.Values
}

// Policy holds what all keys under one limit have in common.
type Policy struct {
	From   int32                        // the first of its keys; they end at the next policy's
	Limit  counting.Limit               // of each key
	Bucket *counting.TokenBucketOptions // nil: fixed windows
	Local  *counting.Limit              // of each client for each key, Burst is its depth; nil: no local limiter
}

// policy returns policy number i; the first one is 0.
func (c *Config) policy(i int) Policy {
	if i == 0 {
		return c.Policy
	}
	return c.Further[i-1]
}

// PolicyOf returns the number of a key's policy.
func (c *Config) PolicyOf(key int32) int {
	i := len(c.Further)
	for i > 0 && key < c.Further[i-1].From {
		i--
	}
	return i
}

// Draws reports whether the halves need random numbers: for their phases or coins.
func (c *Config) Draws() bool {
	return c.Phase.Draws() || c.RejectionRate && !c.Diffusion || c.Samples()
}

// Samples reports whether not every request is counted.
func (c *Config) Samples() bool { return c.Sample.Num != c.Sample.Den }

// ConfigFrom reads a Config from the bound fields of Entry and of the counter,
// which is a token bucket if its fields include debt, otherwise a fixed window.
// It returns an error for options that do not work together. PolicyFrom explains the depth.
func ConfigFrom(v catalog.Values, limit counting.Limit, clients int, depth int64) (Config, error) {
	phase := v.Choice("phase")
	c := Config{Clients: clients, Phase: ticks.Named[phase.Name], Scattered: !v.Bool("group_by_owner"), options: v}
	v.Read(&c)
	v.Read(&c.Estimate)
	v.Choice("estimate").Values.Read(&c.Estimate)
	if phase.Name == "offsets" {
		c.Offsets = []int64{}
		for _, at := range phase.Values.List("at") {
			c.Offsets = append(c.Offsets, at.(int64))
		}
	}
	var err error
	c.Policy, err = c.PolicyFrom(limit, 0, clients, depth)
	err = cmp.Or(
		catalog.ErrorIf(v.Bool("count_rejected"), "count_rejected has no effect in batch-reported: rejected cost never counts against the limit"),
		catalog.ErrorIf(v.String("refusal") == "drains", "refusal: drains has no effect in batch-reported: a client does not know how much of a limit is left"),
		err)
	if err != nil {
		return Config{}, err
	}
	return c, c.Check()
}

// PolicyFrom returns the policy of a limit under the options from which c was
// read. The given number of clients shares local limits. The local limiter "auto" has the
// given depth: that of a bucket of the limit's rate which admits all conforming demand.
func (c *Config) PolicyFrom(limit counting.Limit, from int32, clients int, depth int64) (Policy, error) {
	p := Policy{From: from, Limit: limit}
	if c.options.Set("debt") {
		bucket := counting.TokenBucketOptionsOf(limit, c.options)
		p.Bucket = &bucket
		depth = max(depth, bucket.Burst)
	}
	var err error
	if p.Local, err = localLimit(c.options.Choice("local_limit"), limit, clients, depth); err != nil {
		return p, fmt.Errorf("local_limit: %w", err)
	}
	return p, p.check()
}

// Check returns an error if clients and servers cannot be made of c.
func (c *Config) Check() error {
	within := func(f units.Fraction) bool { return f.Num == 0 || f.Num > 0 && f.Den >= f.Num }
	err := cmp.Or(
		catalog.ErrorIf(c.Clients < 1, "%d clients: at least 1 is needed", c.Clients),
		catalog.ErrorIf(c.Interval < 1, "interval of %d ns: at least 1 is needed", c.Interval),
		catalog.ErrorIf(!c.RejectTil && !c.RejectionRate && c.Local == nil, "nothing is ever rejected: turn on reject_til or rejection_rate, or set a local_limit"),
		catalog.ErrorIf(c.Offsets != nil && len(c.Offsets) == 0, "phase offsets needs at least one offset"),
		catalog.ErrorIf(c.Estimate.Kind == Ewma && (c.Estimate.Weight.Num < 1 || !within(c.Estimate.Weight) || weightQ32(c.Estimate.Weight) == 0),
			"the weight of an ewma estimate must be 2^-32 to 1"),
		catalog.ErrorIf(c.Sample.Num < 1 || !within(c.Sample) || c.Sample.Den/c.Sample.Num > 10_000, "the share of sampled requests must be 0.0001 to 1"),
		catalog.ErrorIf(c.RefillFirst && c.Literal, "a bucket is refilled in one order: RefillFirst or Literal, not both"),
		catalog.ErrorIf(c.RejectionRate && c.RateTTL < 1, "rate_ttl of %d ns: at least 1 is needed", c.RateTTL),
	)
	for _, at := range c.Offsets {
		err = cmp.Or(err, catalog.ErrorIf(at < 0 || at >= c.Interval, "offset of %s is outside the interval of %s", units.FormatDuration(at), units.FormatDuration(c.Interval)))
	}
	for i := range 1 + len(c.Further) {
		p := c.policy(i)
		err = cmp.Or(err, p.check())
	}
	return err
}

func (p *Policy) check() error {
	if p.Bucket == nil {
		limit := p.Limit
		limit.Burst = 0
		return limit.Check()
	}
	if !p.Bucket.Debt {
		return fmt.Errorf("batch-reported over a token-bucket needs debt: true, because the hits of a report have already been admitted")
	}
	return p.Bucket.Check(p.Limit)
}

// covered returns for how long before its arrival a report explains its hits, in
// ns. What a bucket earns in that time pays for the hits before the bucket's depth
// cuts it; what it earned earlier is cut first. Clients report every Interval, so
// that a longer time without a report had no hits.
func (c *Config) covered() int64 {
	switch {
	case c.RefillFirst:
		return 0
	case c.Literal:
		return forever
	}
	return c.Interval
}

// Ticks returns the time of each client's first report, 0 to Interval-1. Each
// client then reports every Interval.
func (c *Config) Ticks(coin Coin) []int64 {
	if c.Offsets == nil {
		return c.Phase.First(c.Clients, c.Interval, coin)
	}
	first := make([]int64, c.Clients)
	for i := range first {
		first[i] = c.Offsets[i%len(c.Offsets)]
	}
	return first
}
