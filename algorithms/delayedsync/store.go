package delayedsync

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Store is shared by all nodes. It holds, per key, the cost counted in a calendar
// window and in the previous one. It is not safe for concurrent use.
type Store struct {
	config *Config
	commit Commit
	keys   perkey.Table[windows]
	// active are the keys with a count in the latest window or the previous one;
	// Tally nodes receive them.
	active []int32
	latest int64
	saved  *saved
}

// windows holds one key's two counts.
type windows struct {
	number   int64 // of the current calendar window
	current  int64
	previous int64
	active   bool
}

// NewStore returns an empty store.
func NewStore(c *Config) *Store { return &Store{config: c, commit: c.Commit} }

// at moves the counts to a later window.
func (w *windows) at(number int64) {
	if number <= w.number {
		return
	}
	if number == w.number+1 {
		w.previous = w.current
	} else {
		w.previous = 0
	}
	w.current, w.number = 0, number
}

// add counts in the window of that number: the current one or the previous one.
// It ignores windows that are not kept any more.
func (w *windows) add(number, cost int64) {
	switch number {
	case w.number:
		w.current = addCount(w.current, cost)
	case w.number - 1:
		w.previous = addCount(w.previous, cost)
	}
}

// seen returns the counts of the window of that number and of the previous one,
// for a node whose clock shows that window.
func (w *windows) seen(number int64) (current, previous int64) {
	switch {
	case number == w.number:
		return w.current, w.previous
	case number == w.number+1:
		return 0, w.current
	case number == w.number-1:
		return w.previous, 0
	}
	return 0, 0
}

// addCount returns a+b, kept within the range of counts. Expired counts can
// return as a negative correction.
func addCount(a, b int64) int64 {
	const most = math.MaxInt64 / 4
	return max(min(a+max(min(b, most), -most), most), -most)
}

// Answer adds a node's counts and answers them.
func (s *Store) Answer(f *Flush, a *Answer) {
	a.Rows = a.Rows[:0]
	if s.config.Pull == Counts {
		s.count(f, a)
		return
	}
	for i := range f.Rows {
		a.Rows = append(a.Rows, s.Commit(f.SentAt, f.Rows[i].Key, f.Rows[i].Delta))
	}
}

// Commit adds what a Quota node has admitted of one key, with this timestamp.
func (s *Store) Commit(now int64, key int32, delta int64) AnswerRow {
	c := s.config
	number := now / c.Limit.Window
	rest := c.Limit.Window - now%c.Limit.Window
	w := s.keys.At(key)
	w.at(number)
	current, previous := w.seen(number)
	previous = min(previous, c.Limit.Count)
	row := AnswerRow{Key: key, Reset: roundUp(rest, c.Resolution)}
	if !c.Sliding || s.commit == Unweighted {
		previous = 0
	}
	if s.commit == Checked && (current >= c.Limit.Count || integers.MulDiv(previous, rest, c.Limit.Window, math.MaxInt64) >= c.Limit.Count-current) {
		if current < c.Limit.Count && previous > 0 {
			// Until the previous window has moved far enough out of view.
			row.Reset = roundUp(max(rest-integers.MulDiv(c.Limit.Count-current, c.Limit.Window, previous, math.MaxInt64), 0), c.Resolution)
		}
		return row
	}
	w.add(number, delta)
	current = addCount(current, delta)
	row.Remaining = c.Limit.Count - current - c.weighted(previous, rest)
	return row
}

// weighted returns previous*rest/window rounded up, because what it leaves of the
// limit is rounded down.
func (c *Config) weighted(previous, rest int64) int64 {
	return integers.MulDivUp(max(previous, 0), rest, c.Limit.Window, math.MaxInt64)
}

// roundUp returns d rounded up to a multiple of step.
func roundUp(d, step int64) int64 {
	if over := d % step; over != 0 && d <= counting.Never-step {
		return d + step - over
	}
	return d
}

// count adds a Tally node's rows and answers every key that has a count.
func (s *Store) count(f *Flush, a *Answer) {
	number := f.SentAt / s.config.Limit.Window
	s.latest = max(s.latest, number)
	for i := range f.Rows {
		row := &f.Rows[i]
		w := s.keys.At(row.Key)
		w.at(number)
		w.add(number-1, row.Earlier)
		w.add(number, row.Delta)
		if !w.active {
			w.active = true
			s.active = append(s.active, row.Key)
		}
	}
	live := s.active[:0]
	for _, key := range s.active {
		w := s.keys.At(key)
		if w.number < s.latest-1 {
			w.active = false
			continue
		}
		live = append(live, key)
		current, previous := w.seen(number)
		a.Rows = append(a.Rows, AnswerRow{Key: key, Current: current, Previous: previous})
	}
	s.active = live
}

// Save keeps a copy of all counts. Restore returns to it: the counts that survive
// a failover to a replica that lags behind.
func (s *Store) Save() {
	s.saved = &saved{keys: s.keys.Copy(), active: slices.Clone(s.active)}
}

// Restore returns to the saved counts, or to none if Save was not called.
func (s *Store) Restore() {
	if s.saved == nil {
		s.saved = &saved{}
	}
	s.keys, s.active = s.saved.keys, s.saved.active
	s.saved = nil
}

type saved struct {
	keys   perkey.Table[windows]
	active []int32
}
