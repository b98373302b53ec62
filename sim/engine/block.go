package engine

import (
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Decider is a limiter that decides each attempt when it arrives. Between two
// control instants (a report tick, the delivery of a message) only arrivals
// change its state, so it decides them in blocks.
type Decider interface {
	// Decide fills verdicts for the arrivals lo..hi-1 and returns the number
	// that it decided. The number is lower than hi-lo if a decision made a
	// control instant due that must run before a later arrival.
	Decide(a *Arrivals, lo, hi int, verdicts []counting.Verdict) int
	// Next returns the next control instant, or Never.
	Next() int64
	// Step runs everything that is due at now, the instant that Next returned.
	Step(now int64)
	// Inspect returns the cost that a client could still admit for a key at
	// now, and the time from which a request of this cost would be admitted.
	Inspect(key, client int32, now, cost int64) (level, retryAt int64)
}

// BlockExecutor runs a Decider. It passes each block of arrivals to its
// recorder as a block of flow and a block of attempts.
type BlockExecutor struct {
	Sinks
	decider  Decider
	verdicts []counting.Verdict
	admitted []int64
	steps    uint // control instants run
}

// NewBlockExecutor returns an executor for a Decider.
func NewBlockExecutor(b Sinks, d Decider) *BlockExecutor {
	return &BlockExecutor{
		Sinks:    b,
		decider:  d,
		verdicts: make([]counting.Verdict, traffic.BlockSize),
		admitted: make([]int64, traffic.BlockSize),
	}
}

// Verdicts returns the verdicts of the latest block. attempts is the number of
// its attempts.
func (l *BlockExecutor) Verdicts(attempts int) []counting.Verdict { return l.verdicts[:attempts] }

func (l *BlockExecutor) Advance(ctx context.Context, a *Arrivals) {
	n := len(a.Time)
	verdicts := l.verdicts[:n]
	for lo := 0; lo < n; {
		hi := n
		if l.DecisionLog != nil {
			hi = lo + 1
		}
		decided := l.decide(ctx, a, lo, hi, verdicts)
		if decided < 0 {
			return
		}
		if l.DecisionLog != nil {
			l.write(a, lo, verdicts[lo])
		}
		lo += decided
	}
	sum := measure.Settle(a.Cost, verdicts, l.admitted[:n])
	l.record(a, verdicts, l.admitted[:n], nil, sum)
	l.end(a, verdicts, sum)
}

// decide fills verdicts for arrivals from lo on, at most up to hi-1, and
// returns how many it filled. The result is negative if ctx has ended.
func (l *BlockExecutor) decide(ctx context.Context, a *Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	if !l.runUntil(ctx, a.Time[lo]) {
		return -1
	}
	if next := l.decider.Next(); a.Time[hi-1] >= next {
		due, _ := slices.BinarySearch(a.Time[lo:hi], next)
		hi = lo + due
	}
	return l.decider.Decide(a, lo, hi, verdicts[lo:hi])
}

// runUntil runs the control instants up to t. There may be millions of them
// between two arrivals, so it also checks ctx and returns false once ctx has
// ended.
func (l *BlockExecutor) runUntil(ctx context.Context, t int64) bool {
	for next := l.decider.Next(); next <= t; next = l.decider.Next() {
		l.decider.Step(next)
		if l.steps++; l.steps%4096 == 0 && ctx.Err() != nil {
			return false
		}
	}
	return true
}

func (l *BlockExecutor) write(a *Arrivals, i int, v counting.Verdict) {
	level, retryAt := l.inspect(a, i)
	l.DecisionLog.Decision(&measure.Outcome{
		Attempt: a.First + int64(i), Fresh: a.First + int64(i), Arrival: a.Time[i], Decided: a.Time[i], Dispatched: a.Time[i],
		Key: a.Key[i], Tenant: a.Tenant[i], Client: a.Client[i], Cost: a.Cost[i], Verdict: v,
	}, a.Keys(i), level, retryAt)
}

// inspect returns the cost that the keys of a decided arrival could still
// admit, and the time from which all of them would admit it.
func (l *BlockExecutor) inspect(a *Arrivals, i int) (level, retryAt int64) {
	return inspectAll(a.Keys(i), a.Time[i], func(key int32) (int64, int64) {
		return l.decider.Inspect(key, a.Client[i], a.Time[i], a.Cost[i])
	})
}

func (l *BlockExecutor) Finish(ctx context.Context, end int64, _ []Dispatch) {
	l.runUntil(ctx, end-1)
	l.close(end)
}

// ReferenceExecutor records the row of the reference itself, or of a limiter that is the
// same. Its verdicts come with the arrivals.
type ReferenceExecutor struct{ Sinks }

func (l *ReferenceExecutor) Advance(_ context.Context, a *Arrivals) {
	l.record(a, a.Verdicts, a.Admitted, nil, a.Settled)
	l.end(a, a.Verdicts, a.Settled)
}

func (l *ReferenceExecutor) Finish(_ context.Context, end int64, _ []Dispatch) { l.close(end) }
