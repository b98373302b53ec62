package conformance

import (
	"fmt"
	"iter"

	"github.com/limitgauge/limitgauge/internal/random"
)

// sessions returns all sessions of a test: tables, then random sessions, and at last
// those in which the clock is set back.
func sessions(e *exact, o Options) iter.Seq[session] {
	return func(yield func(session) bool) {
		_ = tableSessions(e, yield) && randomSessions(e, o.Seed, o.Sessions, false, yield) && (!o.Backwards ||
			backwardSessions(e, yield) && randomSessions(e, o.Seed, (o.Sessions+4)/5, true, yield))
	}
}

func tableSessions(e *exact, yield func(session) bool) bool {
	for _, p := range e.policies {
		if e.keeps(p) && !yield(mergeTables(e, tables, p)) {
			return false
		}
	}
	first := e.policies[0]
	if again := e.most == 0 && e.least == 0; e.wide || again || !e.keeps(first) { // numbers that hardly any scenario has
		return true
	}
	for _, p := range e.policies {
		if !e.given {
			p = longLimit
		}
		if p.Count <= 2*longLimit.Count && e.keeps(p) && !yield(longWindow(e, p)) {
			return false
		}
		if !e.given {
			break
		}
	}
	return yield(severalKeys(e, first)) && yield(crowd(e, first))
}

// backwardSessions yields the tables in which the clock is set back, one by one: they
// have no time order.
func backwardSessions(e *exact, yield func(session) bool) bool {
	for _, t := range backwards {
		for _, p := range e.policies {
			s := newScript(e, p)
			if !e.keeps(p) {
				continue
			}
			if t.write(s, "a", "b"); !yield(tableSession(t.name, s)) {
				return false
			}
		}
	}
	return true
}

func randomSessions(e *exact, seed uint64, n int, back bool, yield func(session) bool) bool {
	for i := range n {
		if !yield(drawSession(e, seed, i, back)) {
			return false
		}
	}
	return true
}

// lengthOfSession is the number of calls of a random session.
const lengthOfSession = 1000

// traffic is the mixture that a random session draws its calls from.
type traffic struct {
	*script
	stream  *random.Stream
	keys    []string
	poisson random.Scale // at 1.1 times the limit, or as near to it as a Scale gets
	mix     []func(t *traffic)
	costly  bool // costs above 1
	back    bool // the clock is set back
}

// drawSession returns random session i of a seed.
func drawSession(e *exact, seed uint64, i int, back bool) session {
	name := "random session"
	if back {
		name = "random session with a clock that is set back"
	}
	r := random.New(seed, i, "conformance/"+e.name+"/"+name)
	p := e.drawPolicy(&r)
	window := min(p.Window, 1<<57)
	count := min(p.Count, 1<<57, 58*window) // so that a Scale has the gaps
	t := &traffic{script: newScript(e, p), stream: &r, poisson: random.NewScale(10*window, 11*count), back: back,
		keys: keysOf(&r), costly: r.Chance(1, 2) || p.Count > 1000}
	for _, gap := range gaps {
		if r.Chance(1, 2) {
			t.mix = append(t.mix, gap)
		}
	}
	t.mix = append(t.mix, gaps[0])
	if r.Chance(1, 2) {
		t.to(far + int64(r.Below(uint64(second))))
	}
	for i := 0; i < lengthOfSession && t.at <= e.latest(p)-3*p.Window; i++ {
		t.next()
	}
	return session{name: fmt.Sprintf("%s %d", name, i), policy: p, calls: t.calls}
}

// gaps are the ways to move the time to the next call.
var gaps = []func(t *traffic){
	func(t *traffic) { t.toChange(1, t.near()) },
	func(t *traffic) { gap, _ := t.poisson.Gap(t.stream.Exponential()); t.wait(gap) },
	func(t *traffic) { t.toChange(1+int64(t.stream.Below(uint64(t.policy.Burst))), t.near()) },
	func(t *traffic) { t.toEdge(t.near()) },
	func(t *traffic) { t.wait(int64(t.stream.Below(10))) },
	func(t *traffic) { t.wait(int64(t.stream.Below(uint64(3 * t.policy.Window)))) },
	func(t *traffic) {}, // the time stands still
}

// near draws one of -1, 0 and 1.
func (t *traffic) near() int64 { return int64(t.stream.Below(3)) - 1 }

// next moves the time and writes a call, or a burst of calls.
func (t *traffic) next() {
	r := t.stream
	t.key = t.keys[r.Below(uint64(len(t.keys)))]
	t.mix[r.Below(uint64(len(t.mix)))](t)
	now := t.at
	if t.back && r.Chance(1, 8) {
		t.at = max(now-int64(r.Below(uint64(2*t.policy.Window))), 0)
	}
	switch {
	case !t.costly:
		t.take(1)
	case !t.back && r.Chance(1, 20): // counters do not say whether cost 0 stamps a time
		t.take(0)
	case r.Chance(1, 3):
		t.take(t.level() + t.near() + 1)
	default:
		t.take(1 + int64(r.Below(uint64(t.policy.Burst+1))))
	}
	if r.Chance(1, 30) {
		t.drain()
	}
	t.at = now
}
