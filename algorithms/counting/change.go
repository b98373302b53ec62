package counting

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
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
	t, s, err := build[Table](name, limit, changes, options, keys)
	if err != nil || s == nil {
		return t, err
	}
	return &changingTable{changing[Table]{t, s}}, nil
}

// NewChangingQueue is NewQueue for a limit that changes as in NewChanging.
func NewChangingQueue(name string, limit Limit, changes []Change, options catalog.Values, keys int) (Queue, error) {
	q, s, err := build[Queue](name, limit, changes, options, keys)
	if err != nil || s == nil {
		return q, err
	}
	return &changingQueue{changing[Queue]{q, s}}, nil
}

// schedule changes the limit of a counter at the times of its changes.
type schedule struct {
	changes []Change
	done    int // number of changes made
	set     setLimit
}

// setLimit puts a counter under the limit after change i at now; limit 0 is the
// one before all changes.
type setLimit func(i int, now int64)

func newSchedule(k *kind, counter any, limit Limit, changes []Change, v catalog.Values) (*schedule, error) {
	limits := limitsOf(limit, changes)
	for _, l := range limits {
		// Making a counter of no keys checks the limit.
		if _, err := k.make(l, v, 0); err != nil {
			return nil, fmt.Errorf("with a limit of %d per %s: %w", l.Count, units.FormatDuration(l.Window), err)
		}
	}
	set, err := k.changing(counter, limits, v)
	if err != nil {
		return nil, err
	}
	set(0, 0)
	return &schedule{changes: changes, set: set}, nil
}

func limitsOf(limit Limit, changes []Change) []Limit {
	return append([]Limit{limit}, lists.Map(changes, func(c Change) Limit { return c.Limit })...)
}

// next returns the time of the next change, or Never.
func (s *schedule) next() int64 {
	if s.done == len(s.changes) {
		return Never
	}
	return s.changes[s.done].At
}

// until makes the changes up to now.
func (s *schedule) until(now int64) {
	for at := s.next(); at <= now; at = s.next() {
		s.done++
		s.set(s.done, at)
	}
}

// changing is a counter whose limit changes on a schedule. It makes the changes
// that are due before each call.
type changing[T counter] struct {
	counter T
	*schedule
}

func (c *changing[T]) Level(key int32, now int64) int64 {
	c.until(now)
	return c.counter.Level(key, now)
}

func (c *changing[T]) RetryAt(key int32, now, cost int64) int64 {
	c.until(now)
	return c.counter.RetryAt(key, now, cost)
}

func (c *changing[T]) State(key int32) []StateField { return c.counter.State(key) }

type changingTable struct{ changing[Table] }

// TakeBlock decides the requests up to the next change, makes the change and
// continues. A time that goes backwards does not undo a change.
func (t *changingTable) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for lo, n := 0, len(verdicts); lo < n; {
		t.until(times[lo])
		hi := lo + 1
		for next := t.next(); hi < n && times[hi] < next; hi++ {
		}
		t.counter.TakeBlock(keys[lo:hi], times[lo:hi], costs[lo:hi], verdicts[lo:hi])
		lo = hi
	}
}

func (t *changingTable) Take(key int32, now, cost int64) Verdict {
	t.until(now)
	return t.counter.Take(key, now, cost)
}

type changingQueue struct{ changing[Queue] }

func (q *changingQueue) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	q.until(now)
	return q.counter.Take(key, now, cost)
}
