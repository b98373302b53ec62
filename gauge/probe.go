package gauge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// prober finds out where the limiters of a row have their time from.
type prober struct {
	ctx   context.Context
	t     *testing.T // nil outside of a test, where there are no bubbles
	row   *Row
	times virtual
}

// Bounds of a probe.
const (
	mostCalls  = 1 << 12     // until a limiter refuses, see mostOf
	mostWindow = time.Minute // of a limiter that is probed under its own limit
	probeCalls = 20_000      // in all rounds
	fewRounds  = 3
	mostRounds = 20
	probePause = 2 // windows between rounds
)

// smallLimit is used up quickly: 10 requests per second, burst 10.
var smallLimit = counting.Limit{Count: 10, Window: int64(time.Second), Burst: 10}

// realPause is the real time in which a limiter of smallLimit refills whose clock is
// not virtual.
const realPause = 2100 * time.Millisecond

// nature is what a probe finds out about limiters.
type nature struct {
	clock     clock
	names     bool // the time to retry after
	takesTime bool // virtual time passes during calls, which therefore overlap
	works     bool // goroutines of its own run between calls
}

// natureOf returns where a row's limiters have their time from. It uses a limiter up until
// it refuses, lets time pass and looks whether it admits again. It does so once in a
// bubble, where the argument and the clock move together, and once where only the argument
// now moves. If both give the same verdicts, the argument suffices, unless goroutines of
// its own run between calls, such as one that forgets idle keys: they sleep by the clock,
// perhaps for longer than a probe takes. Instead of a limiter whose limit is too large to
// be used up, or whose window is long, one of smallLimit is probed.
//
// If virtual time passes during a call, the limiter reads the clock, and the probe ends.
//
// A limiter that admits nothing more refills wrongly, and is run as it is. Only if it
// admits more when real time passes, its clock is not virtual.
func (x *prober) natureOf(p *outside.Program) (nature, error) {
	t, seen := x.t, &trace{nature: nature{clock: bubbled}}
	if t == nil {
		seen.clock = argument
	}
	switch {
	case x.row.clock == argument:
		s, err := x.direct(p)
		if err != nil {
			return nature{}, err
		}
		return nature{clock: argument, names: s.names}, s.end()
	case t == nil && x.row.clock == bubbled:
		return nature{}, readsClock(p.Row)
	}
	small := *p
	small.Limit = smallLimit
	if p.Limit.Window > int64(mostWindow) {
		p = &small
	}
	err := x.use(t, p, seen)
	if err == nil && !seen.takesTime && !seen.refuses(p) && p != &small {
		p = &small
		err = x.use(t, p, seen)
	}
	if err == nil && !seen.takesTime {
		err = x.alone(t, p, seen)
	}
	switch {
	case err != nil:
		return nature{}, err
	case seen.takesTime:
		return seen.nature, nil
	case !seen.refills(p):
		return seen.nature, x.refillsInRealTime(&small)
	case t == nil || x.row.kind == waits || x.row.clock == bubbled || seen.works:
		return seen.nature, nil
	}
	direct := &trace{nature: nature{clock: argument}}
	if err := x.use(nil, p, direct); err != nil {
		return nature{}, err
	}
	if direct.refuses(p) && slices.Equal(direct.rounds, seen.rounds) {
		return direct.nature, nil
	}
	return seen.nature, nil
}

// readsClock refuses a row that needs a bubble where there is none.
func readsClock(row string) error {
	return &outside.Refused{Row: row, Reason: "it reads the clock itself, which is virtual in tests only. Use gauge.Test or gauge.Run"}
}

// trace is how a limiter answered to a probe.
type trace struct {
	nature
	rounds []int64 // requests admitted in each round; empty if the limiter panicked
}

