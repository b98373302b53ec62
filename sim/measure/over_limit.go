package measure

import (
	"math/big"
	"slices"
)

// firstWindows is the number of calendar windows at the start of the measured
// span that are also reported by themselves.
const firstWindows = 3

// noKey stands for no key at all.
const noKey = int32(-1)

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
	s.byKey.add(key, over*n, n)
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

// emitWorstKey emits the excess of the worst key, or that no key has a saturated
// window. Over replications it is the mean of those in which a key has one.
func emitWorstKey(policies []*windowMeter, emit Emit) {
	if !severalKeys(policies) {
		emit("over_limit_pct_worst_key", NoData("there is one key"))
		return
	}
	some := int64(0)
	if slices.ContainsFunc(policies, func(m *windowMeter) bool { return len(m.saturated) > 0 }) {
		some = 1
	}
	emit("over_limit_pct_worst_key", meanOf("", percent(worstKeyOf(policies).mean), some))
}

func severalKeys(policies []*windowMeter) bool {
	return len(policies) > 1 || len(policies[0].keys.keys) > 1
}

// worstKeyOf returns the worst key of all policies, numbered as in the trial.
func worstKeyOf(policies []*windowMeter) worstKey {
	worst := worstKey{noKey, new(big.Rat)}
	for _, m := range policies {
		if m.worst.mean.Cmp(worst.mean) > 0 {
			worst = worstKey{m.worst.key + m.cfg.From, m.worst.mean}
		}
	}
	return worst
}

// worstKey is the key with the largest mean of max(0, A-L)/L over its saturated
// windows, the first of equal ones. If no key is over its limit, it is noKey.
type worstKey struct {
	key  int32
	mean *big.Rat
}

// findWorstKey returns the worst key once all windows are closed.
func (m *windowMeter) findWorstKey() worstKey {
	worst, atLeast := worstKey{noKey, new(big.Rat)}, 0.0 // atLeast is just below the mean: few keys need exact arithmetic
	for key := range int32(len(m.keys.keys)) {
		sum, windows, equal := 0.0, int64(0), worst.key != noKey
		for _, s := range m.saturated {
			o := s.byKey.of(key)
			sum += float64(o.cost) / float64(s.limit)
			windows += o.windows
			equal = equal && o == s.byKey.of(worst.key)
		}
		if sum == 0 || equal || sum/float64(windows) < atLeast {
			continue
		}
		mean := new(big.Rat)
		for _, s := range m.saturated {
			mean.Add(mean, big.NewRat(s.byKey.of(key).cost, s.limit))
		}
		if mean.Mul(mean, big.NewRat(1, windows)); mean.Cmp(worst.mean) > 0 {
			worst = worstKey{key, mean}
			atLeast = numberOf(mean).X * (1 - 1e-9)
		}
	}
	return worst
}

// WorstKey returns the key of over_limit_pct_worst_key. It reports false if there
// is one key, or none over its limit. Of equal keys it returns the first.
func (r *Recorder) WorstKey() (key int32, ok bool) {
	meters := r.windowMeters()
	coarse := slices.ContainsFunc(meters, func(m *windowMeter) bool { return m.cfg.tooFineFor(m.cfg.Window) != "" })
	if coarse || !severalKeys(meters) {
		return noKey, false
	}
	key = worstKeyOf(meters).key
	return key, key != noKey
}
