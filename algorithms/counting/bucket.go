package counting

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// unseen is the timestamp of a bucket before its first request. Its distance
// from any real time, as an unsigned number, is longer than every rule's longest.
const unseen = math.MinInt64

// bucketState is one key's bucket: the units missing from a full bucket at the
// time last. Because it stores what is missing, the depth becomes a floor at
// zero, and a refill of any length cannot overflow.
//
// What a token bucket misses is the backlog of a leaky bucket, and the distance
// from last to a theoretical arrival time. These counters therefore share the
// arithmetic of this file.
type bucketState struct {
	missing int64
	last    int64
}

// bucketRule holds what the buckets of one table share.
type bucketRule struct {
	n, p    int64 // n units per nanosecond, p units per token
	depth   int64 // units
	longest int64 // elapsed ns after which any bucket is full
	maxCost int64 // tokens; a larger cost is rejected
	strict  int64 // -1: the level must cover the cost; 0: debt
	initial int64 // units missing from a new bucket
}

// maxMissing is small enough that missing plus one refill's rounding fits an
// int64. It covers a depth of up to 2^62 units and a debt of up to 2^61 (73 years
// of refill at n = 1).
const maxMissing = maxDepth + maxDebt

const maxDebt = maxDepth / 2

// newBucketRule returns the rule of buckets that start full and have no debt. The
// limit must have been checked with its burst, which is their depth.
func newBucketRule(limit Limit) bucketRule {
	n, p := limit.Rate()
	return bucketRule{n: n, p: p, depth: limit.Burst * p, longest: math.MaxInt64 / n, maxCost: limit.Burst, strict: -1}
}

func newTokenBucketRule(limit Limit, o TokenBucketOptions) bucketRule {
	must(o.Check(limit))
	r := newBucketRule(limit.withBurst(o.Burst))
	if o.Debt {
		r.maxCost, r.strict = maxDebt/r.p, 0
	}
	if o.Initial.given {
		r.initial = r.depth - o.Initial.tokens*r.p
	}
	return r
}

func (r *bucketRule) fresh() bucketState { return bucketState{missing: r.initial, last: unseen} }

// at returns the bucket as it has been refilled by now.
func (r *bucketRule) at(s bucketState, now int64) bucketState {
	now, elapsed := advance(s.last, now, uint64(r.longest))
	return bucketState{missing: max(s.missing-elapsed*r.n, 0), last: now}
}

// advance returns the time to store and the refill time since last.
func advance(last, now int64, longest uint64) (at, elapsed int64) {
	if elapsed = now - last; uint64(elapsed) <= longest {
		return now, elapsed
	}
	return irregular(last, now, int64(longest))
}

// irregular returns the time and the refill time to use when the elapsed time,
// as an unsigned number, exceeds the longest one: for a new key, for a time that
// goes backwards and for a long idle period.
func irregular(last, now, longest int64) (at, elapsed int64) {
	switch {
	case last == unseen:
		return now, 0
	case now < last:
		return last, 0
	}
	return now, longest
}

func (r *bucketRule) take(s *bucketState, now, cost int64) Verdict {
	*s = r.at(*s, now)
	if cost <= 0 {
		return Admitted
	}
	if cost > r.maxCost || s.missing > r.depth-(cost*r.p)&r.strict {
		return Rejected
	}
	s.missing += cost * r.p
	return Admitted
}

// level counts the request that takes a bucket with debt below zero.
func (r *bucketRule) level(s *bucketState, now int64) int64 {
	return integers.FloorDiv(r.depth-r.at(*s, now).missing, r.p) + 1 + r.strict
}

func (r *bucketRule) largest() int64 { return r.maxCost }

func (r *bucketRule) retryAt(s *bucketState, now, cost int64) int64 {
	then := r.at(*s, now)
	short := then.missing - (r.depth - (cost*r.p)&r.strict)
	if short <= 0 {
		return now
	}
	return integers.Add(then.last, integers.CeilDiv(short, r.n))
}

func (r *bucketRule) fields(s *bucketState) []StateField {
	return []StateField{
		{"level_units", r.depth - s.missing},
		{"units_per_token", r.p},
		{"refill_units_per_ns", r.n},
		{"depth_units", r.depth},
		{"last_ns", s.last},
	}
}

// takeBlock decides a block of requests. What is not regular it decides by take.
func (r *bucketRule) takeBlock(state []bucketState, keys []int32, times, costs []int64, verdicts []Verdict) {
	for len(verdicts) > 0 {
		n := 0
		if len(state) == 1 {
			n = r.takeRegularOfOne(&state[0], times, costs, verdicts)
		} else {
			n = r.takeRegular(state, keys, times, costs, verdicts)
		}
		if n < len(verdicts) {
			verdicts[n] = r.take(&state[keys[n]], times[n], costs[n])
			n++
		}
		keys, times, costs, verdicts = keys[n:], times[n:], costs[n:], verdicts[n:]
	}
}

// takeRegular decides requests up to the first one that is not regular, and returns their
// number. One is regular if its bucket is new, or the refill is not longer than any bucket
// needs, and if its cost is above 0 and fits the bucket.
//
// The loop calls nothing and reads the rule where it is, so that what changes fits
// registers.
func (r *bucketRule) takeRegular(state []bucketState, keys []int32, times, costs []int64, verdicts []Verdict) int {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	for i, key := range keys {
		s := &state[key]
		now, need := times[i], costs[i]
		elapsed := now - s.last
		if uint64(elapsed) > uint64(r.longest) {
			if s.last != unseen {
				return i
			}
			elapsed = 0
		}
		if uint64(need-1) >= uint64(r.maxCost) {
			return i
		}
		s.last = now
		s.missing, verdicts[i] = r.charge(s.missing-elapsed*r.n, need*r.p)
	}
	return n
}

// takeRegularOfOne is takeRegular for one key. It keeps the state in registers.
func (r *bucketRule) takeRegularOfOne(state *bucketState, times, costs []int64, verdicts []Verdict) int {
	n := len(verdicts)
	times, costs = times[:n], costs[:n]
	missing, last := state.missing, state.last
	decided := n
	for i, now := range times {
		need, elapsed := costs[i], now-last
		if uint64(elapsed) > uint64(r.longest) || uint64(need-1) >= uint64(r.maxCost) {
			decided = i
			break
		}
		last = now
		missing, verdicts[i] = r.charge(missing-elapsed*r.n, need*r.p)
	}
	*state = bucketState{missing, last}
	return decided
}

// charge decides a regular request that needs these units, of a bucket that misses others,
// and returns those that are missing then. It has no branch on the verdict, because verdicts
// are unpredictable under overload: two assignments become conditional moves.
func (r *bucketRule) charge(missing, need int64) (int64, Verdict) {
	charge, verdict := int64(0), Rejected
	if missing <= r.depth-need&r.strict {
		charge = need
	}
	if charge != 0 {
		verdict = Admitted
	}
	return max(missing, 0) + charge, verdict
}

// irregularCost returns the verdict for a cost that is 0 or less, or larger than
// any bucket.
func irregularCost(cost int64) Verdict {
	if cost <= 0 {
		return Admitted
	}
	return Rejected
}
