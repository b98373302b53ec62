package counting

import (
	"sort"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// This file corrects what requests were charged, once their costs are known. Each
// rule has a method correct: above 0, it takes tokens at now even if the limit does
// not hold them; below 0, it gives back what was taken at the time taken, as far as
// that still counts. Without debt it takes no more than the limit has left. Its
// method countsUntil returns the time from which what is taken at a time does not
// count any more, or Never if it counts until it is paid for.

type corrects[S, R any] interface {
	readable[S, R]
	correct(s *S, now, taken, tokens int64, debt bool)
	countsUntil(taken int64) int64
}

// correctable is a counter for keys 0 to n-1 whose charges can be corrected.
type correctable[S, R any, P corrects[S, R]] struct{ states[S, R, P] }

func newCorrectable[S, R any, P corrects[S, R]](rule R, keys int) correctable[S, R, P] {
	return correctable[S, R, P]{newStates[S, R, P](rule, keys)}
}

// Correct takes tokens from the key, or gives back -tokens; see Table.
func (t *correctable[S, R, P]) Correct(key int32, now, taken, tokens int64, debt bool) {
	P(&t.rule).correct(&t.state[key], now, taken, tokens, debt)
}

// CountsUntil returns until when what is taken at a time counts; see Table.
func (t *correctable[S, R, P]) CountsUntil(taken int64) int64 { return P(&t.rule).countsUntil(taken) }

// cut returns the tokens that may be taken if there are left, at least 0.
func cut(tokens, left int64, debt bool) int64 {
	if debt {
		return tokens
	}
	return min(tokens, max(left, 0))
}

func (r *bucketRule) correct(s *bucketState, now, _, tokens int64, debt bool) {
	*s = r.at(*s, now)
	if tokens < 0 {
		s.missing -= integers.Mul(-max(tokens, -Never), r.p, s.missing)
		return
	}
	after := s.missing + integers.Mul(tokens, r.p, maxMissing-s.missing)
	if !debt {
		after = max(s.missing, min(after, r.depth))
	}
	s.missing = after
}

func (*bucketRule) countsUntil(int64) int64 { return Never }

func (r *timerRule) correct(s *timerState, now, _, tokens int64, debt bool) {
	*s = r.at(*s, now)
	if tokens < 0 {
		s.missing = max(s.missing+tokens, 0)
		return
	}
	s.missing = min(integers.Add(s.missing, cut(tokens, r.burst-s.missing, debt)), maxMissing)
}

func (*timerRule) countsUntil(int64) int64 { return Never }

func (r *windowRule) correct(s *windowState, now, taken, tokens int64, debt bool) {
	*s = r.at(*s, now)
	switch {
	case tokens >= 0:
		s.count = integers.Add(s.count, cut(tokens, r.limit-s.count, debt))
	case windowStart(taken, r.width) == s.start:
		s.count = max(s.count+tokens, 0)
	}
}

func (r *windowRule) countsUntil(taken int64) int64 {
	return integers.Add(windowStart(taken, r.width), r.width)
}

// correct changes the window that is open at now, as INCRBY and DECRBY do, also if it is
// not the one in which the tokens were taken.
func (r *firstHitRule) correct(s *firstHitState, now, _, tokens int64, debt bool) {
	switch {
	case tokens < 0:
		s.count = max(s.count+tokens, 0)
	case tokens > 0:
		r.hit(s, now, cut(tokens, r.limit-r.counted(s, now), debt))
	}
}

func (r *firstHitRule) countsUntil(taken int64) int64 {
	if r.EachHit || r.LostAt > 0 {
		return Never
	}
	return integers.Add(taken, r.width)
}

func (r *pairRule) correct(s *pairState, now, taken, tokens int64, debt bool) {
	*s = r.at(*s, now)
	if tokens >= 0 {
		s.current = integers.Add(s.current, cut(tokens, r.level(s, s.last), debt))
		return
	}
	switch start := windowStart(s.last, r.width); windowStart(taken, r.width) {
	case start:
		s.current = max(s.current+tokens, 0)
	case start - r.width:
		s.previous = max(s.previous+tokens, 0)
	}
}

// countsUntil returns the end of the window after the one of taken, until when its
// weight falls.
func (r *pairRule) countsUntil(taken int64) int64 {
	return integers.Add(r.windowRule.countsUntil(taken), r.width)
}

func (r *logRule) correct(s *logState, now, taken, tokens int64, debt bool) {
	s.last = max(now, s.last)
	s.evict(s.last - r.width)
	if tokens >= 0 {
		if tokens = cut(tokens, r.limit-s.sum, debt); tokens > 0 {
			s.add(s.last, min(tokens, Never-s.sum))
		}
		return
	}
	i := sort.Search(s.size, func(i int) bool { return s.entry(i).at >= taken })
	if i == s.size || s.entry(i).at != taken {
		return
	}
	back := min(-tokens, s.entry(i).cost)
	s.entry(i).cost -= back
	s.sum -= back
}

func (r *logRule) countsUntil(taken int64) int64 { return integers.Add(taken, r.width) }

// correct changes the sample in which the tokens were counted. An average has no
// debt: what it counts above the limit only makes it reject longer.
func (r *averageRule) correct(s *averageState, now, taken, tokens int64, _ bool) {
	r.take(s, now, 0)
	now = s.last
	if tokens > 0 {
		r.count(s, now, tokens)
		return
	}
	i := sort.Search(len(s.samples), func(i int) bool { return s.samples[i].start > taken }) - 1
	if i < 0 {
		return
	}
	back := min(-tokens, s.samples[i].value)
	s.samples[i].value -= back
	s.sum -= back
}

// countsUntil returns the latest time at which the sample of taken is dropped.
func (r *averageRule) countsUntil(taken int64) int64 {
	return integers.Add(taken, r.Samples*r.Window)
}

// Correct changes the tokens of the key's row, as an UPDATE of them would: it credits
// no refill and leaves the stamp.
func (t *SQLTokenBuckets) Correct(key int32, _, _, tokens int64, debt bool) {
	row := &t.Rows[key]
	if !row.Exists() {
		return
	}
	unit := t.Rule.Unit()
	if tokens < 0 {
		row.Level += integers.Mul(-max(tokens, -Never), unit, max(t.Rule.Depth()*unit-row.Level, 0))
		return
	}
	tokens = cut(tokens, integers.FloorDiv(row.Level, unit)+1, debt) // the lowest level is -1
	row.Level -= integers.Mul(tokens, unit, max(row.Level+maxDebt, 0))
}

// CountsUntil returns Never: what is taken counts until it is earned again.
func (t *SQLTokenBuckets) CountsUntil(int64) int64 { return Never }

// Correct takes tokens from the key, or gives them back, in its table.
func (c *Concat) Correct(key int32, now, taken, tokens int64, debt bool) {
	t, k := c.of(key)
	t.Correct(k, now, taken, tokens, debt)
}

// CountsUntil returns until when what is taken at a time counts in the table with the
// longest memory.
func (c *Concat) CountsUntil(taken int64) int64 {
	until := taken
	for i := range c.parts {
		until = max(until, c.parts[i].table.CountsUntil(taken))
	}
	return until
}

func (t *changingTable) Correct(key int32, now, taken, tokens int64, debt bool) {
	t.until(now)
	t.counter.Correct(key, now, taken, tokens, debt)
}

func (t *changingTable) CountsUntil(taken int64) int64 { return t.counter.CountsUntil(taken) }
