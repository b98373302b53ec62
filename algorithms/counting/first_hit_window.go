package counting

import (
	"cmp"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var firstHitWindowKind = kind{
	loose: true,
	entry: catalog.Entry{
		Name:    "first-hit-window",
		Summary: "a window that opens at a key's first request and lasts for the limit's period: INCR, and EXPIRE on the first hit",
		Idea: "A request increments the key's count. If the count did not exist, this is the first hit: it opens a window that expires after the limit's period. " +
			"A request is admitted if the count, with its own cost, does not exceed the limit. The next request after the expiry opens the next window. " +
			"Two options are the classic mistakes: EXPIRE on each hit, and an EXPIRE that is lost because its caller crashes after INCR.",
		Bound: "at most L in each window, which is as long as the period w. With unit costs at most 2L-1 in a span of w or less (one request opens a window, the others come at its end, and the " +
			"next window follows), and 2L in a span just longer than w. With expire: each-hit, L in total for as long as hits are less than w apart. With expire_lost_at: N, at most N*L for ever",
		Source: "Redis documentation, INCR, \"Pattern: Rate limiter 2\", which also describes the lost EXPIRE; alisaifee/limits#14, marcosbarbero/spring-cloud-zuul-ratelimit#162 (lost EXPIRE); apache/shenyu#6649, opencollective/opencollective#6949 (EXPIRE on each hit)",
		Fields: []catalog.Field{
			{Name: "expire", Kind: catalog.Enum, Enum: []string{"first-hit", "each-hit"}, Default: "first-hit",
				Doc: "which hits set the expiry to a period from now: the first one, or each, so that a window ends only after a period without a hit"},
			{Name: "expire_lost_at", Met: true, Kind: catalog.Int, Unit: "windows", Default: "0", Min: "0", Max: "1000000000",
				Doc: "the number of the window of each key, from 1, whose EXPIRE is lost: it never ends; 0 loses none"},
			{Name: "count_rejected", Kind: catalog.Bool, Default: "true",
				Doc: "also count the cost of rejected requests, because INCR comes before the comparison; if false, a rejected request is no hit"},
			blockField,
		},
		State: []catalog.Member{
			{Name: "expires_ns", Unit: "ns", Doc: "when the latest window expires; 2^63-1 if it never does"},
			windowMember, countMember, limitMember,
			{Name: "windows_opened", Unit: "windows", Doc: "windows that the key has opened"},
		},
	},
	keyBytes: 24,
	make:     makerOf(optionsOf[FirstHitOptions], NewFirstHitWindows),
	changing: changingWindows,
	worst:    worstFirstHitWindow,
}

// FirstHitOptions are the options of a window that opens at the first hit. With
// the zero value the first hit sets the expiry, none is lost, and rejected requests
// are no hits.
type FirstHitOptions struct {
	EachHit       bool  `option:"expire=each-hit"` // each hit sets the expiry
	LostAt        int64 `option:"expire_lost_at"`  // number of the window, from 1, that never expires; 0: none
	CountRejected bool  `option:"count_rejected"`  // a rejected request is a hit, too
}

// Check returns an error if limit.Count or limit.Window is outside 1 to 2^60, or
// LostAt is negative.
func (o FirstHitOptions) Check(limit Limit) error {
	negative := catalog.ErrorIf(o.LostAt < 0, "the number of the window that never expires is negative")
	return cmp.Or(negative, limit.withBurst(0).Check())
}

// firstHitState is one key's window. The zero state has expired.
type firstHitState struct {
	until  int64 // when it expires
	count  int64
	opened int64 // windows opened so far
}

type firstHitRule struct {
	FirstHitOptions
	limit, width int64
}

func newFirstHitRule(limit Limit, o FirstHitOptions) firstHitRule {
	must(o.Check(limit))
	return firstHitRule{o, limit.Count, limit.Window}
}

// counted returns the cost counted in the window that is open at now.
func (r *firstHitRule) counted(s *firstHitState, now int64) int64 {
	if now >= s.until {
		return 0
	}
	return s.count
}

// hit increments the count at now. It opens a window if none is open.
func (r *firstHitRule) hit(s *firstHitState, now, cost int64) {
	r.write(s, now, integers.Add(r.counted(s, now), cost))
}

// write sets the count at now. It opens a window if none is open.
func (r *firstHitRule) write(s *firstHitState, now, count int64) {
	opens := now >= s.until
	s.count = count
	if opens {
		s.opened++
		s.until = integers.Add(now, r.width)
		if s.opened == r.LostAt {
			s.until = math.MaxInt64
		}
	} else if r.EachHit {
		s.until = max(s.until, integers.Add(now, r.width))
	}
}

func (r *firstHitRule) take(s *firstHitState, now, cost int64) Verdict {
	if cost <= 0 {
		return Admitted
	}
	if cost <= r.limit-r.counted(s, now) {
		r.hit(s, now, cost)
		return Admitted
	}
	if r.CountRejected {
		r.hit(s, now, cost)
	}
	return Rejected
}

func (r *firstHitRule) level(s *firstHitState, now int64) int64 {
	return max(r.limit-r.counted(s, now), 0)
}

func (r *firstHitRule) largest() int64 { return r.limit }

func (r *firstHitRule) retryAt(s *firstHitState, now, cost int64) int64 {
	if cost <= r.limit-r.counted(s, now) {
		return now
	}
	return s.until
}

func (r *firstHitRule) fields(s *firstHitState) []StateField {
	return []StateField{{"expires_ns", s.until}, {"window_ns", r.width}, {"count", s.count}, {"limit", r.limit}, {"windows_opened", s.opened}}
}

// FirstHitWindows is a table of windows that open at a key's first hit. It takes 24
// bytes per key.
//
// A window that opens at t holds for the requests before t + Window. It admits a
// request if count + cost <= limit, and always admits cost 0, which is no hit. A
// time before the opening of the latest window belongs to that window.
type FirstHitWindows struct {
	correctable[firstHitState, firstHitRule, *firstHitRule]
}

var _ Table = (*FirstHitWindows)(nil)

// NewFirstHitWindows returns a table without open windows for keys 0 to keys-1. It
// panics if o.Check(limit) fails.
func NewFirstHitWindows(limit Limit, o FirstHitOptions, keys int) *FirstHitWindows {
	return &FirstHitWindows{newCorrectable[firstHitState](newFirstHitRule(limit, o), keys)}
}

// TakeBlock calls take only for the requests that open a window, and with EachHit.
// It has no branch on the verdict, which is unpredictable under overload.
func (t *FirstHitWindows) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].until })
	}
	state, limit, each := t.state, t.rule.limit, t.rule.EachHit
	recount := int64(0)
	if t.rule.CountRejected {
		recount = -1
	}
	for i, key := range keys {
		s := &state[key]
		now, cost := times[i], costs[i]
		if now >= s.until || uint64(cost-1) >= uint64(limit) || each {
			verdicts[i] = t.rule.take(s, now, cost)
			continue
		}
		count := s.count
		charge, verdict := cost&recount, Rejected
		if cost <= limit-count {
			charge, verdict = cost, Admitted
		}
		s.count = integers.Add(count, charge)
		verdicts[i] = verdict
	}
}

// Take decides one request.
func (t *FirstHitWindows) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}

// Count returns the cost counted in the key's window that is open at now.
func (t *FirstHitWindows) Count(key int32, now int64) int64 {
	return t.rule.counted(&t.state[key], now)
}

// Add counts cost at now, even if that exceeds the limit: INCRBY, with the EXPIRE
// that the options say.
func (t *FirstHitWindows) Add(key int32, now, cost int64) {
	t.rule.hit(&t.state[key], now, max(cost, 0))
}

// Set replaces the count at now: SET with KEEPTTL, and with the EXPIRE that the
// options say.
func (t *FirstHitWindows) Set(key int32, now, count int64) {
	t.rule.write(&t.state[key], now, max(count, 0))
}

// Copy sets the window of a key to that of a key in another table with the same
// limit and options.
func (t *FirstHitWindows) Copy(key int32, from *FirstHitWindows, fromKey int32) {
	t.state[key] = from.state[fromKey]
}

// Relimit changes the limit of all windows. Their length, their counts and their
// expiries stay.
func (t *FirstHitWindows) Relimit(limit Limit) { t.rule.limit = limit.Count }
