package counting

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var timerBucketKind = kind{
	calendar: true,
	entry: catalog.Entry{
		Name:    "timer-bucket",
		With:    []string{"with a burst"},
		Summary: "a bucket that a timer fills: whole tokens, all at once, every fill interval",
		Idea: "Each key has a bucket of `burst` tokens that starts full. A timer adds `tokens_per_fill` tokens at every multiple of `fill_interval`; " +
			"tokens that do not fit are lost. Between two fills the bucket earns nothing. A request is admitted if the bucket holds its cost, and takes it.",
		Bound: "admitted cost between two fills is at most burst; in any span that contains m fills it is at most burst + m*min(burst, tokens_per_fill), " +
			"so a span of one fill interval can admit burst + min(burst, tokens_per_fill). A burst below tokens_per_fill limits every fill to the burst",
		Source: "Envoy, envoy.type.v3.TokenBucket and source/extensions/filters/common/local_ratelimit (max_tokens, tokens_per_fill, fill_interval), " +
			"with the fill timer it had until pull request 35207 (2024)",
		Fields: []catalog.Field{
			burstField,
			{Name: "fill_interval", Kind: catalog.Duration, Min: "1us", Doc: "time between two fills (default: the limit's period)"},
			{Name: "tokens_per_fill", Kind: catalog.Int, Unit: "tokens", Min: "1",
				Doc: "tokens that a fill adds, the same for each client of a shared limit (default: what the limit earns in a fill interval, rounded up)"},
		},
		State: []catalog.Member{
			{Name: "tokens", Unit: "tokens", Doc: "tokens in the bucket after the last fill and the requests since"},
			{Name: "max_tokens", Unit: "tokens", Doc: "depth of the bucket"},
			{Name: "tokens_per_fill", Unit: "tokens", Doc: "tokens that a fill adds"},
			{Name: "fill_interval_ns", Unit: "ns", Doc: "time between two fills"},
			{Name: "last_fill_ns", Unit: "ns", Doc: "time of the last fill"},
		},
	},
	keyBytes: 16,
	make:     makerOf(TimerBucketOptionsOf, NewTimerBuckets),
	changing: changingTimerBuckets,
	worst:    worstTimerBucket,
}

// TimerBucketOptions are the options of a timer bucket.
type TimerBucketOptions struct {
	Burst        int64 // depth in requests, at least 1; Limit.Burst is not used
	FillInterval int64 // ns; 0 means the limit's window
	PerFill      int64 // tokens; 0 means what the limit earns in a fill interval, rounded up
}

// TimerBucketOptionsOf reads the options from bound fields.
func TimerBucketOptionsOf(limit Limit, v catalog.Values) TimerBucketOptions {
	return TimerBucketOptions{Burst: burstOf(limit, v), FillInterval: v.Duration("fill_interval"), PerFill: v.Int("tokens_per_fill")}
}

// Check returns an error if a bucket cannot be made of these options.
func (o TimerBucketOptions) Check(limit Limit) error {
	return cmp.Or(
		limit.withBurst(0).Check(),
		catalog.ErrorIf(o.Burst < 1 || o.Burst > maxDepth, "burst of %d requests is outside 1 to 2^62", o.Burst),
		catalog.ErrorIf(o.FillInterval < 0 || o.FillInterval > maxSpan,
			"fill interval of %d ns is outside 1 to 2^60", o.FillInterval),
		catalog.ErrorIf(o.PerFill < 0 || o.PerFill > maxSpan, "%d tokens per fill are outside 1 to 2^60", o.PerFill),
	)
}

// timerState is one key's bucket after the fill of that number, which happens at
// fill*interval: the tokens missing from a full bucket.
type timerState struct {
	missing int64
	fill    int64
}

type timerRule struct {
	burst, interval, perFill int64
}

func newTimerRule(limit Limit, o TimerBucketOptions) timerRule {
	must(o.Check(limit))
	interval := cmp.Or(o.FillInterval, limit.Window)
	perFill := cmp.Or(o.PerFill, integers.MulDivUp(limit.Count, interval, limit.Window, maxDepth))
	return timerRule{o.Burst, interval, perFill}
}

// at returns the bucket after the fills up to now. An earlier now counts as the
// latest time seen.
func (r *timerRule) at(s timerState, now int64) timerState {
	fill := now / r.interval
	if fills := fill - s.fill; fills > 0 {
		if fills > s.missing/r.perFill {
			s.missing = 0
		} else {
			s.missing -= fills * r.perFill
		}
		s.fill = fill
	}
	return s
}

func (r *timerRule) take(s *timerState, now, cost int64) Verdict {
	*s = r.at(*s, now)
	if cost <= 0 {
		return Admitted
	}
	if cost > r.burst-s.missing {
		return Rejected
	}
	s.missing += cost
	return Admitted
}

func (r *timerRule) level(s *timerState, now int64) int64 { return r.burst - r.at(*s, now).missing }

func (r *timerRule) largest() int64 { return r.burst }

func (r *timerRule) retryAt(s *timerState, now, cost int64) int64 {
	then := r.at(*s, now)
	short := cost - (r.burst - then.missing)
	if short <= 0 {
		return now
	}
	return integers.Mul(then.fill+integers.CeilDiv(short, r.perFill), r.interval, Never)
}

func (r *timerRule) fields(s *timerState) []StateField {
	return []StateField{
		{"tokens", r.burst - s.missing}, {"max_tokens", r.burst}, {"tokens_per_fill", r.perFill},
		{"fill_interval_ns", r.interval}, {"last_fill_ns", s.fill * r.interval},
	}
}

// TimerBuckets is a table of buckets filled by a timer. It takes 16 bytes per
// key.
//
// Times are nanoseconds, 0 or later. Fill k happens at k*interval, for all keys
// together; a request with the timestamp of a fill comes after it. Cost 0 is
// always admitted, a cost above the burst never.
type TimerBuckets struct {
	correctable[timerState, timerRule, *timerRule]
}

var _ Table = (*TimerBuckets)(nil)

// NewTimerBuckets returns full buckets for keys 0 to keys-1. It panics if
// o.Check(limit) fails.
func NewTimerBuckets(limit Limit, o TimerBucketOptions, keys int) *TimerBuckets {
	return &TimerBuckets{newCorrectable[timerState](newTimerRule(limit, o), keys)}
}

// TakeBlock computes the number of the latest fill only when the time leaves its
// interval.
func (t *TimerBuckets) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].fill })
	}
	state, rule := t.state, t.rule
	fill, start := int64(0), int64(0)
	for i, key := range keys {
		s := &state[key]
		now, cost := times[i], costs[i]
		if uint64(now-start) >= uint64(rule.interval) {
			fill = now / rule.interval
			start = fill * rule.interval
		}
		if s.fill < fill {
			*s = rule.at(*s, now)
		}
		charge, verdict := int64(0), irregularCost(cost)
		if cost > 0 && cost <= rule.burst-s.missing {
			charge, verdict = cost, Admitted
		}
		s.missing += charge
		verdicts[i] = verdict
	}
}

// Take decides one request.
func (t *TimerBuckets) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
