package step

import (
	"errors"
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// driven is a rover bucket and the last ticket it gave.
type driven struct {
	*rover.Bucket
	capped, looks bool // looks: take replenishes first
	refunds       bool
	bits          uint // a token is 2^bits units
	ticket        uint64
	grabbed       bool
}

func (s *Session) driveRover(limit counter.Limit, options catalog.Values) error {
	cfg, err := rover.Configure(limit.Count, limit.Window, limit.Burst, options, 0)
	if err != nil {
		return err
	}
	b, err := rover.New(cfg)
	if err != nil {
		return err
	}
	replenish := options.String("replenish")
	d := &driven{
		Bucket: b, capped: cfg.Capped, looks: replenish != "" && replenish != "timer",
		refunds: !options.Set("refund") || options.Bool("refund"), bits: uint(options.Int("token_resolution")),
	}
	s.ops = []op{
		{"grab", d.grab},
		{"deficiency", d.deficiency},
		{"replenish", d.replenish},
		{"release", d.release},
		{"refund", d.refund},
		{"duration_for", d.durationFor},
		{"update_rate", d.updateRate},
		{"preset", d.preset},
		{"take", d.take},
	}
	s.state = func(c *call) {
		st := d.State()
		c.uint("tail", st.Tail)
		c.uint("head", st.Head)
		c.uint("ceil", st.Ceil)
		c.int("stamp_ns", st.Stamp)
		c.uint("rate", d.Rate())
	}
	return nil
}

func (d *driven) grab(c *call) error {
	n := c.tokens("n")
	if err := c.done(); err != nil {
		return err
	}
	d.ticket, d.grabbed = d.Grab(n), true
	c.uint("ticket", d.ticket)
	return nil
}

func (d *driven) deficiency(c *call) error {
	ticket := d.ticket
	switch {
	case c.given("ticket"):
		ticket = c.tokens("ticket")
	case d.grabbed:
		c.uint("ticket", ticket)
	default:
		c.fail(errors.New("ticket is missing, and nothing was grabbed before"))
	}
	if err := c.done(); err != nil {
		return err
	}
	c.uint("deficiency", d.Deficiency(ticket))
	return nil
}

func (d *driven) replenish(c *call) error {
	if err := c.done(); err != nil {
		return err
	}
	head := d.State().Head
	d.Replenish(c.at)
	c.uint("credited", d.State().Head-head)
	return nil
}

func (d *driven) release(c *call) error {
	n := c.tokens("n")
	if !d.capped {
		c.fail(errors.New("the bucket is uncapped: release needs capped"))
	}
	if err := c.done(); err != nil {
		return err
	}
	d.Release(n)
	return nil
}

func (d *driven) refund(c *call) error {
	n := c.tokens("n")
	if err := c.done(); err != nil {
		return err
	}
	d.Refund(n)
	return nil
}

func (d *driven) durationFor(c *call) error {
	n := c.tokens("n")
	if err := c.done(); err != nil {
		return err
	}
	if ns := d.DurationFor(n); ns == math.MaxInt64 {
		c.null("duration_ns")
	} else {
		c.int("duration_ns", ns)
	}
	return nil
}

func (d *driven) updateRate(c *call) error {
	rate := c.unsigned("rate", "a whole number of tokens per period of the limit, from 0 to 2^64-1, without a unit: 500 for 500/s under a limit per second")
	if err := c.done(); err != nil {
		return err
	}
	d.UpdateRate(rate)
	return nil
}

func (d *driven) preset(c *call) error {
	st := d.State()
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
	if err := c.done(); err != nil {
		return err
	}
	d.Preset(st)
	return nil
}

func (d *driven) take(c *call) error {
	n := uint64(c.cost("cost"))
	if err := c.done(); err != nil {
		return err
	}
	if n > math.MaxInt64>>d.bits {
		return fmt.Errorf("cost is %d: want at most %d at this token_resolution", n, uint64(math.MaxInt64>>d.bits))
	}
	n <<= d.bits
	if d.looks {
		d.Replenish(c.at)
	}
	d.ticket, d.grabbed = d.Grab(n), true
	missing := d.Deficiency(d.ticket)
	if missing > 0 && d.refunds {
		d.Refund(n)
	}
	c.verdict(missing == 0)
	c.uint("ticket", d.ticket)
	c.uint("deficiency", missing)
	return nil
}
