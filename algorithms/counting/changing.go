package counting

import (
	"errors"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// The functions of this file implement kind.changing, one for each kind of state.

var errNoCommonUnit = errors.New("the limits have no common unit that counts all of them exactly")

// bucketRules returns the rule of each limit, all counting in one unit: the least
// common multiple of their parts. It returns an error if the deepest bucket cannot
// be counted exactly in that unit.
func bucketRules(limits []Limit, ruleOf func(Limit) bucketRule, part func(*bucketRule) int64) ([]bucketRule, error) {
	rules := make([]bucketRule, len(limits))
	unit := int64(1)
	for i, l := range limits {
		rules[i] = ruleOf(l)
		own := part(&rules[i])
		factor := own / integers.GCD(unit, own)
		if unit > maxDepth/factor {
			return nil, errNoCommonUnit
		}
		unit *= factor
	}
	for i := range rules {
		r := &rules[i]
		factor := unit / part(r)
		if r.depth > maxDepth/factor {
			return nil, errNoCommonUnit
		}
		r.n, r.p, r.depth, r.initial = r.n*factor, r.p*factor, r.depth*factor, r.initial*factor
		r.longest = math.MaxInt64 / r.n
		if r.strict == 0 {
			r.maxCost = maxDebt / r.p
		}
	}
	return rules, nil
}

// perToken is the part for levels that must stay the same in tokens, perNanosecond
// the part for those that must stay the same in time.
func perToken(r *bucketRule) int64      { return r.p }
func perNanosecond(r *bucketRule) int64 { return r.n }

func changingTokenBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	rules, err := bucketRules(limits, func(l Limit) bucketRule {
		o := TokenBucketOptionsOf(l, v)
		if o.Initial.given {
			o.Initial.tokens = min(o.Initial.tokens, o.Burst)
		}
		return newTokenBucketRule(l, o)
	}, perToken)
	return func(i int, now int64) { t.(*TokenBuckets).setRule(rules[i], now) }, err
}

// changingGCRAs keeps theoretical arrival times exactly where they are, but for
// the new burst.
func changingGCRAs(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	rules, err := bucketRules(limits, func(l Limit) bucketRule {
		return newGCRARule(l.withBurst(burstOf(l, v))).bucketRule
	}, perNanosecond)
	table := t.(*GCRAs)
	return func(i int, now int64) {
		before := table.rule
		table.rule.bucketRule = rules[i]
		for key, s := range table.state {
			s = before.at(s, now)
			s.missing = min(s.missing, rules[i].depth)
			table.state[key] = s
		}
	}, err
}

func changingLeakyBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	ruleOf := func(l Limit) leakyRule {
		return newLeakyRule(l, LeakyBucketOptionsOf(l, v))
	}
	rules, err := bucketRules(limits, func(l Limit) bucketRule { return ruleOf(l).bucketRule }, perToken)
	table := t.(*LeakyBuckets)
	return func(i int, now int64) {
		before := table.rule
		table.rule = leakyRule{rules[i], ruleOf(limits[i]).free}
		for key, s := range table.state {
			table.state[key] = before.at(s, now)
		}
	}, err
}

func changingTimerBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	for _, l := range limits {
		if TimerBucketOptionsOf(l, v).FillInterval == 0 && l.Window != limits[0].Window {
			return nil, errors.New("its fill interval is the limit's period, which cannot change")
		}
	}
	table := t.(*TimerBuckets)
	return func(i int, now int64) {
		before := table.rule
		table.rule = newTimerRule(limits[i], TimerBucketOptionsOf(limits[i], v))
		for key, s := range table.state {
			s = before.at(s, now)
			s.missing = max(s.missing+table.rule.burst-before.burst, 0)
			table.state[key] = s
		}
	}, nil
}

// limited is a rule that compares what it counts in a window with a limit.
type limited interface {
	limits() (limit *int64, window int64)
}

func (r *windowRule) limits() (limit *int64, window int64)   { return &r.limit, r.width }
func (r *firstHitRule) limits() (limit *int64, window int64) { return &r.limit, r.width }
func (r *haproxyRule) limits() (limit *int64, window int64)  { return &r.limit, r.period * milli }

func (t *states[S, R, P]) limits() (limit *int64, window int64) {
	return any(&t.rule).(limited).limits()
}

// changingWindows changes the limit of a counter that compares counts with it. Windows,
// counts and expiries stay.
func changingWindows(t any, limits []Limit, _ catalog.Values) (setLimit, error) {
	limit, window := t.(limited).limits()
	for _, l := range limits {
		if l.Window != window {
			return nil, errors.New("its window cannot change")
		}
	}
	return func(i int, _ int64) { *limit = limits[i].Count }, nil
}

func changingSampledAverages(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	return func(i int, _ int64) {
		t.(*SampledAverages).rule = newAverageRule(limits[i], optionsOf[SampledAverageOptions](limits[i], v))
	}, nil
}
