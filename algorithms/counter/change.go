package counter

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Change is a limit that holds from a time on. Its window must be that of the
// limit before it, unless the counter is a bucket.
type Change struct {
	At    int64 // ns
	Limit Limit
}

// NewChanging is New for a limit that changes at known times, in time order. A
// change comes before the requests with the same timestamp. What a key has used
// stays used:
//
//   - windows, the log and the average keep their counts and compare them with
//     the new limit;
//   - buckets keep their level in tokens, cut to the new depth, and a debt stays
//     a debt; a bucket with a `burst` of its own keeps that depth;
//   - a theoretical arrival time stays where it is, cut to the new burst;
//   - a queue keeps its backlog in requests, and queued requests keep their
//     dispatch times.
//
// Nothing is rounded: a bucket counts in a unit that all its limits share.
// NewChanging returns an error if there is no unit that counts all of them
// exactly. For limits that are not known beforehand see RelimitRounded.
func NewChanging(name string, limit Limit, changes []Change, options catalog.Values, keys int) (Table, error) {
	t, err := New(name, limit, options, keys)
	if err != nil || len(changes) == 0 {
		return t, err
	}
	s, err := newSchedule(name, t, limit, changes, options)
	if err != nil {
		return nil, err
	}
	return &changingTable{t, s}, nil
}

// NewChangingQueue is NewQueue for a limit that changes as in NewChanging.
func NewChangingQueue(name string, limit Limit, changes []Change, options catalog.Values, keys int) (Queue, error) {
	q, err := NewQueue(name, limit, options, keys)
	if err != nil || len(changes) == 0 {
		return q, err
	}
	s, err := newSchedule(name, q, limit, changes, options)
	if err != nil {
		return nil, err
	}
	return &changingQueue{q, s}, nil
}

// schedule changes the limit of a table at the times of its changes.
type schedule struct {
	changes []Change // the remaining ones
	set     setLimit
}

// setLimit puts a table under another limit at now. The limit must be one of
// those for which the setLimit was made.
type setLimit func(limit Limit, now int64)

func newSchedule(name string, t any, limit Limit, changes []Change, v catalog.Values) (schedule, error) {
	k := find(name)
	if k.changing == nil {
		return schedule{}, fmt.Errorf("%s: its limit cannot change during a run", name)
	}
	limits := limitsOf(limit, changes)
	for _, l := range limits {
		// Making a table of no keys checks the limit.
		var err error
		if k.table != nil {
			_, err = k.table(l, v, 0)
		} else {
			_, err = k.queue(l, v, 0)
		}
		if err != nil {
			return schedule{}, fmt.Errorf("%s: with a limit of %d per %d ns: %w", name, l.Count, l.Window, err)
		}
	}
	set, err := k.changing(t, limits, v)
	if err != nil {
		return schedule{}, fmt.Errorf("%s: %w", name, err)
	}
	set(limit, 0)
	return schedule{changes, set}, nil
}

func limitsOf(limit Limit, changes []Change) []Limit {
	limits := []Limit{limit}
	for _, c := range changes {
		limits = append(limits, c.Limit)
	}
	return limits
}

// next returns the time of the next change, or Never.
func (s *schedule) next() int64 {
	if len(s.changes) == 0 {
		return Never
	}
	return s.changes[0].At
}

// until makes the changes up to now.
func (s *schedule) until(now int64) {
	for s.next() <= now {
		s.set(s.changes[0].Limit, s.changes[0].At)
		s.changes = s.changes[1:]
	}
}

type changingTable struct {
	Table
	schedule
}

// TakeBlock decides the requests up to the next change, makes the change and
// continues. A time that goes backwards does not undo a change.
func (t *changingTable) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for lo, n := 0, len(verdicts); lo < n; {
		t.until(times[lo])
		hi := lo + 1
		for next := t.next(); hi < n && times[hi] < next; hi++ {
		}
		t.Table.TakeBlock(keys[lo:hi], times[lo:hi], costs[lo:hi], verdicts[lo:hi])
		lo = hi
	}
}

func (t *changingTable) Take(key int32, now, cost int64) Verdict {
	t.until(now)
	return t.Table.Take(key, now, cost)
}

func (t *changingTable) Level(key int32, now int64) int64 {
	t.until(now)
	return t.Table.Level(key, now)
}

func (t *changingTable) RetryAt(key int32, now, cost int64) int64 {
	t.until(now)
	return t.Table.RetryAt(key, now, cost)
}

type changingQueue struct {
	Queue
	schedule
}

func (q *changingQueue) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	q.until(now)
	return q.Queue.Take(key, now, cost)
}

func (q *changingQueue) Level(key int32, now int64) int64 {
	q.until(now)
	return q.Queue.Level(key, now)
}

func (q *changingQueue) RetryAt(key int32, now, cost int64) int64 {
	q.until(now)
	return q.Queue.RetryAt(key, now, cost)
}
