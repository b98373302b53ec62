package sql

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Never is the retry time of a call that will not be admitted, however long its
// caller waits.
const Never = int64(math.MaxInt64)

// Tokens returns the largest cost that would be admitted at now, in whole tokens. It
// changes nothing.
func (r *Rule) Tokens(w Row, now int64) int64 {
	level := r.first(w, now)
	if level < 0 {
		return 0
	}
	return level/r.unit + 1
}

// RetryAt returns the earliest time, now or later, at which this cost would be
// admitted if no other call came before, or Never. It uses bisection, because
// the cost that a call admits never decreases with time.
func (r *Rule) RetryAt(w Row, now, cost int64) int64 {
	if cost <= 0 || r.Tokens(w, now) >= cost {
		return now
	}
	if !w.Exists() || cost > r.depth+1 {
		return Never
	}
	// Enough time for the cost, for the token that a rejection owes and for rounding.
	late := w.Stamp
	if wait := integers.MulDivUp(cost+3, r.p, r.n, Never); wait > Never-max(late, 0)-r.o.Clock {
		late = Never - 1
	} else {
		late += wait + r.o.Clock
	}
	if late = max(late, now); r.Tokens(w, late) < cost {
		return Never
	}
	for now < late {
		half := now + (late-now)/2
		if r.Tokens(w, half) >= cost {
			late = half
		} else {
			now = half + 1
		}
	}
	return late
}
