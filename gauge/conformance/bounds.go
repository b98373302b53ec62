package conformance

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// bounds limit the calls of sessions.
type bounds struct {
	least, most int64                // costs; most is 0 if they are not those of Options
	tokens      int64                // largest limit and burst, if they are not those of Options
	policies    []Policy             // of tables
	span        func(p Policy) int64 // see Options
	given       bool                 // the policies are those of Options
	apart       bool                 // no two calls at one instant
	wide        bool                 // numbers may be so large that products of times and tokens overflow an int64
}

// Numbers stay within these bounds unless they are wide or those of Options. A product is that of a time in
// ns and a number of tokens.
const (
	mostTokens  = 1_000_000_000 // of a limit, a burst and a cost, as in scenarios
	mostProduct = int64(1) << 60
	// mostEntries is the largest limit of a counter that keeps what it admitted: others may
	// keep an entry for each token.
	mostEntries = 100_000
)

// bounds returns the bounds of sessions, or an error if a policy cannot be kept.
func (o *Options) bounds(e *exact) (bounds, error) {
	b := bounds{least: o.Costs[0], most: o.Costs[1], policies: policies, span: o.Span, apart: o.Apart}
	if b.least < 0 || b.most < 0 || b.most > 0 && b.least > b.most {
		return b, fmt.Errorf("costs from %d to %d: want a range from 0 on", b.least, b.most)
	}
	if o.Costs[1] == 0 {
		b.least = 1
	}
	b.tokens = math.MaxInt64
	if o.InProcess {
		b.tokens = mostTokens
	}
	if slices.ContainsFunc(catalog.Find(counting.Entries(), e.name).State, func(m catalog.Member) bool { return m.Name == "entries" }) {
		b.tokens = mostEntries
	}
	if b.given = len(o.Policies) > 0; b.given {
		b.policies = o.Policies
	}
	for _, p := range o.Policies {
		if _, err := e.make(p); err != nil {
			return b, fmt.Errorf("%s: %w", policyText(p), err)
		}
		if latest := b.latest(p); p.Window > latest/8 {
			return b, fmt.Errorf("%s: sessions last %v, because timers of the limiter take long: want a window of at most %v",
				policyText(p), time.Duration(latest), time.Duration(latest/8))
		}
	}
	return b, nil
}

// keeps reports whether sessions can have a policy: the counter keeps it, and it is within
// the bounds.
func (e *exact) keeps(p Policy) bool {
	tokens := max(p.Count, p.Burst)
	if !e.given && (tokens > e.tokens || !e.wide && (tokens > mostTokens || p.Window > mostProduct/tokens)) {
		return false
	}
	_, err := e.make(p)
	return err == nil && p.Window <= e.latest(p)/8
}

// latest returns the latest time of a call under a policy.
func (b *bounds) latest(p Policy) int64 {
	if b.span != nil {
		if ns := b.span(p); ns > 0 {
			return ns
		}
	}
	return latest
}

// cost returns the nearest cost that a call may have.
func (e *exact) cost(p Policy, cost int64) int64 {
	most := e.most
	switch {
	case e.wide:
		most = math.MaxInt64
	case most == 0:
		most = min(mostTokens, mostProduct/p.Window)
	}
	return min(max(cost, e.least), most)
}

// idle reports whether a key may be idle for some ns. Under a policy of Options that can be
// any time that a scenario may have: up to a year, or as long as the product fits an int64.
func (e *exact) idle(p Policy, ns int64) bool {
	if e.given && ns <= max(math.MaxInt64/p.Count, 365*24*hour) {
		return true
	}
	return e.wide || ns <= mostProduct/p.Count
}
