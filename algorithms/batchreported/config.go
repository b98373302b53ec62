package batchreported

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Config is a batch-reported limiter in plain values. Clients and servers of
// one limiter share a Config, which must not change once they exist.
type Config struct {
	Policy           // the first or only one
	Further []Policy // where requests fall under several, by their first keys
	Clients int      // how many there are, at least 1

	Interval int64 // ns between two reports of a client
	Phase    ticks.Phase
	Offsets  []int64 // instead of a Phase, unless nil: each of 0 to Interval-1, of client 0, 1 and so on; a shorter list starts over

	CountSent     bool // hits count in the window they were sent in, not in the one they arrived in
	RefillFirst   bool // a bucket refills before the debits of an instant, not after
	RejectTil     bool // answer reject-until times
	AsDuration    bool // send them as spans
	RejectionRate bool // answer rejection rates
	Estimate      Estimate
	CountRejected bool  // refused cost counts in the estimate
	Diffusion     bool  // thin by error diffusion, not by coin
	RateTTL       int64 // ns after which a client forgets a rejection rate

	SkewBy    int64          // ns by which clocks are off
	SkewShare units.Fraction // of the clients
	SkewSign  SkewSign

	Pessimistic bool           // a key is rejected until its first answer
	ChargeNone  bool           // a request that one of several policies refuses is charged to none
	Sample      units.Fraction // of requests that are counted, each by itself
	Scattered   bool           // a report for each row, not one for each server

	// What the carrier of the messages does.
	ReportLoss      units.Fraction // of reports, each by itself
	ReportDuplicate units.Fraction // of reports that arrive, each by itself
	Resend          bool           // counts of lost reports go out with the next one
	Timeout         int64          // ns after which a client gives up a report that got lost; 0 is at once

	stored  bool // in a store, to which servers have a way of their own
	options catalog.Values
}

// Policy is what is the same for all keys under one limit.
type Policy struct {
	From   int32                       // the first of its keys; they go up to the next policy's
	Limit  counter.Limit               // of each key
	Bucket *counter.TokenBucketOptions // nil: fixed windows
	Local  *counter.Limit              // of each client for each key; nil: none
}

// policy is one of all the policies, the first of them being 0.
func (c *Config) policy(i int) Policy {
	if i == 0 {
		return c.Policy
	}
	return c.Further[i-1]
}

// PolicyOf is the number of the policy that a key is under.
func (c *Config) PolicyOf(key int32) int {
	i := len(c.Further)
	for i > 0 && key < c.Further[i-1].From {
		i--
	}
	return i
}

// SkewSign says which way clocks are off.
type SkewSign uint8

const (
	Ahead SkewSign = iota
	Behind
	AheadAndBehind // in turn, ahead first
)

// Skew is how far client id's clock is ahead, in ns. The skewed clients are
// spread evenly: client i is one of them where floor((i+1)*share) is more than
// floor(i*share).
func (c *Config) Skew(id int32) int64 {
	num, den := c.SkewShare.Num, c.SkewShare.Den
	if num == 0 || c.SkewBy == 0 {
		return 0
	}
	upto := func(n int64) int64 {
		hi, lo := bits.Mul64(uint64(n), uint64(num))
		q, _ := bits.Div64(hi, lo, uint64(den))
		return int64(q)
	}
	rank := upto(int64(id))
	if upto(int64(id)+1) == rank {
		return 0
	}
	if c.SkewSign == Behind || c.SkewSign == AheadAndBehind && rank%2 == 1 {
		return -c.SkewBy
	}
	return c.SkewBy
}

// Draws reports whether the limiter needs random numbers at all: for its
// phases, its coins or its lost and duplicated reports.
func (c *Config) Draws() bool {
	return c.Phase.Draws() ||
		c.RejectionRate && !c.Diffusion || newSampler(c) != nil ||
		c.ReportLoss.Num > 0 || c.ReportDuplicate.Num > 0
}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter:
// a token bucket where the fields include its debt, otherwise a fixed window.
func ConfigFrom(v catalog.Values, limit counter.Limit, clients int) (Config, error) {
	estimate := v.Choice("estimate")
	phase := v.Choice("phase")
	skew := v.Group("clock_skew")
	c := Config{
		Clients:         clients,
		Interval:        v.Duration("interval"),
		Phase:           ticks.Named[phase.Name],
		CountSent:       v.String("count_in") == "sent",
		RefillFirst:     v.String("order") == "refill-debit",
		RejectTil:       v.Bool("reject_til"),
		AsDuration:      v.String("reject_til_as") == "duration",
		RejectionRate:   v.Bool("rejection_rate"),
		Estimate:        Estimate{Kind: estimates[estimate.Name]},
		CountRejected:   v.Bool("count_rejected_in_estimate"),
		Diffusion:       v.String("thinning") == "diffusion",
		RateTTL:         v.Duration("rate_ttl"),
		SkewBy:          skew.Duration("by"),
		SkewShare:       skew.Share("share"),
		SkewSign:        skewSigns[skew.String("direction")],
		Pessimistic:     v.String("unknown") == "pessimistic",
		ReportLoss:      v.Share("report_loss"),
		ReportDuplicate: v.Share("report_duplicate"),
		Resend:          v.String("lost_reports") == "resent",
		Timeout:         v.Duration("report_timeout"),
		ChargeNone:      v.String("charge") == "none",
		Sample:          v.Share("sample"),
		Scattered:       !v.Bool("group_by_owner"),
		stored:          v.Choice("store").Name != "memory",
		options:         v,
	}
	if c.Estimate.Kind == Ewma {
		c.Estimate.Weight = estimate.Values.Share("a")
	}
	if phase.Name == "offsets" {
		c.Offsets = []int64{}
		for _, at := range phase.Values.List("at") {
			c.Offsets = append(c.Offsets, at.(int64))
		}
	}
	switch {
	case v.Bool("count_rejected"):
		return Config{}, fmt.Errorf("count_rejected has no meaning for batch-reported: refused cost is never counted against the limit")
	case v.String("refusal") == "drains":
		return Config{}, fmt.Errorf("refusal: drains has no meaning for batch-reported: a client does not know what a limit has left")
	}
	var err error
	if c.Policy, err = c.PolicyFrom(limit, 0, clients); err != nil {
		return Config{}, err
	}
	return c, c.Check()
}

