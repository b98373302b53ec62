package step

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// table holds the rows of one SQL table. Unlike those of other counters, its
// calls may go back in time.
type table struct {
	*keys
	*counting.SQLTokenBuckets
	options sql.Options
}

func (s *Session) stepSQL(limit counting.Limit, v catalog.Values) error {
	rule, err := sql.Configure(limit.Count, limit.Window, limit.Burst, v)
	if err != nil {
		return err
	}
	t := &table{SQLTokenBuckets: counting.NewSQLTokenBuckets(rule, maxKeys), options: rule.Options()}
	t.keys = s.stepKeyed(t, func(c *call, _ int32, cost int64) { t.charge(c, c.at, cost) })
	t.backwards = true
	s.ops = append([]op{{"call", t.call}}, append(s.ops, op{"preset", t.preset})...)
	return nil
}

func (t *table) call(c *call) func() {
	start := c.at
	if c.given("start_ns") {
		if start = c.instant("start_ns"); start < 0 {
			c.fail(fmt.Errorf("start_ns is %d: want 0 or later", start))
		}
	}
	rule := t.Rule
	refill, window := c.given("refill"), c.given("window_s")
	if refill || window {
		rule = t.given(c)
	}
	return func() {
		t.Rule = rule
		t.charge(c, start, 1)
	}
}

// given returns the rule of a call with r and w as arguments.
func (t *table) given(c *call) sql.Rule {
	refill, window := c.tokens("refill"), c.tokens("window_s")
	if c.err != nil {
		return t.Rule
	}
	if t.options.KeepFraction {
		c.fail(errors.New("refill and window_s can change from call to call only where tokens are whole: rounding is kept"))
		return t.Rule
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
	level, admitted := t.Rule.Call(&t.Rows[t.key], start, c.at, cost)
	whole := level / t.Rule.Unit()
	if level < 0 {
		whole = -1 // the lowest level
	}
	c.setVerdict(admitted)
	c.set("tokens", whole)
}

// preset writes a row whose timestamp is the time of the call.
func (t *table) preset(c *call) func() {
	level := required(&c.object, "level_units", "a whole number of units", signed)
	if least, most := -t.Rule.Unit(), t.Rule.Depth()*t.Rule.Unit(); c.err == nil && (level < least || level > most) {
		c.fail(fmt.Errorf("level_units is %d: want %d to %d", level, least, most))
	}
	return func() { t.Rows[t.key] = t.Rule.Row(level, c.at) }
}
