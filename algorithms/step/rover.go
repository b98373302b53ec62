package step

import (
	"errors"
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// bucket is a rover bucket and the last ticket it issued.
type bucket struct {
	*rover.Bucket
	replenishes bool // take replenishes first
	refunds     bool
	bits        uint // a token is 2^bits units
	ticket      uint64
	grabbed     bool
}

func (s *Session) stepRover(limit counter.Limit, options catalog.Values) error {
	cfg, err := rover.Configure(limit.Count, limit.Window, limit.Burst, options, 0)
	if err != nil {
		return err
	}
	shared, err := rover.New(cfg)
	if err != nil {
		return err
	}
	replenish := options.String("replenish")
	b := &bucket{
		Bucket: shared, replenishes: replenish != "" && replenish != "timer",
		refunds: !options.Set("refund") || options.Bool("refund"), bits: uint(options.Int("token_resolution")),
	}
	s.ops = []op{
		{"grab", func(c *call) func() {
			n := c.tokens("n")
			return func() { c.uint("ticket", b.grab(n)) }
		}},
		{"deficiency", b.deficiency},
		{"replenish", func(c *call) func() {
			return func() {
				head := b.State().Head
				b.Replenish(c.at)
				c.uint("credited", b.State().Head-head)
			}
		}},
		{"release", func(c *call) func() {
			n := c.tokens("n")
			if !b.Capped() {
				c.fail(errors.New("the bucket is uncapped: release needs capped"))
			}
			return func() { b.Release(n) }
		}},
		{"refund", func(c *call) func() {
			n := c.tokens("n")
			return func() { b.Refund(n) }
		}},
		{"duration_for", func(c *call) func() {
			n := c.tokens("n")
			return func() {
				if ns := b.DurationFor(n); ns == math.MaxInt64 {
					c.null("duration_ns")
				} else {
					c.int("duration_ns", ns)
				}
			}
		}},
		{"update_rate", func(c *call) func() {
			rate := c.unsigned("rate", "a whole number of tokens per period of the limit, from 0 to 2^64-1, without a unit: 500 for 500/s under a limit per second")
			return func() { b.UpdateRate(rate) }
		}},
		{"preset", b.preset},
		{"take", b.take},
	}
	s.begin = (*call).done
	s.state = func(c *call) {
		st := b.State()
		c.uint("tail", st.Tail)
		c.uint("head", st.Head)
		c.uint("ceil", st.Ceil)
		c.int("stamp_ns", st.Stamp)
		c.uint("rate", b.Rate())
	}
	return nil
}

func (b *bucket) grab(n uint64) (ticket uint64) {
	b.ticket, b.grabbed = b.Grab(n), true
	return b.ticket
}

func (b *bucket) deficiency(c *call) func() {
	ticket := b.ticket
	switch {
	case c.given("ticket"):
		ticket = c.tokens("ticket")
	case b.grabbed:
		c.uint("ticket", ticket)
	default:
		c.fail(errors.New("ticket is missing, and nothing was grabbed before"))
	}
	return func() { c.uint("deficiency", b.Deficiency(ticket)) }
}

func (b *bucket) preset(c *call) func() {
	st := b.State()
	for _, f := range []struct {
		name  string
		rover *uint64
	}{{"tail", &st.Tail}, {"head", &st.Head}, {"ceil", &st.Ceil}} {
		if c.given(f.name) {
			*f.rover = c.tokens(f.name)
		}
	}
	if c.given("stamp_ns") {
		st.Stamp = c.instant("stamp_ns")
	}
	return func() { b.Preset(st) }
}

func (b *bucket) take(c *call) func() {
	n := uint64(c.cost("cost"))
	return func() {
		if n > math.MaxInt64>>b.bits {
			c.fail(fmt.Errorf("cost is %d: want at most %d at this token_resolution", n, uint64(math.MaxInt64>>b.bits)))
			return
		}
		n <<= b.bits
		if b.replenishes {
			b.Replenish(c.at)
		}
		ticket := b.grab(n)
		missing := b.Deficiency(ticket)
		if missing > 0 && b.refunds {
			b.Refund(n)
		}
		c.verdict(missing == 0)
		c.uint("ticket", ticket)
		c.uint("deficiency", missing)
	}
}