// use traces the rounds of a new limiter, see subject.
func (x *prober) use(t *testing.T, p *outside.Program, seen *trace) error {
	s, err := x.subject(t, p)
	if err != nil {
		return err
	}
	seen.rounds, seen.names = nil, s.names
	failed := s.do(func() { seen.rounds = probeRounds(p, s.call, s.pause) })
	seen.takesTime, seen.works = s.takesTime, s.bubble != "" && stacks(s.bubble) != ""
	return cmp.Or(failed, s.end())
}

// alone refuses a row if a new limiter refuses its first request only because another one
// was used up before.
func (x *prober) alone(t *testing.T, p *outside.Program, first *trace) error {
	if !first.refuses(p) || first.rounds[0] == 0 || x.row.draws {
		return nil
	}
	s, err := x.subject(t, p)
	if err != nil {
		return err
	}
	n := int64(1)
	failed := s.do(func() { n = admitted(p, s.call) })
	if err := cmp.Or(failed, s.end()); err != nil || n > 0 {
		return err
	}
	return &outside.Refused{Row: p.Row, Reason: fmt.Sprintf("its limiters share state, so that trials would disturb each other: one admitted %d requests, and the next one, when it was new, refused its first. "+
		"Keep the state in what the function returns that is given to gauge.Use, not in variables of a package or a store that outlives it", first.rounds[0])}
}

// refillsInRealTime refuses a row whose limiters are used up and admit again when only
// real time has passed.
func (x *prober) refillsInRealTime(p *outside.Program) error {
	s, err := x.subject(x.t, p)
	if err != nil {
		return err
	}
	var seen trace
	round := func() { seen.rounds = append(seen.rounds, admitted(p, s.call)) }
	err = s.do(round)
	if err == nil && seen.refuses(p) {
		select {
		case <-time.After(realPause):
			err = s.do(round)
		case <-x.ctx.Done():
			err = x.ctx.Err()
		}
	}
	if err = cmp.Or(err, s.end()); err != nil || len(seen.rounds) < 2 || !seen.refills(p) {
		return err
	}
	if x.t == nil {
		return readsClock(p.Row)
	}
	return &outside.Refused{Row: p.Row, Reason: fmt.Sprintf("it was used up and admitted nothing more when its argument now and the clock of package time moved by "+
		"%d windows, but it did after %v of real time: its clock is not virtual (such as runtime.nanotime by linkname, or a C library). "+
		"Give it a clock that uses time.Now, or pass it now", probePause, realPause)}
}

// probeRounds calls a limiter until it refuses, at first and after each of some pauses.
// It returns how many calls it admitted in each round.
func probeRounds(p *outside.Program, admits func() bool, pause func(ns int64)) []int64 {
	rounds := []int64{admitted(p, admits)}
	for range max(fewRounds, min(mostRounds, probeCalls/max(1, rounds[0]))) {
		pause(probePause * p.Limit.Window)
		rounds = append(rounds, admitted(p, admits))
	}
	return rounds
}

// admitted calls a limiter until it refuses, and returns how many calls it admitted.
func admitted(p *outside.Program, admits func() bool) (n int64) {
	for n < mostOf(p) && admits() {
		n++
	}
	return n
}

// refills reports whether a limiter admitted about as much after each pause as the
// pauses allow. One request more is not enough: real time passes, too.
func (x *trace) refills(p *outside.Program) bool {
	if len(x.rounds) == 0 {
		return false
	}
	least := max(1, min(x.rounds[0], p.Limit.Count)/4)
	return !slices.ContainsFunc(x.rounds[1:], func(n int64) bool { return n < least })
}

// refuses reports whether a limiter refused a request in every round.
func (x *trace) refuses(p *outside.Program) bool {
	return len(x.rounds) > 0 && slices.Max(x.rounds) < mostOf(p)
}

// mostOf returns the number of calls after which a limiter that has refused none is
// taken to refuse none while time stands still.
func mostOf(p *outside.Program) int64 {
	return min(mostCalls, 1000+4*min(mostCalls, p.Limit.Count)+4*min(mostCalls, p.Limit.Burst))
}
