package counter

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var slidingLogKind = kind{
	entry: catalog.Entry{
		Name:    "sliding-window-log",
		Summary: "remembers every admitted request of the last window: exact, and needs memory for it",
		Idea: "Every key keeps a log of the instants and costs it admitted. A request at t is admitted when the cost logged in (t-w, t] " +
			"plus its own stays within the limit. Requests of one instant share an entry; the log never holds more than `limit` entries.",
		Bound:  "admitted cost never exceeds the limit in any span (t-w, t], wherever it lies",
		Source: "the definition of a limit per sliding window; Figma, An alternative approach to rate limiting, 2017 (sliding window log)",
		Fields: []catalog.Field{countRejectedField},
	},
	table: func(limit Limit, v catalog.Values, keys int) (Table, error) {
		if err := limit.checkWindow(); err != nil {
			return nil, err
		}
		return NewSlidingLogs(limit, WindowOptionsOf(v), keys), nil
	},
	changing: changingSlidingLogs,
}

// logEntry is the cost logged at one instant.
type logEntry struct{ at, cost int64 }

// logState is one key's log: a ring whose length is a power of two, oldest
// entry at head, with the sum of all costs in it.
type logState struct {
	ring []logEntry
	head int
	size int
	sum  int64
	last int64
}

func (s *logState) entry(i int) *logEntry { return &s.ring[(s.head+i)&(len(s.ring)-1)] }

func (s *logState) dropOldest() {
	s.sum -= s.entry(0).cost
	s.head = (s.head + 1) & (len(s.ring) - 1)
	s.size--
}

// evict forgets what happened at or before the instant given.
func (s *logState) evict(upTo int64) {
	for s.size > 0 && s.entry(0).at <= upTo {
		s.dropOldest()
	}
}

// add logs cost at the latest instant.
func (s *logState) add(at, cost int64) {
	s.sum += cost
	if s.size > 0 {
		if newest := s.entry(s.size - 1); newest.at == at {
			newest.cost += cost
			return
		}
	}
	if s.size == len(s.ring) {
		s.grow()
	}
	s.size++
	*s.entry(s.size - 1) = logEntry{at, cost}
}

func (s *logState) grow() {
	ring := make([]logEntry, max(2*len(s.ring), 4))
	n := copy(ring, s.ring[s.head:])
	copy(ring[n:], s.ring[:s.head])
	s.ring, s.head = ring, 0
}

func (r *windowRule) logTake(s *logState, now, cost int64) Verdict {
	now = max(now, s.last)
	s.last = now
	s.evict(now - r.width)
	if cost <= 0 {
		return Admitted
	}
	if cost <= r.limit-s.sum {
		s.add(now, cost)
		return Admitted
	}
	if r.countRejected {
		// More than limit in one entry refuses no more than limit does, and
		// entries older than the newest that add up to limit refuse nothing
		// those do not.
		s.add(now, min(cost, r.limit))
		for s.sum-s.entry(0).cost >= r.limit {
			s.dropOldest()
		}
		if newest := s.entry(s.size - 1); newest.cost > r.limit {
			s.sum -= newest.cost - r.limit
			newest.cost = r.limit
		}
	}
	return Rejected
}

// inView is how many of the oldest entries have left the window by now, and
// the cost of the others.
func (r *windowRule) inView(s *logState, now int64) (gone int, sum int64) {
	sum = s.sum
	for gone < s.size && s.entry(gone).at <= now-r.width {
		sum -= s.entry(gone).cost
		gone++
	}
	return gone, sum
}

func (r *windowRule) logLevel(s *logState, now int64) int64 {
	_, sum := r.inView(s, max(now, s.last))
	return max(r.limit-sum, 0)
}

func (r *windowRule) logRetryAt(s *logState, now, cost int64) int64 {
	switch {
	case cost <= 0:
		return now
	case cost > r.limit:
		return Never
	}
	at := now
	for i, sum := r.inView(s, max(now, s.last)); cost > r.limit-sum; i++ {
		sum -= s.entry(i).cost
		at = integers.Add(s.entry(i).at, r.width)
	}
	return at
}

func (r *windowRule) logState(s *logState) []StateField {
	fields := []StateField{
		{"entries", int64(s.size)}, {"logged_cost", s.sum}, {"window_ns", r.width},
		{"limit", r.limit}, {"last_ns", s.last},
	}
	if s.size > 0 {
		fields = append(fields, StateField{"oldest_ns", s.entry(0).at}, StateField{"newest_ns", s.entry(s.size - 1).at})
	}
	return fields
}

// SlidingLog is one exact log. A request at now is admitted when the cost
// logged in (now-w, now] plus its own is at most the limit; cost 0 always is.
// It allocates while the log grows towards its largest size, and not after.
type SlidingLog struct {
	rule  windowRule
	state logState
}

// NewSlidingLog panics unless Count and Window are within Limit.Check's bounds.
func NewSlidingLog(limit Limit, o WindowOptions) *SlidingLog {
	return &SlidingLog{rule: newWindowRule(limit, o)}
}

// Take decides one request.
func (l *SlidingLog) Take(now, cost int64) Verdict { return l.rule.logTake(&l.state, now, cost) }

// Level is the largest cost that would be admitted at now.
func (l *SlidingLog) Level(now int64) int64 { return l.rule.logLevel(&l.state, now) }

// RetryAt is the earliest instant from now on at which a request of this cost
// would be admitted, or Never.
func (l *SlidingLog) RetryAt(now, cost int64) int64 { return l.rule.logRetryAt(&l.state, now, cost) }

// SlidingLogs is a table of logs.
type SlidingLogs struct {
	rule  windowRule
	state []logState
}

var _ Table = (*SlidingLogs)(nil)

// NewSlidingLogs panics unless Count and Window are within Limit.Check's bounds.
func NewSlidingLogs(limit Limit, o WindowOptions, keys int) *SlidingLogs {
	return &SlidingLogs{rule: newWindowRule(limit, o), state: make([]logState, keys)}
}

func (t *SlidingLogs) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	for i := range verdicts {
		verdicts[i] = t.rule.logTake(&t.state[keys[i]], times[i], costs[i])
	}
}

func (t *SlidingLogs) Take(key int32, now, cost int64) Verdict {
	return t.rule.logTake(&t.state[key], now, cost)
}
func (t *SlidingLogs) Level(key int32, now int64) int64 { return t.rule.logLevel(&t.state[key], now) }
func (t *SlidingLogs) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.logRetryAt(&t.state[key], now, cost)
}
func (t *SlidingLogs) State(key int32) []StateField { return t.rule.logState(&t.state[key]) }
