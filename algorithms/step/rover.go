package step

import (
	"errors"
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/algorithms/rover/described"
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

func (s *Session) stepRover(limit counting.Limit, options catalog.Values) error {
	cfg, err := described.Configure(limit.Count, limit.Window, limit.Burst, options, 0)
	if err != nil {
		return err
	}
	shared, err := rover.New(cfg)
	if err != nil {
		return err
	}
	replenish := options.String("replenish")
	b := &bucket{
		Bucket: shared, replenishes: replenish != "" && replenish != "timer" && replenish != "on-wait",
		refunds: !options.Set("refund") || options.Bool("refund"), bits: uint(options.Int("token_resolution")),
	}
	s.ops = []op{
		tokensOp("grab", func(c *call, n uint64) { c.set("ticket", b.grab(n)) }),
		{"deficiency", b.deficiency},
		{"replenish", func(c *call) func() {
			return func() {
				head := b.State().Head
				b.Replenish(c.at)
				c.set("credited", b.State().Head-head)
			}
		}},
		tokensOp("release", func(c *call, n uint64) {
			if !b.Capped() {
				c.fail(errors.New("the bucket is uncapped: release needs capped"))
				return
			}
			b.Release(n)
		}),
		tokensOp("refund", func(_ *call, n uint64) { b.Refund(n) }),
		tokensOp("duration_for", func(c *call, n uint64) {
			d, _ := b.DurationFor(n)
			c.setUnless("duration_ns", int64(d), counting.Never)
		}),
		{"update_rate", func(c *call) func() {
			rate := required(&c.object, "rate", "a whole number of tokens per period of the limit, from 0 to 2^64-1, without a unit: 500 for 500/s under a limit per second", unsigned(64))
			return func() { b.UpdateRate(rate) }
		}},
		{"preset", b.preset},
		{"take", b.take},
	}
	s.begin = (*call).done
	s.state = func(state *reply) {
		st := b.State()
		state.set("tail", st.Tail)
		state.set("head", st.Head)
		if b.Capped() {
			state.set("ceil", st.Ceil)
		}
		state.set("stamp_ns", st.Stamp)
		state.set("rate", b.Rate())
	}
	return nil
}

// tokensOp returns an op whose only argument is a number of tokens.
func tokensOp(name string, run func(c *call, n uint64)) op {
	return op{name, func(c *call) func() {
		n := c.tokens("n")
		return func() { run(c, n) }
	}}
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
		c.set("ticket", ticket)
	default:
		c.fail(errors.New("ticket is missing, and nothing was grabbed before"))
	}
	return func() { c.set("deficiency", b.Deficiency(ticket)) }
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
	if c.given("ceil") && !b.Capped() {
		c.fail(errors.New("the bucket is uncapped: ceil needs capped"))
	}
	if c.given("stamp_ns") {
		st.Stamp = c.instant("stamp_ns")
	}
	return func() { b.Preset(st) }
}

func (b *bucket) take(c *call) func() {
	n := uint64(c.cost())
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
		c.setVerdict(missing == 0)
		c.set("ticket", ticket)
		c.set("deficiency", missing)
	}
}
