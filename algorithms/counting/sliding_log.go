package counting

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var slidingLogKind = kind{
	entry: catalog.Entry{
		Name:    "sliding-window-log",
		Summary: "logs every admitted request of the last window: exact, at the price of memory",
		Idea: "Each key has a log of the times and costs that it admitted. A request at t is admitted if the cost logged in (t-w, t] " +
			"plus its own cost does not exceed the limit. Requests with the same timestamp share an entry; the log never holds more than `limit` entries.",
		Bound:  "admitted cost never exceeds the limit in any span (t-w, t]",
		Source: "the definition of a limit per sliding window; Figma, An alternative approach to rate limiting, 2017 (sliding window log)",
		Fields: []catalog.Field{countRejectedField},
		State: []catalog.Member{
			{Name: "entries", Unit: "entries", Doc: "entries of the log"},
			{Name: "logged_cost", Unit: "cost", Doc: "sum of their costs"},
			windowMember, limitMember, lastMember,
			{Name: "oldest_ns", Unit: "ns", Doc: "time of the first entry; absent if the log is empty"},
			{Name: "newest_ns", Unit: "ns", Doc: "time of the last entry; absent if the log is empty"},
		},
	},
	keyBytes: 56,
	make:     makerOf(optionsOf[WindowOptions], NewSlidingLogs),
	changing: changingWindows,
	worst:    worstSlidingWindow,
}

// logEntry is the cost logged at one timestamp.
type logEntry struct{ at, cost int64 }

// logState is one key's log: a ring whose length is a power of two, with the
// oldest entry at head, and the sum of all costs in it.
type logState struct {
	ring []logEntry
	head int
	size int
	sum  int64
	last int64
}

func (s *logState) entry(i int) *logEntry { return &s.ring[(s.head+i)&(len(s.ring)-1)] }

// oldest returns the time of the oldest entry; 0 if there is none.
func (s *logState) oldest() int64 {
	if s.size == 0 {
		return 0
	}
	return s.entry(0).at
}

func (s *logState) dropOldest() {
	s.sum -= s.entry(0).cost
	s.head = (s.head + 1) & (len(s.ring) - 1)
	s.size--
}

// evict removes the entries at or before upTo.
func (s *logState) evict(upTo int64) {
	for s.size > 0 && s.entry(0).at <= upTo {
		s.dropOldest()
	}
}

// add logs cost at the time at, which must not be before the newest entry.
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

// logRule is a windowRule for a log.
type logRule struct{ windowRule }

func (r *logRule) take(s *logState, now, cost int64) Verdict {
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
	if r.CountRejected {
		// An entry above the limit rejects no more than an entry of the limit
		// does. Entries older than the newest ones that add up to the limit
		// reject nothing that those do not reject.
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

// inView returns how many of the oldest entries have left the window by now, and
// the total cost of the others.
func (r *logRule) inView(s *logState, now int64) (gone int, sum int64) {
	sum = s.sum
	for gone < s.size && s.entry(gone).at <= now-r.width {
		sum -= s.entry(gone).cost
		gone++
	}
	return gone, sum
}

func (r *logRule) level(s *logState, now int64) int64 {
	_, sum := r.inView(s, max(now, s.last))
	return max(r.limit-sum, 0)
}

func (r *logRule) retryAt(s *logState, now, cost int64) int64 {
	at := now
	for i, sum := r.inView(s, max(now, s.last)); cost > r.limit-sum; i++ {
		sum -= s.entry(i).cost
		at = integers.Add(s.entry(i).at, r.width)
	}
	return at
}

func (r *logRule) fields(s *logState) []StateField {
	fields := []StateField{
		{"entries", int64(s.size)}, {"logged_cost", s.sum}, {"window_ns", r.width},
		{"limit", r.limit}, {"last_ns", s.last},
	}
	if s.size > 0 {
		fields = append(fields, StateField{"oldest_ns", s.entry(0).at}, StateField{"newest_ns", s.entry(s.size - 1).at})
	}
	return fields
}

// SlidingLogs is a table of logs. It takes 16 bytes per entry. It admits a request at now
// if the cost logged in (now-w, now] plus its own is at most the limit, and always admits
// cost 0. It allocates memory only while logs grow to their largest size.
type SlidingLogs struct {
	correctable[logState, logRule, *logRule]
}

var _ Table = (*SlidingLogs)(nil)

// NewSlidingLogs returns empty logs for keys 0 to keys-1. It panics if
// o.Check(limit) fails.
func NewSlidingLogs(limit Limit, o WindowOptions, keys int) *SlidingLogs {
	return &SlidingLogs{newCorrectable[logState](logRule{newWindowRule(limit, o)}, keys)}
}

// TakeBlock decides the requests of a block in order.
func (t *SlidingLogs) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].last })
		t.touched += perkey.Touch(keys, func(key int32) int64 { return states[key].oldest() })
	}
	for i := range verdicts {
		verdicts[i] = t.Take(keys[i], times[i], costs[i])
	}
}

// Take decides one request.
func (t *SlidingLogs) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
