package counting

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// TokenBuckets is a table of token buckets. It takes 16 bytes per key.
//
// The level counts in units of 1/p of a token, where the limit is n tokens per
// p nanoseconds in lowest terms; every nanosecond adds n units, up to burst*p. A
// request of cost c is admitted if the level is at least c*p (with Debt: at least
// 0) and then takes c*p. Cost 0 is always admitted. A cost above the burst is
// never admitted; with Debt, a cost above 2^61 units is never admitted. The
// first call with a time creates the bucket at that time, with its initial
// level. Times are nanoseconds, 0 or later.
type TokenBuckets struct {
	correctable[bucketState, bucketRule, *bucketRule]
}

var _ Table = (*TokenBuckets)(nil)

// NewTokenBuckets returns buckets at their initial level for keys 0 to keys-1.
// It panics if o.Check(limit) fails.
func NewTokenBuckets(limit Limit, o TokenBucketOptions, keys int) *TokenBuckets {
	t := &TokenBuckets{newCorrectable[bucketState](newTokenBucketRule(limit, o), keys)}
	fresh := t.rule.fresh()
	for i := range t.state {
		t.state[i] = fresh
	}
	return t
}

// TakeBlock decides the requests of a block in order.
func (t *TokenBuckets) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].last })
	}
	t.rule.takeBlock(t.state, keys, times, costs, verdicts)
}

// Take decides one request.
func (t *TokenBuckets) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}

// Debit takes cost from the key's bucket, whatever its level, without a refill.
// A debt is cut at 2^61 units.
func (t *TokenBuckets) Debit(key int32, cost int64) {
	s := &t.state[key]
	s.missing += integers.Mul(max(cost, 0), t.rule.p, maxMissing-s.missing)
}

// Refill refills the key's bucket up to now. The first time passed for a key is
// that of its creation and adds nothing. Refill(key, origin) on a new key
// therefore sets the time from which its refill counts.
func (t *TokenBuckets) Refill(key int32, now int64) { t.state[key] = t.rule.at(t.state[key], now) }

// RefilledTo returns the time up to which the key's bucket has been refilled.
func (t *TokenBuckets) RefilledTo(key int32) int64 { return t.state[key].last }

// LevelUnits returns the level at now, in units of 1/p of a token, without a change of the
// bucket. It is negative while the bucket is in debt.
func (t *TokenBuckets) LevelUnits(key int32, now int64) int64 {
	return t.rule.depth - t.rule.at(t.state[key], now).missing
}

// Full reports whether nothing is missing from the key's bucket at now.
func (t *TokenBuckets) Full(key int32, now int64) bool {
	return t.rule.at(t.state[key], now).missing == 0
}

// Reach adds new buckets to the table for all keys up to the key.
func (t *TokenBuckets) Reach(key int32) {
	for int(key) >= len(t.state) {
		t.state = append(t.state, t.rule.fresh())
	}
}

// Forget resets the key's bucket to the state before its first request.
func (t *TokenBuckets) Forget(key int32) { t.state[key] = t.rule.fresh() }

// Copy sets the bucket of a key to that of a key in another table with the same
// limit and options.
func (t *TokenBuckets) Copy(key int32, from *TokenBuckets, fromKey int32) {
	t.state[key] = from.state[fromKey]
}

// RelimitRounded changes the limit and the options of all buckets at now. A
// bucket keeps its level in tokens, rounded down to the new limit's unit and cut
// to the new depth; a debt stays a debt. It panics if o.Check(limit) fails.
//
// NewChanging rounds nothing, but it must know all limits beforehand and needs a
// unit that they share. RelimitRounded accepts any limit: use it where a limit
// changes during a run, or where a share of it depends on the number of clients.
func (t *TokenBuckets) RelimitRounded(limit Limit, o TokenBucketOptions, now int64) {
	t.setRule(newTokenBucketRule(limit, o), now)
}

// setRule changes the rule and keeps the levels in tokens. It rounds them only if
// the unit changes.
func (t *TokenBuckets) setRule(rule bucketRule, now int64) {
	before := t.rule
	t.rule = rule
	for i := range t.state {
		s := &t.state[i]
		if s.last == unseen {
			*s = rule.fresh()
			continue
		}
		*s = before.at(*s, now)
		if level := before.depth - s.missing; level < 0 {
			s.missing = rule.depth + integers.MulDivUp(-level, rule.p, before.p, maxMissing-rule.depth)
		} else {
			s.missing = rule.depth - integers.MulDiv(level, rule.p, before.p, rule.depth)
		}
	}
}
