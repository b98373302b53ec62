package counter

import (
	"errors"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// The functions of this file implement kind.changing, one for each kind of state.

var errNoCommonUnit = errors.New("the limits have no common unit that counts all of them exactly")

// commonUnit returns the least common multiple of the parts in which the rates
// are counted. It returns an error if the deepest bucket cannot be counted
// exactly in that unit.
func commonUnit(limits []Limit, part func(n, p int64) int64, depth func(l Limit, n, p, unit int64) (units int64)) (unit int64, err error) {
	unit = 1
	for _, l := range limits {
		own := part(l.Rate())
		factor := own / integers.GCD(unit, own)
		if unit > maxDepth/factor {
			return 0, errNoCommonUnit
		}
		unit *= factor
	}
	for _, l := range limits {
		n, p := l.Rate()
		if depth(l, n, p, unit) > maxDepth {
			return 0, errNoCommonUnit
		}
	}
	return unit, nil
}

// perToken returns the common unit of buckets, as units per token.
func perToken(limits []Limit, burst func(Limit) int64) (int64, error) {
	return commonUnit(limits, func(_, p int64) int64 { return p }, func(l Limit, _, _, unit int64) int64 {
		return integers.MulDiv(burst(l), unit, 1, math.MaxInt64)
	})
}

func changingTokenBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	unit, err := perToken(limits, func(l Limit) int64 { return burstOf(l, v) })
	buckets := t.(*TokenBuckets)
	return func(l Limit, now int64) {
		o := TokenBucketOptionsOf(l, v)
		if o.Initial.given {
			o.Initial.tokens = min(o.Initial.tokens, o.Burst)
		}
		rule := newBucketRule(l, o)
		rule.countIn(unit, o)
		buckets.setRule(rule, now)
	}, err
}

// countIn makes the rule count in another unit, a multiple of its own.
func (r *bucketRule) countIn(unit int64, o TokenBucketOptions) {
	factor := unit / r.p
	r.n, r.p, r.depth, r.initial = r.n*factor, unit, r.depth*factor, r.initial*factor
	r.longest = math.MaxInt64 / r.n
	if o.Debt {
		r.maxCost = maxDepth / 2 / r.p
	}
}

// changingGCRAs counts time in a fraction of a nanosecond that all rates share,
// so that a theoretical arrival time can stay exactly where it is.
func changingGCRAs(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	unit, err := commonUnit(limits, func(n, _ int64) int64 { return n }, func(l Limit, n, p, unit int64) int64 {
		return integers.MulDiv(burstOf(l, v), integers.MulDiv(p, unit/n, 1, maxDepth), 1, math.MaxInt64)
	})
	table := t.(*GCRAs)
	return func(l Limit, now int64) {
		before, rule := table.rule, newGCRARule(l.withBurst(burstOf(l, v)))
		factor := unit / rule.n
		rule.n, rule.p, rule.reach, rule.longest = unit, rule.p*factor, rule.reach*factor, math.MaxInt64/unit
		table.rule = rule
		if before.n != rule.n {
			return // this is the first limit: no key has a state yet
		}
		for i := range table.state {
			s := &table.state[i]
			*s = before.at(*s, now)
			s.ahead = min(s.ahead, rule.reach)
		}
	}, err
}

func changingLeakyBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	optionsOf := func(l Limit) LeakyBucketOptions {
		o, _ := LeakyBucketOptionsOf(l, v) // only the burst depends on the limit
		return o
	}
	unit, err := perToken(limits, func(l Limit) int64 { return optionsOf(l).Burst + 1 })
	table := t.(*LeakyBuckets)
	return func(l Limit, now int64) {
		before, rule := table.rule, newLeakyRule(l, optionsOf(l))
		factor := unit / rule.p
		rule.n, rule.p, rule.capacity, rule.free = rule.n*factor, unit, rule.capacity*factor, rule.free*factor
		rule.longest = math.MaxInt64 / rule.n
		table.rule = rule
		for i := range table.state {
			s := &table.state[i]
			*s = before.at(*s, now)
			s.backlog = integers.MulDiv(s.backlog, rule.p, before.p, maxDepth)
		}
	}, err
}

func changingTimerBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	table := t.(*TimerBuckets)
	for _, l := range limits {
		if TimerBucketOptionsOf(l, v).FillInterval == 0 && l.Window != limits[0].Window {
			return nil, errors.New("its fill interval is the limit's period, which cannot change")
		}
	}
	return func(l Limit, now int64) {
		before, rule := table.rule, newTimerRule(l, TimerBucketOptionsOf(l, v))
		table.rule = rule
		for i := range table.state {
			s := &table.state[i]
			*s = before.at(*s, now)
			s.missing = max(s.missing+rule.burst-before.burst, 0)
		}
	}, nil
}

// changingWindows changes the limit of a counter that compares counts with it.
func changingWindows(t any, limits []Limit, _ catalog.Values) (setLimit, error) {
	var rule *windowRule
	switch t := t.(type) {
	case *FixedWindows:
		rule = &t.rule
	case *SlidingCounters:
		rule = &t.rule
	case *SlidingLogs:
		rule = &t.rule
	}
	for _, l := range limits {
		if l.Window != rule.width {
			return nil, errors.New("its window cannot change")
		}
	}
	return func(l Limit, _ int64) { rule.limit = l.Count }, nil
}

func changingSampledAverages(t any, _ []Limit, v catalog.Values) (setLimit, error) {
	table := t.(*SampledAverages)
	return func(l Limit, _ int64) { table.rule = newAverageRule(l, sampledAverageOptionsOf(l, v)) }, nil
}
