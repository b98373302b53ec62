package measure

import "math/big"

// firstWindows is the number of calendar windows at the start of the measured
// span that are also reported by themselves.
const firstWindows = 3

// overLimit sums saturated windows under one limit: their number, and the cost
// admitted beyond the limit in them.
type overLimit struct{ cost, windows int64 }

func (o *overLimit) add(cost, windows int64) {
	o.cost += cost
	o.windows += windows
}

// saturate counts n windows of a key from one on as saturated, with the cost admitted in
// each of them. They are in one part of the span.
func (m *windowMeter) saturate(key int32, from, n int64, part int, limit, admitted int64) {
	s, over := m.under(limit), max(0, admitted-limit)
	s.parts[part].add(admitted, n)
	s.byKey[min(part, secondHalf)].add(key, over*n, n)
	if early := min(from+n, m.first+firstWindows) - from; early > 0 {
		s.first.add(over*early, early)
	}
}

// emitFirstWindows emits over_limit_pct apart for the first windows of the span
// and for the rest. all is the sum over all count windows of max(0, A-L)/L.
func emitFirstWindows(policies []*windowMeter, all *big.Rat, count int64, emit Emit) {
	first, early := new(big.Rat), int64(0)
	for _, m := range policies {
		for _, s := range m.saturated {
			first.Add(first, big.NewRat(s.first.cost, s.limit))
			early += s.first.windows
		}
	}
	emit("over_limit_first_windows_pct", meanOf("no saturated window among the first three", percent(first), early))
	emit("over_limit_rest_pct", meanOf("no saturated window after the first three", percent(new(big.Rat).Sub(all, first)), count-early))
}

// percent returns 100*x.
func percent(x *big.Rat) *big.Rat { return new(big.Rat).Mul(x, big.NewRat(100, 1)) }
