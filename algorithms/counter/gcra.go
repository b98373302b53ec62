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
		Summary: "generic cell rate algorithm: one time stamp per key decides like a token bucket",
		Idea: "Every key keeps its theoretical arrival time (TAT): when it would have used up all that it was admitted, at the limit's rate. " +
			"A request of cost c moves the TAT by c intervals from the later of TAT and now, and is admitted when the TAT then lies " +
			"at most `burst` intervals ahead of now. It admits exactly what a token bucket of the same rate and burst, full at the start, admits.",
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

// gcraState is one key's theoretical arrival time, kept as how far it lies
// ahead of the latest instant seen, in units of 1/n ns: TAT = last + ahead/n,
// exactly. A TAT that has passed is worth no more than now: ahead is 0.
type gcraState struct {
	ahead int64
	last  int64
}

// gcraRule is what the keys of one table share. One interval (T in I.371) is
// p/n ns, which is p units.
type gcraRule struct {
	n, p    int64
	reach   int64 // burst intervals, in units: T + tau in I.371
	burst   int64 // the largest cost ever admitted
	longest int64 // elapsed ns after which any TAT has passed
}

func newGCRARule(limit Limit) gcraRule {
	must(checkGCRA(limit))
	n, p := limit.Rate()
	return gcraRule{n: n, p: p, reach: limit.Burst * p, burst: limit.Burst, longest: math.MaxInt64 / n}
}

// at is the state as of now: the TAT stays where it is, now comes closer to it.
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

// GCRA is one theoretical arrival time. A request of cost c at now is admitted
// when max(TAT, now) + c*T <= now + burst*T, where T is the limit's interval
// between requests, and then that sum is the new TAT. Cost 0 is always
// admitted, a cost above the burst never. Instants are nanoseconds from 0 on.
type GCRA struct {
	rule  gcraRule
	state gcraState
}

// NewGCRA panics if limit.Check fails or the burst is 0.
func NewGCRA(limit Limit) *GCRA { return &GCRA{rule: newGCRARule(limit)} }

// Take decides one request.
func (g *GCRA) Take(now, cost int64) Verdict { return g.rule.take(&g.state, now, cost) }

// Level is the largest cost that would be admitted at now.
func (g *GCRA) Level(now int64) int64 { return g.rule.level(g.state, now) }

// RetryAt is the earliest instant from now on at which a request of this cost
// would be admitted, or Never.
func (g *GCRA) RetryAt(now, cost int64) int64 { return g.rule.retryAt(g.state, now, cost) }

// GCRAs is a table of theoretical arrival times, 16 bytes a key.
type GCRAs struct {
	rule    gcraRule
	state   []gcraState
	touched int64
}

var _ Table = (*GCRAs)(nil)

// NewGCRAs panics if limit.Check fails or the burst is 0.
func NewGCRAs(limit Limit, keys int) *GCRAs {
	return &GCRAs{rule: newGCRARule(limit), state: make([]gcraState, keys)}
}

// TakeBlock is take in a loop, without a branch on the verdict.
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

func (t *GCRAs) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
func (t *GCRAs) Level(key int32, now int64) int64 { return t.rule.level(t.state[key], now) }
func (t *GCRAs) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.retryAt(t.state[key], now, cost)
}
func (t *GCRAs) State(key int32) []StateField { return t.rule.state(t.state[key]) }
