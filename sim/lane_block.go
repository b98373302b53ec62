package sim

import (
	"context"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// never is later than any instant of a simulation.
const never = int64(math.MaxInt64)

// decider is a limiter whose verdicts fall at arrival. Between control instants
// (a report tick, a message's delivery) nothing but arrivals changes it, so it
// is asked for blocks of them.
type decider interface {
	// decide fills verdicts for the arrivals lo..hi-1 and returns how many it
	// decided: fewer than asked when a decision made a control instant due
	// that a later arrival must see.
	decide(a *arrivals, lo, hi int, verdicts []counters.Verdict) int
	// next is the next control instant, or never.
	next() int64
	// step runs everything due at now, the instant next returned.
	step(now int64)
	// inspect tells what a key could still admit at now as seen by a client,
	// and when a request of this cost would be admitted.
	inspect(key, client int32, now, cost int64) (level, retryAt int64)
}

// blockLane runs a decider. The two streams of its recorder are the blocks.
type blockLane struct {
	decider  decider
	recorder *measure.Recorder
	guard    *guard // nil without a backend
	tap      *tap   // nil unless every decision is written out
	verdicts []counters.Verdict
	admitted []int64
	rejected []int64
	steps    uint // control instants run
}

func newBlockLane(d decider, r *measure.Recorder, g *guard, tap *tap) *blockLane {
	return &blockLane{
		decider:  d,
		recorder: r,
		guard:    g,
		tap:      tap,
		verdicts: make([]counters.Verdict, traffic.BlockSize),
		admitted: make([]int64, traffic.BlockSize),
		rejected: make([]int64, traffic.BlockSize),
	}
}

func (l *blockLane) advance(ctx context.Context, a *arrivals) {
	n := len(a.time)
	verdicts := l.verdicts[:n]
	for lo := 0; lo < n; {
		if !l.runUntil(ctx, a.time[lo]) {
			return
		}
		hi := n
		if next := l.decider.next(); a.time[n-1] >= next {
			hi = firstAtOrAfter(a.time, lo, next)
		}
		if l.tap != nil {
			hi = lo + 1
		}
		decided := l.decider.decide(a, lo, hi, verdicts[lo:hi])
		if l.tap != nil {
			l.write(a, lo, verdicts[lo])
		}
		lo += decided
	}
	l.record(a, verdicts)
}

// runUntil runs the control instants up to t. There may be millions of them
// between two arrivals: it gives up, and says so, when ctx ends.
func (l *blockLane) runUntil(ctx context.Context, t int64) bool {
	for next := l.decider.next(); next <= t; next = l.decider.next() {
		l.decider.step(next)
		if l.steps++; l.steps%4096 == 0 && ctx.Err() != nil {
			return false
		}
	}
	return true
}

// record hands the block to the recorder: cost by verdict without a branch,
// because in overload verdicts cannot be predicted.
func (l *blockLane) record(a *arrivals, verdicts []counters.Verdict) {
	n := len(verdicts)
	admitted, rejected, cost := l.admitted[:n], l.rejected[:n], a.cost[:n]
	for i, v := range verdicts {
		in := cost[i] & -int64(v&1)
		admitted[i] = in
		rejected[i] = cost[i] - in
	}
	l.recorder.Flow(&measure.Flow{
		Time: a.time, Key: a.key, Tenant: a.tenant, Client: a.client,
		Offered: cost, Admitted: admitted, Rejected: rejected, Reference: a.admitted,
	})
	l.recorder.Immediate(a.time, cost, verdicts)
	if l.guard != nil {
		for i, v := range verdicts {
			if v.Admitted() {
				l.guard.advance(a.time[i])
				l.guard.enter(a.time[i], a.key[i], cost[i])
			}
		}
	}
}

func (l *blockLane) write(a *arrivals, i int, v counters.Verdict) {
	level, retryAt := l.decider.inspect(a.key[i], a.client[i], a.time[i], a.cost[i])
	l.tap.decision(&measure.Outcome{
		Attempt: a.first + int64(i), Arrival: a.time[i], Decided: a.time[i], Dispatched: a.time[i],
		Key: a.key[i], Tenant: a.tenant[i], Client: a.client[i], Cost: a.cost[i], Verdict: v,
	}, level, retryAt)
}

func (l *blockLane) finish(ctx context.Context, end int64, _ []dispatch) {
	l.runUntil(ctx, end-1)
	if l.guard != nil {
		l.guard.advance(end - 1)
	}
	l.recorder.Close(end)
}

// firstAtOrAfter is the first index from lo on whose time is not before t, or
// len(times).
func firstAtOrAfter(times []int64, lo int, t int64) int {
	hi := len(times)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if times[mid] < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
