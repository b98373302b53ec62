package step

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
)

// keyed is what tables and queues have in common.
type keyed interface {
	Level(key int32, now int64) int64
	RetryAt(key int32, now, cost int64) int64
	State(key int32) []counter.StateField
}

// plain is a counter over keys that were named so far.
type plain struct {
	keyed
	ids  map[string]int32
	last int64 // the latest at_ns
	key  int32 // of the call
}

// drivePlain steps a table or a queue; take writes the verdict.
func (s *Session) drivePlain(k keyed, take func(c *call, key int32, cost int64)) {
	p := &plain{keyed: k, ids: map[string]int32{}, last: math.MinInt64}
	s.ops = []op{
		{"take", func(c *call) error {
			cost := c.cost("cost")
			if err := p.begin(c); err != nil {
				return err
			}
			take(c, p.key, cost)
			return nil
		}},
		{"level", func(c *call) error {
			if err := p.begin(c); err != nil {
				return err
			}
			c.int("level", p.Level(p.key, c.at))
			return nil
		}},
		{"retry_at", func(c *call) error {
			cost := c.cost("cost")
			if err := p.begin(c); err != nil {
				return err
			}
			if at := p.RetryAt(p.key, c.at, cost); at == counter.Never {
				c.null("retry_at_ns")
			} else {
				c.int("retry_at_ns", at)
			}
			return nil
		}},
	}
	s.state = func(c *call) {
		for _, f := range p.State(p.key) {
			c.int(f.Name, f.Value)
		}
	}
}

// begin takes the key, ends the arguments and lets time go on.
func (p *plain) begin(c *call) error {
	name := ""
	if c.given("key") {
		name = c.text("key")
	}
	if err := c.done(); err != nil {
		return err
	}
	id, known := p.ids[name]
	switch {
	case c.at < 0:
		return fmt.Errorf("at_ns is %d: want 0 or later", c.at)
	case c.at < p.last:
		return fmt.Errorf("at_ns is %d, before the %d of an earlier call", c.at, p.last)
	case !known && len(p.ids) == maxKeys:
		return fmt.Errorf("key %q is one too many: at most %d keys in a session", name, maxKeys)
	case !known:
		id = int32(len(p.ids))
		p.ids[name] = id
	}
	p.last, p.key = c.at, id
	return nil
}
