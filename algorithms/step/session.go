// Package step runs one counter, or the halves of an enforcement, through written
// calls, one JSON object per line, and answers each with its result and the state
// after it. Use it to compare a counter with another implementation, call by call. It
// has no clock: each call carries its time.
//
// Every call has at_ns, the time in ns (a session starts at 0), and op. A reply
// repeats both and the call's arguments, then gives the results and the state, always
// in this order. Numbers are exact JSON integers: rovers reach 2^64-1.
//
// Counters and queues (fixed-window, token-bucket, leaky-bucket, ...). at_ns may not go
// backwards. Each key, a string, has a state of its own; without a key a call uses
// the empty one.
//
//	op        arguments           result
//	take      cost (1), key       verdict: admitted | rejected; queues also dispatch_ns, null when rejected
//	level     key                 level: how many requests of cost 1 would be admitted now; 0 or less if none
//	retry_at  cost (1), key       retry_at_ns: when the cost would be admitted, null for never
//
// The rover: one bucket without keys. at_ns may go backwards; replenish then has no
// effect.
//
//	op            arguments           result
//	grab          n                   ticket
//	deficiency    ticket (the last)   deficiency
//	replenish                         credited: by how much head moved
//	release       n                   an error unless capped
//	refund        n
//	duration_for  n                   duration_ns, null at rate 0
//	update_rate   rate                the state's rate, tokens per period of the limit, cut to the largest
//	preset        tail, head, ceil (only capped), stamp_ns: those that are given
//	take          cost (1)            verdict, ticket, deficiency: a grab, refunded if tokens are missing
//
// Only calls replenish the rover: replenish itself and, if the option replenish is
// neither timer nor on-wait, take before it grabs. With a token_resolution of k bits
// all numbers except take's cost are in units, 2^k per token. With refund false take
// does not refund.
//
// The row of a SQL table (sql-token-bucket). at_ns is what the database's clock shows
// at the call and may go backwards. tokens are what the published function returns:
// the remaining tokens, or -1. The state has them as level_units, with
// units_per_token: 1 unless fractions are kept.
//
//	op        arguments                                       result
//	call      start_ns (at_ns), key, refill and window_s      verdict, tokens
//	take      cost (1), key                                   the same for cost calls, each in a transaction of its own
//	level     key                                             level: the same, and the largest cost that would be admitted now
//	retry_at  cost (1), key                                   retry_at_ns
//	preset    level_units, key                                a row with that level and a timestamp of at_ns
//
// start_ns is when the call's transaction began; calls with the same start_ns are
// calls in one transaction. refill (r, tokens per second) and window_s (w, seconds)
// must be given together and hold from that call on.
//
// The halves of an enforcement (NewPair). The calls of all halves share one time,
// which may not go backwards. A message is the id of an earlier one or the message
// in full. The state is that of one half, by key. client is 0 and cost 1 by default.
//
//	enforcement     op              arguments                  result
//	batch-reported  decide          client, key, cost, coin    verdict, cause if rejected; coin if one was drawn
//	                flush           client                     reports
//	                receive         report
//	                answer          report                     answer
//	                apply           answer, client (of the report)
//	                give_up         report
//
// A coin is a share from 0 to below 1; without it the session draws one, always in
// the same sequence.
//
// The package makes no promise: it can change at any time.
package step

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rover/described"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// maxKeys is the number of keys that one session can name.
const maxKeys = 1024

// Session is one counter, or the halves of an enforcement, between calls. It is not
// safe for concurrent use.
type Session struct {
	counter string
	ops     []op
	begin   func(c *call) error // reads the arguments that all ops share and checks the call
	state   func(state *reply)  // writes the fields of the state after a call
}

// op is one operation of a session. args reads its own arguments and returns the
// function that performs the call once all arguments are valid.
type op struct {
	name string
	args func(c *call) (run func())
}

// Counters returns the names of the counters that can be stepped.
func Counters() []string { return catalog.Names(entries()) }

// Entry returns the catalog entry of a counter, or nil for a name that Counters
// does not list.
func Entry(name string) *catalog.Entry { return catalog.Find(entries(), name) }

func entries() []catalog.Entry { return append(counting.Entries(), described.Entry()) }

// Defaults returns the limit of a session and the options that it sets for a user
// who gives none, as texts of a scenario file. For the row of a SQL table they are
// those of the published function, 2 tokens per second in a window of 60 s.
func Defaults(name string) (limit string, options map[string]string) {
	if name == sql.CounterEntry().Name {
		return "2/s", map[string]string{"window": "60s"}
	}
	return "100/s", nil
}

// New starts a session with the named counter under a limit. Options that are not
// set have the defaults of the counter's entry. It returns an error if the name is
// unknown or the options do not fit the limit.
func New(name string, limit counting.Limit, options catalog.Values) (*Session, error) {
	s := &Session{counter: name}
	if entry := Entry(name); entry != nil {
		options = catalog.WithDefaults(entry.Fields, options)
	}
	var err error
	switch {
	case name == described.Entry().Name:
		err = s.stepRover(limit, options)
	case name == sql.CounterEntry().Name:
		err = s.stepSQL(limit, options)
	case counting.IsQueue(name):
		err = s.stepQueue(limit, options)
	case Entry(name) != nil:
		err = s.stepTable(limit, options)
	default:
		err = fmt.Errorf("unknown counter %q: one of %s", name, strings.Join(Counters(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Apply makes the call on one line and returns the reply, a line without its end. It
// returns an error if the line is not a valid call; the counter is then unchanged.
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
		run := o.args(c)
		err := s.begin(c)
		if err == nil {
			run()
			err = c.err
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.op, err)
		}
		var state reply
		s.state(&state)
		c.set("state", json.RawMessage(state.line()))
		return c.line(), nil
	}
	return nil, fmt.Errorf("%s has no op %q: one of %s", s.counter, c.op, strings.Join(names, ", "))
}
