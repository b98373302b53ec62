package counting

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var haproxyRateKind = kind{
	entry: catalog.Entry{
		Name:    "haproxy-rate",
		Summary: "HAProxy's http_req_rate: counts every request, also refused ones, in periods that begin at a key's own requests, and adds a share of the previous period",
		Idea: "Each key counts the cost of the current period and of the previous one. A period begins at a request, at an even ms. " +
			"Each request first counts, and then is admitted if current + previous * (the share of the previous period that is still in view), rounded down, does not exceed the limit. " +
			"The first request after a period begins the next one where the last one ended, or at its own time if a whole period without a request lies between. " +
			"Refused requests count, so a key that goes on asking above its limit stays refused.",
		Bound: "at most the limit in each period of a key, and about the limit in any span of that length, because the previous period fades as in a sliding window counter; " +
			"a key that asks evenly above its limit is admitted next to nothing after the first period. With `forget_after` below two periods, the limit again after each such pause",
		Source: "HAProxy 2.6, src/freq_ctr.c and include/haproxy/freq_ctr.h, `http-request track-sc0` with `deny if { sc_http_req_rate(0) gt N }`",
		Fields: []catalog.Field{
			{Name: "forget_after", Kind: catalog.Duration, Min: "1ms", Max: "24d",
				Doc: "drop a key so long after its last request, rounded up to whole ms: `expire` of the stick table (by default no key is dropped, which from two periods on makes no difference)"},
		},
		State: []catalog.Member{
			{Name: "period_start_ns", Unit: "ns", Doc: "start of the period of the latest `take`"},
			windowMember,
			{Name: "previous", Unit: "cost", Doc: "cost counted in the previous period"},
			{Name: "current", Unit: "cost", Doc: "cost counted in the current period"},
			limitMember, lastMember,
		},
	},
	keyBytes: 32,
	make:     makerOf(optionsOf[HAProxyRateOptions], NewHAProxyRates),
	changing: changingWindows,
}

// HAProxyRateOptions are the options of a rate as HAProxy counts it. The zero value
// forgets no key.
type HAProxyRateOptions struct {
	ForgetAfter int64 `option:"forget_after"` // ns after the last request, rounded up to whole ms; 0: never
}

// longestPeriod is the longest period of HAProxy, in ns.
const longestPeriod = (1<<31 - 1) * milli

const milli = int64(1e6)

// Check returns an error if the limit's window is not a period of HAProxy, or ForgetAfter
// is negative.
func (o HAProxyRateOptions) Check(limit Limit) error {
	return cmp.Or(
		catalog.ErrorIf(o.ForgetAfter < 0, "the time after which a key is forgotten is negative"),
		catalog.ErrorIf(limit.Window%milli != 0 || limit.Window > longestPeriod,
			"periods of HAProxy are whole ms up to 2^31-1"),
		limit.withBurst(0).Check(),
	)
}

// haproxyState is one key's counts. A key without counts is new.
type haproxyState struct {
	tick              int64 // start of the period, in ms
	current, previous int64
	last              int64 // latest request, in ns
}

type haproxyRule struct {
	limit, period, forget int64 // period and forget in ms; 0 forgets nothing
}

// at returns the state at now, without a request. An earlier now counts as the latest time
// seen.
func (r *haproxyRule) at(s haproxyState, now int64) haproxyState {
	if r.forgets(&s) <= now {
		s.current, s.previous = 0, 0
	}
	s.last = max(now, s.last)
	t := s.last / milli
	if t-s.tick >= r.period {
		s.previous, s.current, s.tick = s.current, 0, s.tick+r.period
		if t-s.tick >= r.period {
			s.previous, s.tick = 0, t
		}
	}
	if s.current|s.previous == 0 {
		s.tick = t
	}
	s.tick &^= 1
	return s
}

// forgets returns when the key is dropped, or Never.
func (r *haproxyRule) forgets(s *haproxyState) int64 {
	if r.forget == 0 || s.current|s.previous == 0 {
		return Never
	}
	return integers.Mul(s.last/milli+r.forget, milli, Never)
}

// rate returns the rate of a state that at returned.
func (r *haproxyRule) rate(s *haproxyState) int64 {
	rest := s.tick + r.period - s.last/milli
	return integers.Add(s.current, integers.MulDiv(s.previous, rest, r.period, Never))
}

