package measure

import (
	"math/big"
	"slices"
)

// noKey stands for no key at all.
const noKey = int32(-1)

// emitWorstKey emits the excess of the worst key, or that no key has a saturated
// window, and what it would be if all keys were equal. Over replications they are the
// means of those in which a key has one.
func emitWorstKey(policies []*windowMeter, emit Emit) {
	if !severalKeys(policies) {
		emit("over_limit_pct_worst_key", NoData("there is one key"))
		emit("over_limit_pct_equal_keys", NoData("there is one key"))
		return
	}
	some := int64(0)
	if slices.ContainsFunc(policies, func(m *windowMeter) bool { return len(m.saturated) > 0 }) {
		some = 1
	}
	emit("over_limit_pct_worst_key", meanOf("", percent(worstKeyOf(policies).mean), some))
	v := Value{Pool: Pool{Kind: Ratio}}
	if spreads := spreadsOf(policies); len(spreads) > 0 {
		v.X = 100 * largestOfEqual(spreads)
		v.Pool.Num, v.Pool.Den = v.X, 1
	} else if some > 0 {
		v.NoData = "fewer than two keys have saturated windows in both halves of the span"
	}
	emit("over_limit_pct_equal_keys", v)
}

// spreadsOf returns the spreads of the keys of policies that have one.
func spreadsOf(policies []*windowMeter) (spreads []*keySpread) {
	for _, m := range policies {
		if m.spread != nil && m.spread.pairs > 1 {
			spreads = append(spreads, m.spread)
		}
	}
	return spreads
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

// compareKeys finds the worst key and the spread of the keys once all windows are closed.
func (m *windowMeter) compareKeys() {
	m.worst = worstKey{noKey, new(big.Rat)}
	if len(m.saturated) == 0 {
		return
	}
	m.spread = newKeySpread(m.saturated)
	var sizes windowCounts
	atLeast := 0.0 // just below the worst mean: few keys need exact arithmetic
	for key := range int32(len(m.keys.keys)) {
		var over [2]float64
		var windows [2]int64
		for _, s := range m.saturated {
			for half := range s.byKey {
				o := s.byKey[half].of(key)
				if windows[half] += o.windows; o.cost > 0 {
					over[half] += float64(o.cost) / float64(s.limit)
				}
			}
		}
		n := windows[0] + windows[1]
		if n == 0 {
			continue
		}
		m.spread.add(over, windows)
		sizes.add(n, 1)
		if sum := over[0] + over[1]; sum == 0 || sum/float64(n) < atLeast || m.isLikeWorst(key) {
			continue
		}
		mean := new(big.Rat)
		for _, s := range m.saturated {
			mean.Add(mean, big.NewRat(s.ofKey(key).cost, s.limit))
		}
		if mean.Mul(mean, big.NewRat(1, n)); mean.Cmp(m.worst.mean) > 0 {
			m.worst = worstKey{key, mean}
			atLeast = numberOf(mean).X * (1 - 1e-9)
		}
	}
	m.spread.setSizes(&sizes)
}

// isLikeWorst reports whether a key has the windows of the worst key so far.
func (m *windowMeter) isLikeWorst(key int32) bool {
	return m.worst.key != noKey && !slices.ContainsFunc(m.saturated, func(s *saturatedWindows) bool { return s.ofKey(key) != s.ofKey(m.worst.key) })
}

// ofKey returns the sums of a key.
func (s *saturatedWindows) ofKey(key int32) overLimit {
	sum, later := s.byKey[firstHalf].of(key), s.byKey[secondHalf].of(key)
	sum.add(later.cost, later.windows)
	return sum
}

// WorstKey is the key of over_limit_pct_worst_key. Of equal keys it is the first.
type WorstKey struct {
	Key   int32
	Among int64 // keys with traffic
	// Equal is how many keys would be expected to have so large a mean if all were equal,
	// -1 if that is not known.
	Equal float64
}

// WorstKey returns the key of over_limit_pct_worst_key. It reports false if there
// is one key, or none over its limit.
func (r *Recorder) WorstKey() (w WorstKey, ok bool) {
	meters := r.windowMeters()
	coarse := slices.ContainsFunc(meters, func(m *windowMeter) bool { return m.cfg.tooFineFor(m.cfg.Window) != "" })
	if coarse || !severalKeys(meters) {
		return w, false
	}
	worst := worstKeyOf(meters)
	w.Key, w.Equal = worst.key, -1
	for _, m := range meters {
		w.Among += m.summary.seen
	}
	if spreads := spreadsOf(meters); len(spreads) > 0 {
		w.Equal = equalBeyond(spreads, numberOf(worst.mean).X)
	}
	return w, w.Key != noKey
}
