package step

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// drivenRows are the rows of one table, by the keys named so far. Unlike a
// plain counter's calls theirs may go back in time.
type drivenRows struct {
	rule    sql.Rule
	options sql.Options
	rows    map[string]*sql.Row
	row     *sql.Row // of the call
}

func (s *Session) driveSQL(limit counter.Limit, v catalog.Values) error {
	rule, err := sql.Configure(limit.Count, limit.Window, limit.Burst, v)
	if err != nil {
		return err
	}
	d := &drivenRows{rule: rule, options: rule.Options(), rows: map[string]*sql.Row{}}
	s.ops = []op{
		{"call", d.call},
		{"take", d.take},
		{"level", d.level},
		{"retry_at", d.retryAt},
		{"preset", d.preset},
	}
	s.state = func(c *call) {
		for _, f := range counter.SQLState(&d.rule, *d.row) {
			c.int(f.Name, f.Value)
		}
	}
	return nil
}

// begin takes the key and ends the arguments.
func (d *drivenRows) begin(c *call) error {
	name := ""
	if c.given("key") {
		name = c.text("key")
	}
	if err := c.done(); err != nil {
		return err
	}
	if c.at < 0 {
		return fmt.Errorf("at_ns is %d: want 0 or later", c.at)
	}
	row := d.rows[name]
	if row == nil {
		if len(d.rows) == maxKeys {
			return fmt.Errorf("key %q is one too many: at most %d keys in a session", name, maxKeys)
		}
		row = &sql.Row{}
		*row = sql.Absent
		d.rows[name] = row
	}
	d.row = row
	return nil
}

func (d *drivenRows) call(c *call) error {
	start := c.at
	if c.given("start_ns") {
		if start = c.instant("start_ns"); start < 0 {
			c.fail(fmt.Errorf("start_ns is %d: want 0 or later", start))
		}
	}
	rule := d.rule
	refill, window := c.given("refill"), c.given("window_s")
	if refill || window {
		rule = d.given(c)
	}
	if err := d.begin(c); err != nil {
		return err
	}
	d.rule = rule
	d.charge(c, start, 1)
	return nil
}

// given is the rule of a call that brings its r and w along.
func (d *drivenRows) given(c *call) sql.Rule {
	refill, window := c.tokens("refill"), c.tokens("window_s")
	if c.err != nil {
		return d.rule
	}
	if d.options.KeepFraction {
		c.fail(errors.New("refill and window_s can change from call to call only where tokens are whole: rounding is kept"))
		return d.rule
	}
	hi, depth := bits.Mul64(refill, window)
	if hi != 0 || depth > 1<<62 {
		depth = 1 << 62 // out of range as well
	}
	rule, err := sql.NewRule(int64(min(refill, 1<<62)), 1e9, int64(depth), d.options)
	if err != nil {
		c.fail(err)
	}
	return rule
}

func (d *drivenRows) take(c *call) error {
	cost := c.cost("cost")
	if err := d.begin(c); err != nil {
		return err
	}
	d.charge(c, c.at, cost)
	return nil
}

func (d *drivenRows) charge(c *call, start, cost int64) {
	level, admitted := d.rule.Call(d.row, start, c.at, cost)
	whole := level / d.rule.Unit()
	if level < 0 {
		whole = -1 // no level is below that
	}
	c.verdict(admitted)
	c.int("tokens", whole)
}

func (d *drivenRows) level(c *call) error {
	if err := d.begin(c); err != nil {
		return err
	}
	c.int("level", d.rule.Tokens(*d.row, c.at))
	return nil
}

func (d *drivenRows) retryAt(c *call) error {
	cost := c.cost("cost")
	if err := d.begin(c); err != nil {
		return err
	}
	if at := d.rule.RetryAt(*d.row, c.at, cost); at == sql.Never {
		c.null("retry_at_ns")
	} else {
		c.int("retry_at_ns", at)
	}
	return nil
}

// preset writes a row, with its stamp at the instant of the call.
func (d *drivenRows) preset(c *call) error {
	level := c.whole("level_units", "a whole number of units")
	if least, most := -d.rule.Unit(), d.rule.Depth()*d.rule.Unit(); c.err == nil && (level < least || level > most) {
		c.fail(fmt.Errorf("level_units is %d: want %d to %d", level, least, most))
	}
	if err := d.begin(c); err != nil {
		return err
	}
	*d.row = d.rule.Row(level, c.at)
	return nil
}
