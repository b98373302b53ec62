// Package conformance tests whether a limiter decides like one of the counters of
// package counting. Check runs fixed step tables and random sessions through both and
// returns the first difference with the fewest calls that show it.
//
// A session is a list of calls to one new limiter under one policy. The calls are
// drawn around the instants at which the counter's own verdicts change, because
// evenly drawn traffic hardly ever meets them.
//
// The package makes no promise: it can change at any time.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Policy is the limit of a session: Count requests per Window ns for each key, and
// buckets that hold Burst requests.
type Policy = counting.Limit

// Call is one request: at AtNs, from 0 to 2^62 ns, it asks for Cost tokens of Key.
// Costs are 0 to 2^63-1. The times of a session do not decrease, unless
// Options.Backwards is set. Client is 0.
type Call = outside.Request

// Maker makes a new limiter of one client for a session under a policy.
type Maker func(p Policy) (outside.Fleet, error)

// ErrWaits is the error of limiters whose requests wait. Only verdicts at arrival can
// be compared.
var ErrWaits = errors.New("conformance compares limiters that decide at arrival")

// Options are the settings of Check.
type Options struct {
	Seed     uint64 // of the random sessions
	Sessions int    // number of random sessions, 0 or more
	// ToleranceNs is the most by which the instant of a call may be moved, 0 or more.
	// With 0, every verdict must be that of the counter. Otherwise a call on which
	// both disagree may be decided by the counter at another instant, at most
	// ToleranceNs from the call's own, together with the calls of its key that this
	// moves. The counter then goes on from there, so that errors do not add up: the
	// limiter conforms if there are instants within the tolerance at which the
	// counter gives all its verdicts. The search for them is greedy: it does not move
	// calls of more than ToleranceNs before the one on which both disagree, so it can
	// miss that a call belongs to another window.
	ToleranceNs int64
	// Backwards adds tables and sessions in which the clock is set back.
	Backwards bool
	Counter   catalog.Values // options of the counter; by default those of its entry
	// Costs are the least and the largest cost of a call, if the second is above 0, and
	// Policies those of all sessions, if there are any. By default costs are from 1, and
	// costs, limits and bursts stay up to 10^9. Only then, tables with other numbers
	// follow, see Report.Overflow.
	Costs    [2]int64
	Policies []Policy
	// Span returns the latest time of a call under a policy in ns, or 0 if there is no
	// bound. A policy whose window is long beside it is left out. May be nil.
	Span func(p Policy) int64
	// InProcess leaves out limits and bursts above 10^9: what a limiter allocates for them
	// would end this process.
	InProcess bool
	// Apart leaves at least 1 ns between calls of a session, and gives all of them to
	// the limiter at once: for limiters whose calls overlap.
	Apart bool
}

// DefaultSessions is the number of random sessions that the command runs by default.
const DefaultSessions = 50

// maxTolerance is the largest tolerance, in ns: one second.
const maxTolerance = second

// block is the largest number of calls that a limiter receives at once.
const block = 1024

// Counters returns the names of the counters that a limiter can be compared with.
func Counters() []string { return catalog.Names(counting.Entries()) }

// Check tests the limiters of a maker against the named counter. It stops at the first
// difference. It returns an error if the name is unknown, if a limiter fails, or if ctx
// ends.
func Check(ctx context.Context, as string, maker Maker, o Options) (*Report, error) {
	e, err := newExact(as, o.Counter)
	if err != nil {
		return nil, err
	}
	if o.Sessions < 0 || o.ToleranceNs < 0 || o.ToleranceNs > maxTolerance {
		return nil, fmt.Errorf("%d random sessions and a tolerance of %d ns: want 0 or more of both, and a tolerance of at most %d ns", o.Sessions, o.ToleranceNs, maxTolerance)
	}
	if e.bounds, err = o.bounds(e); err != nil {
		return nil, err
	}
	c := &check{e, maker, Report{As: as, Options: o}}
	for s := range sessions(e, o) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		first, err := c.run(s)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s (%s): %w", s.name, policyText(s.policy), err)
		case first < len(s.calls):
			c.report.Difference, err = c.minimise(ctx, s, first)
			return &c.report, err
		}
	}
	if o.Costs[1] == 0 && len(o.Policies) == 0 {
		c.findOverflow(ctx)
	}
	return &c.report, ctx.Err()
}