func (r *haproxyRule) take(s *haproxyState, now, cost int64) Verdict {
	if cost <= 0 {
		return Admitted
	}
	*s = r.at(*s, now)
	s.current = integers.Add(s.current, cost)
	return MakeVerdict(r.rate(s) <= r.limit, ByLimiter)
}

func (r *haproxyRule) level(state *haproxyState, now int64) int64 {
	s := r.at(*state, now)
	return max(r.limit-r.rate(&s), 0)
}

func (r *haproxyRule) largest() int64 { return r.limit }

func (r *haproxyRule) retryAt(state *haproxyState, now, cost int64) int64 {
	s := r.at(*state, now)
	free := r.limit - cost
	if r.rate(&s) <= free {
		return now
	}
	at := int64(0) // ms
	if s.current <= free {
		at = r.fallsTo(s.tick, s.previous, free-s.current)
	} else {
		next := s.tick + r.period
		at = max(next, r.fallsTo(next&^1, s.current, free))
	}
	return min(integers.Mul(at, milli, Never), r.forgets(state))
}

// fallsTo returns the first ms of a period from which on the share of the previous one,
// rounded down, is at most free.
func (r *haproxyRule) fallsTo(tick, previous, free int64) int64 {
	if previous <= free {
		return tick
	}
	return tick + r.period - (integers.MulDivUp(integers.Add(free, 1), r.period, previous, r.period+1) - 1)
}

func (r *haproxyRule) correct(s *haproxyState, now, taken, tokens int64, debt bool) {
	*s = r.at(*s, now)
	switch t := taken / milli; {
	case tokens >= 0:
		s.current = integers.Add(s.current, cut(tokens, r.limit-r.rate(s), debt))
	case t >= s.tick:
		s.current = max(s.current+tokens, 0)
	case t >= s.tick-r.period:
		s.previous = max(s.previous+tokens, 0)
	}
}

// countsUntil returns the latest end of the period after the one of taken.
func (r *haproxyRule) countsUntil(taken int64) int64 {
	return integers.Add(taken, 2*r.period*milli)
}

func (r *haproxyRule) fields(s *haproxyState) []StateField {
	return []StateField{
		{"period_start_ns", s.tick * milli}, {"window_ns", r.period * milli},
		{"previous", s.previous}, {"current", s.current}, {"limit", r.limit}, {"last_ns", s.last},
	}
}

// HAProxyRates is a table of rates as HAProxy counts them. It takes 32 bytes per key. A
// cost stands for that many requests in one ms; cost 0 is always admitted, and no request.
type HAProxyRates struct {
	correctable[haproxyState, haproxyRule, *haproxyRule]
}

var _ Table = (*HAProxyRates)(nil)

// NewHAProxyRates returns a table of new keys 0 to keys-1. It panics if o.Check(limit)
// fails.
func NewHAProxyRates(limit Limit, o HAProxyRateOptions, keys int) *HAProxyRates {
	must(o.Check(limit))
	return &HAProxyRates{newCorrectable[haproxyState](haproxyRule{limit.Count, limit.Window / milli, integers.CeilDiv(o.ForgetAfter, milli)}, keys)}
}

// TakeBlock decides the requests in order.
func (t *HAProxyRates) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].last })
	}
	for i, key := range keys {
		verdicts[i] = t.rule.take(&t.state[key], times[i], costs[i])
	}
}

// Take decides one request.
func (t *HAProxyRates) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}

// Rate returns what HAProxy reads as the rate of the key at now. Of at most one request in
// the previous period, and none since, it fades nothing.
func (t *HAProxyRates) Rate(key int32, now int64) int64 {
	s, r := t.state[key], &t.rule
	if r.forgets(&s) <= now {
		return 0
	}
	rest := s.tick + r.period - max(now, s.last)/milli
	if rest < 0 {
		rest += r.period
		if s.previous, s.current = s.current, 0; rest < 0 {
			s.previous = 0
		}
	}
	if s.current == 0 && s.previous <= 1 {
		return s.previous
	}
	return integers.Add(s.current, integers.MulDiv(s.previous, rest, r.period, Never))
}

// Relimit compares the counts with another limit of the same period.
func (t *HAProxyRates) Relimit(limit Limit) { t.rule.limit = limit.Count }
