package engine

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// RetryExecutor runs a Decider whose callers retry. The wait of a caller is
// known before its attempt is decided. The executor therefore collects attempts
// until one of them could be retried before the next attempt arrives, and
// decides them together.
type RetryExecutor struct {
	*BlockExecutor
	callers       retrying
	n             int   // attempts collected
	decided       int   // attempts decided, of those collected
	earliestRetry int64 // no undecided attempt is retried before this time
	oneByOne      bool  // decide each attempt before collecting the next
	stopped       bool  // ctx has ended: the figures are void

	rows Arrivals // a view of the columns
	full Arrivals // the rows that are recorded
	columns
	place, wait         [rowBlock]int64 // placeOf the attempt; ns until its retry if it is rejected, or Never
	last                [rowBlock]int64 // ns of its wait before
	verdicts, reference [rowBlock]counting.Verdict
	admitted, rejected  [rowBlock]int64 // cost
	referenceAdmitted   [rowBlock]int64 // cost that the reference admits
	outcomes            [rowBlock]measure.Outcome
}

// Retrying returns an executor for the same Decider whose callers retry. The
// measured number of waiting requests begins with 0 at start.
func (l *BlockExecutor) Retrying(start int64) *RetryExecutor {
	l.Recorder.Waiting(start, 0)
	r := &RetryExecutor{BlockExecutor: l, earliestRetry: Never, oneByOne: l.DecisionLog != nil || l.Retries.asks()}
	r.rows = r.arrivals(rowBlock)
	return r
}

func (l *RetryExecutor) Advance(ctx context.Context, a *Arrivals) {
	if a.Descriptors != nil && l.rows.Descriptors == nil {
		l.rows.Descriptors = &l.descriptors
		l.descriptors.Reset()
	}
	for i, t := range a.Time {
		l.collectRetries(ctx, t)
		if a.Descriptors != nil {
			l.descriptors.Add(a.Keys(i))
		}
		l.collect(ctx, t, a.Cost[i], placeOf(a.First+int64(i), 0), 0, a.Key[i], a.Tenant[i], a.Client[i])
	}
}

// collectRetries collects the retries that are due at or before t. It decides
// all attempts that could be retried by then. It returns early once ctx has ended.
func (l *RetryExecutor) collectRetries(ctx context.Context, t int64) {
	for !l.stopped {
		next := l.callers.next(t)
		switch {
		case l.earliestRetry <= min(next, t):
			l.settle(ctx)
		case next <= t:
			c, last := l.callers.pop(), int64(0)
			if l.carries() {
				kept := l.callers.kept(c.carried)
				if last = kept.last; l.rows.Descriptors != nil {
					l.descriptors.Add(kept.keys)
				}
			}
			l.collect(ctx, c.time, c.cost, c.place, last, c.key, c.tenant, c.client)
		default:
			return
		}
	}
}

// carries reports whether callers that retry have baggage.
func (l *RetryExecutor) carries() bool { return l.rows.Descriptors != nil || l.Retries.grows }

// collect adds an attempt that arrives. last is the wait before it, if waits depend on it.
func (l *RetryExecutor) collect(ctx context.Context, t, cost, place, last int64, key, tenant, client int32) {
	i := l.n & (rowBlock - 1) // the mask removes the bounds check
	l.time[i], l.cost[i], l.place[i], l.last[i] = t, cost, place, last
	l.key[i], l.tenant[i], l.client[i] = key, tenant, client
	l.wait[i] = Never
	if fresh, try := triedAt(place); l.Retries.Tries(try) {
		if l.wait[i] = 0; !l.Retries.asks() {
			l.wait[i] = l.Retries.own(fresh, try, last)
		}
		l.earliestRetry = min(l.earliestRetry, t+min(l.wait[i], Never-t))
	}
	if l.oneByOne {
		l.earliestRetry = t
	}
	if l.n++; l.n == rowBlock {
		l.flush(ctx)
	}
}

// settle decides all collected attempts.
func (l *RetryExecutor) settle(ctx context.Context) {
	for l.decided < l.n {
		lo := l.decided
		n := l.decide(ctx, &l.rows, lo, l.n, l.verdicts[:])
		if n < 0 { // ctx has ended: the figures are void
			n = l.n - lo
		}
		l.decided += n
		for i := lo; i < l.decided; i++ {
			if l.DecisionLog != nil {
				l.logDecision(i)
			}
			if !l.verdicts[i].Admitted() && l.wait[i] != Never {
				l.scheduleRetry(i)
			}
		}
	}
	l.earliestRetry = Never
}

// scheduleRetry schedules the retry of a rejected attempt.
func (l *RetryExecutor) scheduleRetry(i int) {
	now, wait, again := l.time[i], l.wait[i], true
	if l.Retries.asks() {
		level, retryAt := l.inspect(&l.rows, i)
		fresh, try := triedAt(l.place[i])
		wait, again = l.Retries.Next(now, level, retryAt, fresh, try, l.last[i])
	}
	if !again || wait > Never-now {
		return
	}
	c := caller{now + wait, l.place[i] + 1, l.cost[i], l.key[i], l.tenant[i], l.client[i], 0}
	if l.carries() {
		b := baggage{last: wait}
		if l.rows.Descriptors != nil {
			b.keys = l.rows.Keys(i)
		}
		c.carried = l.callers.keep(&b)
	}
	l.callers.push(c)
}

// flush decides the collected attempts and records them.
func (l *RetryExecutor) flush(ctx context.Context) {
	l.settle(ctx)
	l.stopped = ctx.Err() != nil
	n, a := l.n, &l.full
	*a = l.arrivals(n)
	a.First, a.place = l.rows.First, l.place[:n]
	sum := measure.Settle(a.Cost, l.verdicts[:n], l.admitted[:n])
	a.Admitted, a.Settled = l.admitted[:n], sum
	if l.Retries.reference != nil {
		l.Retries.reference.Decide(a, 0, n, l.reference[:n])
		a.Admitted = l.referenceAdmitted[:n]
		a.Settled = measure.Settle(a.Cost, l.reference[:n], a.Admitted)
	}
	for i := range n {
		l.rejected[i] = l.cost[i] - l.admitted[i]
		l.outcome(i)
	}
	l.record(a, l.verdicts[:n], l.admitted[:n], l.rejected[:n], sum)
	l.Recorder.Outcomes(l.outcomes[:n])
	l.rows.First += int64(n)
	l.n, l.decided = 0, 0
	if l.rows.Descriptors != nil {
		l.descriptors.Reset()
	}
}

// outcome fills the outcome of an attempt, which ends at its arrival.
func (l *RetryExecutor) outcome(i int) *measure.Outcome {
	o := &l.outcomes[i]
	fresh, try := triedAt(l.place[i])
	o.Attempt, o.Fresh, o.Try = l.rows.First+int64(i), fresh, int32(try)
	o.Arrival, o.Decided, o.Dispatched = l.time[i], l.time[i], l.time[i]
	o.Key, o.Tenant, o.Client, o.Cost = l.key[i], l.tenant[i], l.client[i], l.cost[i]
	o.Verdict = l.verdicts[i]
	return o
}

// logDecision writes an attempt that has just been decided to the decision log.
func (l *RetryExecutor) logDecision(i int) {
	level, retryAt := l.inspect(&l.rows, i)
	l.DecisionLog.Decision(l.outcome(i), l.rows.Keys(i), level, retryAt)
}

func (l *RetryExecutor) Finish(ctx context.Context, end int64, shaped []Dispatch) {
	l.collectRetries(ctx, end-1)
	l.flush(ctx)
	l.BlockExecutor.Finish(ctx, end, shaped)
}
