package bounds

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// flow is what is known of the requests of one key.
type flow struct {
	sent             []span // at one time each, in order
	admitted, failed []span // of dispatch; a failed one may not have been admitted
	decided          []span // of decision, of all requests with a verdict
}

func flowOf(r *record) flow {
	sent := lists.Map(r.asked, func(e *exchange.Exchange) span { return span{e.SentNs, e.SentNs, e.Cost} })
	return flow{sent: sent, admitted: r.admitted, failed: r.failed, decided: r.decided}
}

// earlier returns the flow with ns more room before each time of decision.
func (f flow) earlier(ns int64) flow {
	return flow{f.sent, earlier(f.admitted, ns), earlier(f.failed, ns), earlier(f.decided, ns)}
}

// asSeen returns the flow in which the limiter decided each request when it was
// answered, and no failed one ever.
func (f flow) asSeen() flow {
	return flow{sent: f.sent, admitted: atEnd(f.admitted), decided: atEnd(f.decided)}
}

func atEnd(spans []span) []span {
	return lists.Map(spans, func(s span) span { return span{s.to, s.to, s.cost} })
}

// scope is what the figures of all keys have in common: the calendar windows, and the
// measured span, from the window of the first request sent to that of the last one.
type scope struct {
	s      *Settings
	phase  Phase
	known  bool  // whether the phase of the windows is known
	simple bool  // whether each request was decided at one known time
	waits  bool  // whether an admitted request waited
	depth  int64 // of a bucket
	end    int64 // when the last request was sent

	// The span ends with a window from lastLeast to lastMost, at a time from endLeast
	// to endMost. Nothing is decided before it, so its first window does not matter.
	lastLeast, lastMost, endLeast, endMost int64
}

// newScope returns the scope of some records. Windows of a Calendar begin at the
// phase, those of other kinds at multiples of the window on the clock of the records.
func newScope(records []*record, s *Settings, phase *Phase) *scope {
	c := &scope{s: s, known: s.Kind != Calendar || phase != nil, depth: s.Limit.Burst}
	switch {
	case !c.known:
		c.phase = Phase{0, s.Limit.Window - 1}
	case s.Kind == Calendar:
		c.phase = *phase
	}
	for _, r := range records {
		c.end = max(c.end, r.asked[len(r.asked)-1].SentNs)
		for _, e := range r.asked {
			c.depth = max(c.depth, e.Cost)
			c.waits = c.waits || e.Verdict == exchange.Admitted && e.WaitNs > 0
		}
	}
	c.measure()
	return c
}

// measure finds the end of the span.
func (c *scope) measure() {
	width := c.s.Limit.Window
	c.lastLeast = integers.FloorDiv(c.end-c.phase.LatestNs, width)
	c.lastMost = integers.FloorDiv(c.end-c.phase.EarliestNs, width)
	c.endLeast = max(c.end+1, c.phase.EarliestNs+(c.lastLeast+1)*width)
	c.endMost = min(c.end+width, c.phase.LatestNs+(c.lastMost+1)*width)
}

// asSeen returns the scope in which the phase is the middle of what it can be.
func (c *scope) asSeen() *scope {
	seen := *c
	middle := c.phase.EarliestNs + (c.phase.LatestNs-c.phase.EarliestNs)/2
	seen.phase, seen.simple = Phase{middle, middle}, true
	seen.measure()
	return &seen
}

// counts reports whether a window is certainly in the span or before it, and mayCount
// whether it possibly is.
func (c *scope) counts(window int64) bool   { return window <= c.lastLeast }
func (c *scope) mayCount(window int64) bool { return window <= c.lastMost }

// within returns the spans that certainly end in the measured span, and reaching
// those that possibly begin in it.
func (c *scope) within(spans []span) []span {
	return lists.Where(spans, func(s span) bool { return s.to < c.endLeast })
}

func (c *scope) reaching(spans ...[]span) []span {
	return lists.Where(slices.Concat(spans...), func(s span) bool { return s.from < c.endMost })
}
