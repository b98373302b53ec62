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

// saturate counts the windows from <= index < to of a key as saturated, with
// the cost admitted in each of them.
func (m *windowMeter) saturate(key int32, from, to, limit, admitted int64) {
	s, n, over := m.under(limit), to-from, max(0, admitted-limit)
	s.add(admitted, n)
	s.byKey.At(key).add(over*n, n)
	if early := min(to, m.first+firstWindows) - from; early > 0 {
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
	emit("over_limit_first_windows_pct", meanPct("no saturated window among the first three", first, early))
	emit("over_limit_rest_pct", meanPct("no saturated window after the first three", new(big.Rat).Sub(all, first), count-early))
}

// meanPct returns 100*sum/n, or no data for this reason if n is 0.
func meanPct(none string, sum *big.Rat, n int64) Value {
	if n == 0 {
		return NoData(none)
	}
	return numberOf(new(big.Rat).Mul(sum, big.NewRat(100, n)))
}

// emitWorstKey emits the excess of the worst key, and nothing if no key has a
// saturated window.
func emitWorstKey(policies []*windowMeter, emit Emit) {
	if !severalKeys(policies) {
		emit("over_limit_pct_worst_key", NoData("there is one key"))
		return
	}
	if slices.ContainsFunc(policies, func(m *windowMeter) bool { return len(m.saturated) > 0 }) {
		_, most := worstKeyOf(policies)
		emit("over_limit_pct_worst_key", meanPct("", most, 1))
	}
}

func severalKeys(policies []*windowMeter) bool {
	return len(policies) > 1 || len(policies[0].keys.keys) > 1
}

// worstKeyOf returns the worst key of all policies, numbered as in the trial, and
// its mean excess.
func worstKeyOf(policies []*windowMeter) (worst int32, most *big.Rat) {
	worst, most = noKey, new(big.Rat)
	for _, m := range policies {
		if key, mean := m.worstKey(); mean.Cmp(most) > 0 {
			worst, most = key+m.cfg.From, mean
		}
	}
	return worst, most
}

// worstKey returns the key with the largest mean of max(0, A-L)/L over its
// saturated windows, and that mean. If no key is over its limit, it returns
// noKey and 0. Of equal keys it returns the first.
func (m *windowMeter) worstKey() (worst int32, most *big.Rat) {
	worst, most = noKey, new(big.Rat)
	atLeast := 0.0 // just below most: few keys need exact arithmetic
	for key := range int32(len(m.keys.keys)) {
		sum, windows := 0.0, int64(0)
		for _, s := range m.saturated {
			o := s.byKey.Peek(key)
			sum += float64(o.cost) / float64(s.limit)
			windows += o.windows
		}
		if sum == 0 || sum/float64(windows) < atLeast {
			continue
		}
		mean := new(big.Rat)
		for _, s := range m.saturated {
			mean.Add(mean, big.NewRat(s.byKey.Peek(key).cost, s.limit))
		}
		if mean.Mul(mean, big.NewRat(1, windows)); mean.Cmp(most) > 0 {
			worst, most = key, mean
			atLeast = numberOf(mean).X * (1 - 1e-9)
		}
	}
	return worst, most
}

// WorstKey returns the key of over_limit_pct_worst_key. It reports false if there
// is one key, or none over its limit. Of equal keys it returns the first.
func (r *Recorder) WorstKey() (key int32, ok bool) {
	meters := []*windowMeter{r.windows}
	if r.policies != nil {
		meters = nil
		for _, p := range r.policies {
			meters = append(meters, p.windows)
		}
	}
	coarse := slices.ContainsFunc(meters, func(m *windowMeter) bool { return m.cfg.tooFineFor(m.cfg.Window) != "" })
	if coarse || !severalKeys(meters) {
		return noKey, false
	}
	key, _ = worstKeyOf(meters)
	return key, key != noKey
}