// findOverflow runs sessions with numbers that hardly any scenario has: tables with large
// ones, then a few sessions with costs of 0. It stops at the first difference or failure.
func (c *check) findOverflow(ctx context.Context) {
	e := c.exact
	e.wide = true
	c.find(ctx, Options{})
	e.wide, e.least, e.policies = false, 0, e.policies[:1]
	c.find(ctx, Options{Seed: c.report.Options.Seed, Sessions: c.report.Options.Sessions / 5})
}

func (c *check) find(ctx context.Context, o Options) {
	if c.report.Overflow != nil {
		return
	}
	for s := range sessions(c.exact, o) {
		first, err := c.run(s)
		if err == nil && first < len(s.calls) {
			c.report.Overflow, err = c.minimise(ctx, s, first)
		}
		if err != nil {
			c.report.Overflow = &Difference{Session: s.name, Policy: s.policy, Failed: err}
		}
		if c.report.Overflow != nil || ctx.Err() != nil {
			return
		}
	}
}

// session is a list of calls under a policy: a random one, or step tables, each with
// keys of its own.
type session struct {
	name   string
	tables []string          // those in the session
	owner  map[string]string // the table of a key, if there is more than one table
	policy Policy
	calls  []Call
}

// nameOf returns what the calls of a key belong to.
func (s *session) nameOf(key string) string {
	if table, ok := s.owner[key]; ok {
		return fmt.Sprintf("table %q", table)
	}
	return s.name
}

// check is the state of Check.
type check struct {
	exact  *exact
	maker  Maker
	report Report
}

// run runs a session, counts it, and returns the index of the first call on which the
// verdicts differ, or the number of calls.
func (c *check) run(s session) (int, error) {
	verdicts, err := c.ask(s.policy, s.calls)
	if err != nil {
		return 0, err
	}
	if c.report.Tables += len(s.tables); len(s.tables) == 0 {
		c.report.Sessions++
	}
	first, tolerated := c.exact.compare(s.policy, s.calls, verdicts, c.report.Options.ToleranceNs)
	c.report.bound(c.exact.latest(s.policy))
	c.report.Calls += int64(len(s.calls))
	c.report.Tolerated += int64(tolerated)
	return first, nil
}

// ask returns the verdicts of a new limiter.
func (c *check) ask(p Policy, calls []Call) (admitted []bool, err error) {
	l, err := c.maker(p)
	if err != nil {
		return nil, err
	}
	admitted = make([]bool, len(calls))
	size := block
	if c.report.Options.Apart {
		size = max(len(calls), 1)
	}
	for at := 0; at < len(calls) && err == nil; at += size {
		to := min(at+size, len(calls))
		err = Ask(l, calls[at:to], admitted[at:to])
	}
	if ended := l.Close(); err == nil {
		err = ended
	}
	return admitted, err
}

// Ask makes calls of a limiter in order and stores in admitted[i] whether call i is
// admitted.
func Ask(l outside.Fleet, calls []Call, admitted []bool) error {
	answers := make([]outside.Answer, len(calls))
	if err := l.Decide(calls, answers); err != nil {
		return err
	}
	for i, a := range answers {
		if a.WaitNs > 0 {
			return fmt.Errorf("a request at %d ns waits for %d ns (wait_ns): %w", calls[i].AtNs, a.WaitNs, ErrWaits)
		}
		admitted[i] = a.Admit
	}
	return nil
}

// UnknownCounter is the error of Check for a name that Counters does not list.
type UnknownCounter string

func (name UnknownCounter) Error() string {
	return fmt.Sprintf("no counter is called %q: want one of %s", string(name), strings.Join(Counters(), ", "))
}
