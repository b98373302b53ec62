// Package step steps one counter through written calls, a JSON object a line,
// and answers each with its result and the state after it, so that anybody can
// hold a counter beside another implementation.
//
// Every call has at_ns, the instant in ns (a session starts at 0), and op. A
// reply repeats both and the call's arguments, then gives the results and the
// state, always in this order. Numbers are JSON integers and exact: rovers
// reach 2^64-1.
//
// Plain counters and queues (fixed-window, token-bucket, leaky-bucket, ...);
// at_ns may not go back. Each key, a string, has a state of its own; a call
// without a key is about a nameless one.
//
//	op        arguments           result
//	take      cost (1), key       verdict: admitted | rejected; queues also dispatch_ns, null when rejected
//	level     key                 level: whole tokens that could be taken now, below 0 in debt
//	retry_at  cost (1), key       retry_at_ns: when the cost would be admitted, null for never
//
// The rover; one bucket, and at_ns may go back, which its replenish ignores:
//
//	op            arguments           result
//	grab          n                   ticket
//	deficiency    ticket (the last)   deficiency
//	replenish                         credited: by how much head moved
//	release       n                   an error unless capped
//	refund        n
//	duration_for  n                   duration_ns, null at rate 0
//	update_rate   rate                the state's rate, tokens per period of the limit, cut to the largest
//	preset        tail, head, ceil, stamp_ns: those that are given
//	take          cost (1)            verdict, ticket, deficiency: a grab, refunded if tokens are missing
//
// The row of a SQL table (sql-token-bucket); at_ns is what the database's clock
// shows at the call and may go back. tokens are what the published function
// returns: those left, or -1. The state has them as level_units, with
// units_per_token: 1 unless fractions are kept.
//
//	op        arguments                                       result
//	call      start_ns (at_ns), key, refill and window_s      verdict, tokens
//	take      cost (1), key                                   the same for cost calls, each in a transaction of its own
//	level     key                                             level: the largest cost that would be admitted now
//	retry_at  cost (1), key                                   retry_at_ns
//	preset    level_units, key                                a row with that level and a stamp of at_ns
//
// start_ns is when the call's transaction began: several calls with one
// start_ns are calls inside one transaction. refill (r, tokens a second) and
// window_s (w, seconds), both or neither, hold from that call on.
//
// Nothing replenishes a driven rover but the calls: replenish itself, and
// take, before it grabs, where the option replenish is not timer. With a
// token_resolution of k bits everything but take's cost counts in units, 2^k a
// token; with refund false take does not refund.
package step

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// maxKeys is how many keys one session can name.
const maxKeys = 1024

// Session is one counter between calls.
type Session struct {
	counter string
	ops     []op
	state   func(c *call) // writes the fields of the state after a call
}

// op is one call that a counter understands.
type op struct {
	name string
	run  func(c *call) error
}

// Counters names what can be driven.
func Counters() []string {
	var names []string
	for _, e := range entries() {
		names = append(names, e.Name)
	}
	return names
}

// Entry describes a counter that can be driven, with the options it takes, or
// is nil for a name that Counters does not list.
func Entry(name string) *catalog.Entry { return catalog.Find(entries(), name) }

func entries() []catalog.Entry { return append(counter.Entries(), rover.Entry()) }

// New starts a session with the named counter, under a limit, with the bound
// fields of its entry. Fields that are absent have their defaults.
func New(name string, limit counter.Limit, options catalog.Values) (*Session, error) {
	s := &Session{counter: name}
	switch {
	case name == rover.Entry().Name:
		if err := s.driveRover(limit, options); err != nil {
			return nil, err
		}
	case name == sql.CounterEntry().Name:
		if err := s.driveSQL(limit, options); err != nil {
			return nil, err
		}
	case counter.IsQueue(name):
		q, err := counter.NewQueue(name, limit, options, maxKeys)
		if err != nil {
			return nil, err
		}
		s.drivePlain(q, func(c *call, key int32, cost int64) {
			v, dispatch := q.Take(key, c.at, cost)
			c.verdict(v.Admitted())
			if v.Admitted() {
				c.int("dispatch_ns", dispatch)
			} else {
				c.null("dispatch_ns")
			}
		})
	case Entry(name) != nil:
		t, err := counter.New(name, limit, options, maxKeys)
		if err != nil {
			return nil, err
		}
		s.drivePlain(t, func(c *call, key int32, cost int64) {
			c.verdict(t.Take(key, c.at, cost).Admitted())
		})
	default:
		return nil, fmt.Errorf("unknown counter %q: one of %s", name, strings.Join(Counters(), ", "))
	}
	return s, nil
}

// Apply makes the call on one line and returns the reply, one line without its
// end. After an error, which says what is wrong with the line, the counter is
// as it was before the call.
func (s *Session) Apply(line []byte) ([]byte, error) {
	c, err := parse(line)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, o := range s.ops {
		if o.name != c.op {
			names = append(names, o.name)
			continue
		}
		if err := o.run(c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.op, err)
		}
		c.open("state")
		s.state(c)
		c.close()
		return c.line(), nil
	}
	return nil, fmt.Errorf("%s has no op %q: one of %s", s.counter, c.op, strings.Join(names, ", "))
}