// PolicyFrom is a policy of this limit, under the options that the
// configuration was read from, with so many clients sharing local limits.
func (c *Config) PolicyFrom(limit counter.Limit, from int32, clients int) (Policy, error) {
	p := Policy{From: from, Limit: limit}
	if c.options.Set("debt") {
		bucket := counter.TokenBucketOptionsOf(limit, c.options)
		p.Bucket = &bucket
	}
	var err error
	if p.Local, err = localLimit(c.options.Choice("local_limit"), limit, clients); err != nil {
		return p, fmt.Errorf("local_limit: %w", err)
	}
	return p, p.check()
}

var (
	estimates = map[string]EstimateKind{"previous-second": PreviousSecond, "trailing-second": TrailingSecond, "ewma": Ewma}
	skewSigns = map[string]SkewSign{"ahead": Ahead, "behind": Behind, "both": AheadAndBehind}
)

// Check says whether clients and servers can be made of the configuration.
func (c *Config) Check() error {
	within := func(f units.Fraction) bool { return f.Num == 0 || f.Num > 0 && f.Den >= f.Num }
	switch {
	case c.Clients < 1:
		return fmt.Errorf("%d clients: at least 1 is needed", c.Clients)
	case c.Interval < 1:
		return fmt.Errorf("interval of %d ns: at least 1 is needed", c.Interval)
	case !c.RejectTil && !c.RejectionRate && c.Local == nil:
		return fmt.Errorf("with reject_til and rejection_rate off and without a local_limit nothing is ever rejected")
	case c.Offsets != nil && len(c.Offsets) == 0:
		return fmt.Errorf("phase offsets needs at least one offset")
	case !within(c.SkewShare) || !within(c.ReportLoss) || !within(c.ReportDuplicate):
		return fmt.Errorf("shares of clients and of reports go from 0 to 1")
	case c.Estimate.Kind == Ewma && (c.Estimate.Weight.Num < 1 || !within(c.Estimate.Weight) || weightQ32(c.Estimate.Weight) == 0):
		return fmt.Errorf("the weight of an ewma estimate goes from 2^-32 to 1")
	case c.Sample.Num < 1 || !within(c.Sample) || c.Sample.Den/c.Sample.Num > 10_000:
		return fmt.Errorf("the share of sampled requests goes from 0.0001 to 1")
	case c.RejectionRate && c.RateTTL < 1:
		return fmt.Errorf("rate_ttl of %d ns: at least 1 is needed", c.RateTTL)
	}
	for _, at := range c.Offsets {
		if at < 0 || at >= c.Interval {
			return fmt.Errorf("offset of %s is not inside the interval of %s", units.FormatDuration(at), units.FormatDuration(c.Interval))
		}
	}
	for i := range 1 + len(c.Further) {
		p := c.policy(i)
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Policy) check() error {
	if p.Bucket == nil {
		limit := p.Limit
		limit.Burst = 0
		return limit.Check()
	}
	if !p.Bucket.Debt {
		return fmt.Errorf("batch-reported over a token-bucket needs debt: true, because what a report holds has already been let through")
	}
	return p.Bucket.Check(p.Limit)
}

// localLimit is the limiter of one client for one key: nil, a share of an even
// split of the policy, or one of its own.
func localLimit(choice catalog.Choice, policy counter.Limit, clients int) (*counter.Limit, error) {
	var l counter.Limit
	switch choice.Name {
	case "share":
		share := choice.Values.Share("share")
		burst := policy.Burst
		if burst == 0 {
			burst = policy.Count
		}
		if share.Num < 1 {
			return nil, fmt.Errorf("the share must be above 0")
		}
		// share*L/N per window = (num*L) per (den*N*window), in lowest terms.
		top, bottom := [2]int64{share.Num, policy.Count}, [3]int64{share.Den, int64(clients), policy.Window}
		for i := range top {
			for j := range bottom {
				g := integers.GCD(top[i], bottom[j])
				top[i], bottom[j] = top[i]/g, bottom[j]/g
			}
		}
		count, ok1 := product(top[:]...)
		window, ok2 := product(bottom[:]...)
		width, ok3 := product(share.Num, burst)
		parts, ok4 := product(share.Den, int64(clients))
		if !ok1 || !ok2 || !ok3 || !ok4 {
			return nil, fmt.Errorf("the share of one client cannot be kept exactly in 63 bits")
		}
		l = counter.Limit{Count: count, Window: window, Burst: max(1, (width-1)/parts+1)}
	case "rate":
		rate := choice.Values.Rate("rate")
		l = counter.Limit{Count: rate.Count, Window: rate.Per, Burst: choice.Values.Int("burst")}
	default:
		return nil, nil
	}
	return &l, counter.TokenBucketOptions{Burst: l.Burst}.Check(l)
}

// product multiplies positive numbers; ok is false where the result has more
// than 63 bits.
func product(factors ...int64) (p int64, ok bool) {
	p = 1
	for _, f := range factors {
		if f > math.MaxInt64/p {
			return 0, false
		}
		p *= f
	}
	return p, true
}
