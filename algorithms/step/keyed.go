package step

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// keyedCounter is a counter with a state for each key.
type keyedCounter interface {
	Level(key int32, now int64) int64
	RetryAt(key int32, now, cost int64) int64
	State(key int32) []counting.StateField
}

// keys holds the keys named so far.
type keys struct {
	keyNames
	key       int32 // of the call
	last      int64 // the latest at_ns
	backwards bool  // at_ns may go backwards
}

// stepKeyed sets the ops of a counter with keys. take decides a request and
// writes the verdict.
func (s *Session) stepKeyed(k keyedCounter, take func(c *call, key int32, cost int64)) *keys {
	ks := &keys{last: math.MinInt64}
	s.ops = []op{
		{"take", func(c *call) func() {
			cost := c.cost()
			return func() { take(c, ks.key, cost) }
		}},
		{"level", func(c *call) func() {
			return func() { c.set("level", k.Level(ks.key, c.at)) }
		}},
		{"retry_at", func(c *call) func() {
			cost := c.cost()
			return func() { c.setUnless("retry_at_ns", k.RetryAt(ks.key, c.at, cost), counting.Never) }
		}},
	}
	s.begin = ks.begin
	s.state = func(state *reply) { state.setFields(k.State(ks.key)) }
	return ks
}

func (s *Session) stepTable(limit counting.Limit, options catalog.Values) error {
	t, err := counting.New(s.counter, limit, options, maxKeys)
	if err != nil {
		return err
	}
	s.stepKeyed(t, func(c *call, key int32, cost int64) { c.setVerdict(t.Take(key, c.at, cost).Admitted()) })
	return nil
}

func (s *Session) stepQueue(limit counting.Limit, options catalog.Values) error {
	q, err := counting.NewQueue(s.counter, limit, options, maxKeys)
	if err != nil {
		return err
	}
	s.stepKeyed(q, func(c *call, key int32, cost int64) {
		v, dispatch := q.Take(key, c.at, cost)
		c.setVerdict(v.Admitted())
		if v.Admitted() {
			c.set("dispatch_ns", dispatch)
		} else {
			c.set("dispatch_ns", nil)
		}
	})
	return nil
}

// begin reads the key, the last argument of every op, and advances the time.
func (k *keys) begin(c *call) error {
	name := c.key()
	err := c.done()
	switch {
	case err != nil:
		return err
	case c.at < 0:
		return fmt.Errorf("at_ns is %d: want 0 or later", c.at)
	case c.at < k.last && !k.backwards:
		return fmt.Errorf("at_ns is %d, before the %d of an earlier call", c.at, k.last)
	}
	id, err := k.number(name)
	if err != nil {
		return err
	}
	k.last, k.key = c.at, id
	return nil
}
