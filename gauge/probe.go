package gauge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// prober finds out where the limiters of rows have their time from. t is nil outside of
// a test, where there are no bubbles.
type prober struct{ t *testing.T }

// Bounds of a probe.
const (
	mostCalls   = 1 << 20 // until a limiter refuses, see mostOf
	probeCalls  = 200_000 // in all rounds
	fewRounds   = 3
	mostRounds  = 20
	shortPauses = 2 // windows between rounds
	longPauses  = 1000
)

// smallLimit is used up quickly: 10 requests per second, burst 10.
var smallLimit = counter.Limit{Count: 10, Window: int64(time.Second), Burst: 10}

// nature is what a probe finds out about limiters.
type nature struct {
	clock clock
	names bool // the time to retry after
}

// natureOf returns where a row's limiters have their time from. It uses a limiter up
// until it refuses, lets time pass and looks whether it admits again. It does so once
// where only the argument now moves, and once in a bubble, where the argument and
// the clock move together. If both give the same verdicts, the argument suffices. A
// limiter that admits again in neither has a clock that is not virtual. Under a limit
// that is too large to be used up, a limiter of smallLimit is probed instead.
func (x prober) natureOf(ctx context.Context, r *Row, p *outside.Program, times virtual) (nature, error) {
	direct, bubble := &trace{clock: argument}, &trace{clock: bubbled}
	if r.kind != waits && r.clock != bubbled {
		if direct.probe(r, p, times); !direct.refuses(p) {
			small := *p
			small.Limit = smallLimit
			direct.probe(r, &small, times)
			p = &small
		}
	}
	switch {
	case r.clock == argument:
		return direct.nature(), nil
	case x.t != nil:
		if err := bubble.probeBubble(ctx, x.t, r, p, times); err != nil {
			return nature{}, err
		}
	case direct.refills(p):
		return direct.nature(), nil
	default:
		return nature{}, &outside.Refused{Row: p.Row, Reason: "it admits nothing more when only the argument now moves: it reads the clock itself, " +
			"which is virtual in tests only. Use gauge.Test or gauge.Run; gauge.TakesNow() states that the limiter needs no clock"}
	}
	switch {
	case !bubble.refills(p):
		return nature{}, &outside.Refused{Row: p.Row, Reason: fmt.Sprintf("it admitted %d requests and then nothing more, neither when its argument now moved by up to "+
			"%d windows nor when the clock of package time did: its clock is not virtual (such as runtime.nanotime by linkname, or a C library). Give it a clock that uses "+
			"time.Now, or pass it now; gauge.TakesNow() states that a limiter needs no clock, such as one that never admits again", bubble.rounds[0], longPauses)}
	case direct.refuses(p) && slices.Equal(direct.rounds, bubble.rounds):
		return direct.nature(), nil
	}
	return bubble.nature(), nil
}

// trace is how a limiter answered to a probe.
type trace struct {
	clock  clock
	rounds []int64 // requests admitted in each round; empty if the limiter panicked
	names  bool
}

func (x *trace) nature() nature { return nature{clock: x.clock, names: x.names} }

// probe probes a limiter whose clock stands still. A panic is met again by the trial.
func (x *trace) probe(r *Row, p *outside.Program, times virtual) {
	at := times.origin
	var rounds []int64
	if guarded(func() {
		l := newDeciders(r, p)
		defer closeAll(l)
		rounds = probeRounds(p, func() bool { return passes(l[0], times.time(at), p.Key) }, func(d int64) { at += d })
		x.names = l[0].names(p.Key)
	}) == nil {
		x.rounds = rounds
	}
}

// probeBubble probes a limiter in a bubble.
func (x *trace) probeBubble(ctx context.Context, t *testing.T, r *Row, p *outside.Program, times virtual) error {
	var m *room
	var call func() bool
	var end func() error
	if r.kind == waits {
		f, err := newWaitingFleet(ctx, t, r, p, times)
		if err != nil {
			return err
		}
		least := time.Duration(-1) // the wait of the first call
		m, end, call = f.room, f.Close, func() bool {
			waited := f.waitOf(p.Key)
			if least < 0 {
				least = waited
			}
			return waited <= least
		}
	} else {
		f, err := newBubbleFleet(ctx, t, r, p, times)
		if err != nil {
			return err
		}
		m, end = f.room, f.Close
		call = func() bool {
			x.names = f.clients[0].names(p.Key)
			return passes(f.clients[0], time.Now(), p.Key)
		}
	}
	failed := m.run(times.origin, func() {
		x.rounds = probeRounds(p, func() bool { m.steps.Add(1); return call() }, func(d int64) { time.Sleep(time.Duration(d)) })
	})
	if closed := end(); failed == nil {
		failed = closed
	}
	return failed
}

// waitOf returns how long a call waits. It is very long if the limiter refuses it.
func (f *waitingFleet) waitOf(key string) time.Duration {
	before := time.Now()
	err := f.wait(f.ctx, &outside.Request{Key: key, Cost: 1})
	if broken, ok := errors.AsType[*brokenCall](err); ok {
		panic(broken)
	}
	if err != nil {
		return math.MaxInt64
	}
	return time.Since(before)
}

// passes reports whether a limiter admits a request at once.
func passes(l decider, now time.Time, key string) bool {
	r, a := outside.Request{Key: key, Cost: 1}, outside.Answer{}
	l.decide(now, &r, &a)
	return a.Admit && a.WaitNs == 0
}

// probeRounds calls a limiter until it refuses, at first and after each of some pauses.
// It returns how many calls it admitted in each round.
func probeRounds(p *outside.Program, admits func() bool, pause func(ns int64)) []int64 {
	count := func() (n int64) {
		for n < mostOf(p) && admits() {
			n++
		}
		return n
	}
	rounds := []int64{count()}
	length := shortPauses * p.Limit.Window
	for range max(fewRounds, min(mostRounds, probeCalls/max(1, rounds[0]))) {
		pause(length)
		n := count()
		if n == 0 && length < longPauses*p.Limit.Window {
			length = longPauses * p.Limit.Window
			pause(length)
			n = count()
		}
		rounds = append(rounds, n)
	}
	return rounds
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
