package sql

import "math"

// Never is the instant of a call that no wait would let through.
const Never = int64(math.MaxInt64)

// Tokens is the largest cost that would be admitted at now, in whole tokens,
// without changing anything.
func (r *Rule) Tokens(w Row, now int64) int64 {
	level := r.first(w, now)
	if level < 0 {
		return 0
	}
	return level/r.unit + 1
}

// RetryAt is the earliest instant from now on at which this cost would be
// admitted if nobody else called, or Never. It is found by bisection: what a
// call admits never shrinks while time passes.
func (r *Rule) RetryAt(w Row, now, cost int64) int64 {
	if cost <= 0 || r.Tokens(w, now) >= cost {
		return now
	}
	if !w.Exists() || cost > r.depth+1 {
		return Never
	}
	// Enough for the cost, for the token a refusal owes and for rounding.
	late := w.Stamp
	if wait := mulDivUp(cost+3, r.p, r.n); wait > Never-max(late, 0)-r.o.Clock {
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

// mulDivUp is a*b/c rounded up for a, b, c > 0, or Never.
func mulDivUp(a, b, c int64) int64 {
	if a > Never/b {
		return Never
	}
	return (a*b-1)/c + 1
}
