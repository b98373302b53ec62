package counter

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var gcraKind = kind{
	entry: catalog.Entry{
		Name:    "gcra",
		Summary: "generic cell rate algorithm: makes the decisions of a token bucket from one timestamp per key",
		Idea: "Each key has a theoretical arrival time (TAT): the time at which everything admitted so far would be paid for at the limit's rate. " +
			"A request of cost c moves the TAT by c intervals, starting from the later of TAT and now. It is admitted if the new TAT is " +
			"at most `burst` intervals after now. The decisions are those of a token bucket with the same rate and burst that starts full.",
		Bound:  "admitted cost in any span of t seconds is at most burst + rate*t",
		Source: "ITU-T Recommendation I.371 (GCRA, virtual scheduling algorithm); ATM Forum, Traffic Management Specification 4.1",
		Fields: []catalog.Field{burstField},
	},
	table: func(limit Limit, v catalog.Values, keys int) (Table, error) {
		limit = limit.withBurst(burstOf(limit, v))
		if err := checkGCRA(limit); err != nil {
			return nil, err
		}
		return NewGCRAs(limit, keys), nil
	},
	changing: changingGCRAs,
	rational: true,
	largest:  func(limit Limit, v catalog.Values) (int64, bool) { return burstOf(limit, v), true },
}

func checkGCRA(limit Limit) error {
	if err := limit.Check(); err != nil {
		return err
	}
	if limit.Burst == 0 {
		return fmt.Errorf("a burst of 0 admits nothing")
	}
	return nil
}

// gcraState is one key's theoretical arrival time, stored as its distance from
// the latest time seen, in units of 1/n ns: TAT = last + ahead/n, exactly. A TAT
// in the past is stored as ahead = 0.
type gcraState struct {
	ahead int64
	last  int64
}

// gcraRule holds what the keys of one table share. One interval (T in I.371) is
// p/n ns, that is p units.
type gcraRule struct {
	n, p    int64
	reach   int64 // burst intervals, in units: T + tau in I.371
	burst   int64 // the largest cost that can be admitted
	longest int64 // elapsed ns after which any TAT is in the past
}

func newGCRARule(limit Limit) gcraRule {
	must(checkGCRA(limit))
	n, p := limit.Rate()
	return gcraRule{n: n, p: p, reach: limit.Burst * p, burst: limit.Burst, longest: math.MaxInt64 / n}
}

// at returns the state at now. The TAT itself does not move.
func (r *gcraRule) at(s gcraState, now int64) gcraState {
	elapsed := now - s.last
	if uint64(elapsed) > uint64(r.longest) {
		now, elapsed = irregular(s.last, now, r.longest)
	}
	return gcraState{ahead: max(s.ahead-elapsed*r.n, 0), last: now}
}

func (r *gcraRule) take(s *gcraState, now, cost int64) Verdict {
	*s = r.at(*s, now)
	if cost <= 0 {
		return Admitted
	}
	if cost > r.burst || s.ahead+cost*r.p > r.reach {
		return Rejected
	}
	s.ahead += cost * r.p
	return Admitted
}

func (r *gcraRule) level(s gcraState, now int64) int64 {
	return (r.reach - r.at(s, now).ahead) / r.p
}

func (r *gcraRule) retryAt(s gcraState, now, cost int64) int64 {
	switch {
	case cost <= 0:
		return now
	case cost > r.burst:
		return Never
	}
	s = r.at(s, now)
	early := s.ahead + cost*r.p - r.reach
	if early <= 0 {
		return now
	}
	return integers.Add(s.last, integers.CeilDiv(early, r.n))
}

func (r *gcraRule) state(s gcraState) []StateField {
	return []StateField{
		{"tat_ns", integers.Add(s.last, s.ahead/r.n)},
		{"tat_fraction", s.ahead % r.n},
		{"fractions_per_ns", r.n},
		{"units_per_token", r.p},
		{"last_ns", s.last},
	}
}

// GCRA limits one key by its theoretical arrival time (TAT). It admits a request
// of cost c at now if max(TAT, now) + c*T <= now + burst*T, where T is the
// limit's interval between requests; that sum is then the new TAT. It always
// admits cost 0 and never admits a cost above the burst. Times are nanoseconds,
// 0 or later. A GCRA is not safe for concurrent use.
type GCRA struct {
	rule  gcraRule
	state gcraState
}

// NewGCRA returns a counter with a full burst. It panics if limit.Check fails or
// limit.Burst is 0.
func NewGCRA(limit Limit) *GCRA { return &GCRA{rule: newGCRARule(limit)} }

// Take decides a request of this cost at now, in ns.
func (g *GCRA) Take(now, cost int64) Verdict { return g.rule.take(&g.state, now, cost) }

// Level returns the largest cost that would be admitted at now.
func (g *GCRA) Level(now int64) int64 { return g.rule.level(g.state, now) }

// RetryAt returns the earliest time, now or later, at which this cost would be
// admitted if nothing else were admitted before, or Never.
func (g *GCRA) RetryAt(now, cost int64) int64 { return g.rule.retryAt(g.state, now, cost) }

// GCRAs is a table of theoretical arrival times. It takes 16 bytes per key.
type GCRAs struct {
	rule    gcraRule
	state   []gcraState
	touched int64
}

var _ Table = (*GCRAs)(nil)

// NewGCRAs returns a table with full bursts for keys 0 to keys-1. It panics if
// limit.Check fails or limit.Burst is 0.
func NewGCRAs(limit Limit, keys int) *GCRAs {
	return &GCRAs{rule: newGCRARule(limit), state: make([]gcraState, keys)}
}

// TakeBlock has no branch on the verdict, which is unpredictable under overload.
func (t *GCRAs) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	state := t.state
	if len(state) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return state[key].last })
	}
	rate, interval, reach := t.rule.n, t.rule.p, t.rule.reach
	longest, burst := uint64(t.rule.longest), uint64(t.rule.burst)
	for i, key := range keys {
		s := &state[key]
		now, cost := times[i], costs[i]
		elapsed := now - s.last
		if uint64(elapsed) <= longest {
			s.last = now
		} else {
			s.last, elapsed = irregular(s.last, now, int64(longest))
		}
		ahead := s.ahead - elapsed*rate
		if uint64(cost-1) >= burst {
			s.ahead = max(ahead, 0)
			verdicts[i] = irregularCost(cost)
			continue
		}
		advance, verdict := int64(0), Rejected
		if ahead <= reach-cost*interval {
			advance = cost * interval
		}
		if advance != 0 {
			verdict = Admitted
		}
		s.ahead = max(ahead, 0) + advance
		verdicts[i] = verdict
	}
}

// Take decides one request.
func (t *GCRAs) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}

// Level returns the largest cost that the key could admit at now.
func (t *GCRAs) Level(key int32, now int64) int64 { return t.rule.level(t.state[key], now) }

// RetryAt returns the earliest time at which this cost would be admitted, or Never.
func (t *GCRAs) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.retryAt(t.state[key], now, cost)
}

// State returns the key's state as named numbers.
func (t *GCRAs) State(key int32) []StateField { return t.rule.state(t.state[key]) }
