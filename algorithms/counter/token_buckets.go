package counter

import "github.com/limitgauge/limitgauge/algorithms/perkey"

// TokenBuckets is a table of token buckets. It takes 16 bytes per key.
type TokenBuckets struct {
	rule    bucketRule
	state   []bucketState
	touched int64
}

var _ Table = (*TokenBuckets)(nil)

// NewTokenBuckets returns buckets at their initial level for keys 0 to keys-1.
// It panics if o.Check(limit) fails.
func NewTokenBuckets(limit Limit, o TokenBucketOptions, keys int) *TokenBuckets {
	t := &TokenBuckets{rule: newBucketRule(limit, o), state: make([]bucketState, keys)}
	fresh := t.rule.fresh()
	for i := range t.state {
		t.state[i] = fresh
	}
	return t
}

// TakeBlock has no branch on the verdict, because verdicts are unpredictable
// under overload: the two assignments below become conditional moves, and the
// remaining branches are almost always predicted correctly.
func (t *TokenBuckets) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	if len(t.state) == 1 {
		t.takeOne(times, costs, verdicts)
		return
	}
	state := t.state
	if len(state) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return state[key].last })
	}
	rate, token, strict, depth := t.rule.n, t.rule.p, t.rule.strict, t.rule.depth
	longest, maxCost := uint64(t.rule.longest), uint64(t.rule.maxCost)
	for i, key := range keys {
		s := &state[key]
		now, cost := times[i], costs[i]
		elapsed := now - s.last
		if uint64(elapsed) <= longest {
			s.last = now
		} else {
			s.last, elapsed = irregular(s.last, now, int64(longest))
		}
		missing := s.missing - elapsed*rate
		if uint64(cost-1) >= maxCost {
			s.missing = max(missing, 0)
			verdicts[i] = irregularCost(cost)
			continue
		}
		need := cost * token
		charge, verdict := int64(0), Rejected
		if missing <= depth-need&strict {
			charge = need
		}
		if charge != 0 {
			verdict = Admitted
		}
		s.missing = max(missing, 0) + charge
		verdicts[i] = verdict
	}
}

// takeOne is TakeBlock for a table of one key. It keeps the state in registers.
func (t *TokenBuckets) takeOne(times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	times, costs = times[:n], costs[:n]
	rate, token, strict, depth := t.rule.n, t.rule.p, t.rule.strict, t.rule.depth
	longest, maxCost := uint64(t.rule.longest), uint64(t.rule.maxCost)
	missing, last := t.state[0].missing, t.state[0].last
	for i, now := range times {
		cost := costs[i]
		elapsed := now - last
		if uint64(elapsed) <= longest {
			last = now
		} else {
			last, elapsed = irregular(last, now, int64(longest))
		}
		missing -= elapsed * rate
		if uint64(cost-1) >= maxCost {
			missing = max(missing, 0)
			verdicts[i] = irregularCost(cost)
			continue
		}
		need := cost * token
		charge, verdict := int64(0), Rejected
		if missing <= depth-need&strict {
			charge = need
		}
		if charge != 0 {
			verdict = Admitted
		}
		missing = max(missing, 0) + charge
		verdicts[i] = verdict
	}
	t.state[0] = bucketState{missing, last}
}

// irregularCost returns the verdict for a cost that is 0 or less, or larger than
// any bucket.
func irregularCost(cost int64) Verdict {
	if cost <= 0 {
		return Admitted
	}
	return Rejected
}

// Take decides one request.
func (t *TokenBuckets) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}

// Level returns the largest cost that the key could admit at now.
func (t *TokenBuckets) Level(key int32, now int64) int64 { return t.rule.level(t.state[key], now) }

// RetryAt returns the earliest time at which this cost would be admitted, or Never.
func (t *TokenBuckets) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.retryAt(t.state[key], now, cost)
}

// State returns the key's state as named numbers.
func (t *TokenBuckets) State(key int32) []StateField { return t.rule.state(t.state[key]) }

// Debit takes cost from the key's bucket, whatever its level, without a refill.
// A debt is cut at 2^61 units.
func (t *TokenBuckets) Debit(key int32, cost int64) { t.rule.debit(&t.state[key], cost) }

// Refill refills the key's bucket up to now. The first time passed for a key is
// that of its creation and adds nothing. Refill(key, origin) on a new key
// therefore sets the time from which its refill counts.
func (t *TokenBuckets) Refill(key int32, now int64) { t.state[key] = t.rule.at(t.state[key], now) }

// LevelUnits returns the level at the key's last refill or request, in units of
// 1/p of a token. It is negative while the bucket is in debt.
func (t *TokenBuckets) LevelUnits(key int32) int64 { return t.rule.depth - t.state[key].missing }
