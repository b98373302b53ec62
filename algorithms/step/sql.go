package step

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// table holds the rows of one SQL table. Unlike those of other counters, its
// calls may go back in time.
type table struct {
	*keys
	rule    sql.Rule
	options sql.Options
	rows    [maxKeys]sql.Row
}

func (s *Session) stepSQL(limit counter.Limit, v catalog.Values) error {
	rule, err := sql.Configure(limit.Count, limit.Window, limit.Burst, v)
	if err != nil {
		return err
	}
	t := &table{rule: rule, options: rule.Options()}
	for i := range t.rows {
		t.rows[i] = sql.Absent
	}
	t.keys = s.stepKeyed(t, func(c *call, _ int32, cost int64) { t.charge(c, c.at, cost) })
	t.backwards = true
	s.ops = append([]op{{"call", t.call}}, append(s.ops, op{"preset", t.preset})...)
	return nil
}

// Level returns the largest cost that would be admitted.
func (t *table) Level(key int32, now int64) int64 { return t.rule.Tokens(t.rows[key], now) }

// RetryAt returns when this cost would be admitted, or sql.Never.
func (t *table) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.RetryAt(t.rows[key], now, cost)
}

// State returns the state of a row.
func (t *table) State(key int32) []counter.StateField { return counter.SQLState(&t.rule, t.rows[key]) }

func (t *table) call(c *call) func() {
	start := c.at
	if c.given("start_ns") {
		if start = c.instant("start_ns"); start < 0 {
			c.fail(fmt.Errorf("start_ns is %d: want 0 or later", start))
		}
	}
	rule := t.rule
	refill, window := c.given("refill"), c.given("window_s")
	if refill || window {
		rule = t.given(c)
	}
	return func() {
		t.rule = rule
		t.charge(c, start, 1)
	}
}

// given returns the rule of a call with r and w as arguments.
func (t *table) given(c *call) sql.Rule {
	refill, window := c.tokens("refill"), c.tokens("window_s")
	if c.err != nil {
		return t.rule
	}
	if t.options.KeepFraction {
		c.fail(errors.New("refill and window_s can change from call to call only where tokens are whole: rounding is kept"))
		return t.rule
	}
	hi, depth := bits.Mul64(refill, window)
	if hi != 0 || depth > 1<<62 {
		depth = 1 << 62 // also out of range
	}
	rule, err := sql.NewRule(int64(min(refill, 1<<62)), 1e9, int64(depth), t.options)
	if err != nil {
		c.fail(err)
	}
	return rule
}

func (t *table) charge(c *call, start, cost int64) {
	level, admitted := t.rule.Call(&t.rows[t.key], start, c.at, cost)
	whole := level / t.rule.Unit()
	if level < 0 {
		whole = -1 // the lowest level
	}
	c.verdict(admitted)
	c.int("tokens", whole)
}

// preset writes a row whose timestamp is the time of the call.
func (t *table) preset(c *call) func() {
	level := c.whole("level_units", "a whole number of units")
	if least, most := -t.rule.Unit(), t.rule.Depth()*t.rule.Unit(); c.err == nil && (level < least || level > most) {
		c.fail(fmt.Errorf("level_units is %d: want %d to %d", level, least, most))
	}
	return func() { t.rows[t.key] = t.rule.Row(level, c.at) }
}
