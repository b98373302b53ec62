package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// queueLimiter runs a counter that states on arrival when it dispatches a
// request: the leaky bucket as a queue, or the exact shaper.
type queueLimiter struct {
	executor *EventExecutor
	queue    queues
}

// queues holds the queues of all keys.
type queues interface {
	// take decides a request under all its keys.
	take(keys []int32, now, cost int64) (v counting.Verdict, dispatch int64)
	inspect(key int32, now, cost int64) (level, retryAt int64)
}

// oneQueue holds the queues of requests with one key each.
type oneQueue struct{ counting.Queue }

func (q oneQueue) take(keys []int32, now, cost int64) (v counting.Verdict, dispatch int64) {
	return q.Take(keys[0], now, cost)
}

func (q oneQueue) inspect(key int32, now, cost int64) (level, retryAt int64) {
	return q.Level(key, now), q.RetryAt(key, now, cost)
}

const dispatchKind uint32 = iota

func (q *queueLimiter) Arrive(now int64, slot int32) {
	v, at := q.queue.take(q.executor.Keys(slot), now, q.executor.Attempt(slot).Cost)
	switch {
	case !v.Admitted():
		q.executor.Reject(slot, v.Cause())
	case at <= now:
		q.executor.Admit(slot, counting.ByLimiter)
	default:
		q.executor.Schedule(at, dispatchKind, slot)
	}
}

func (q *queueLimiter) Fire(e Event) { q.executor.Admit(e.Ref, counting.ByLimiter) }

func (q *queueLimiter) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return q.queue.inspect(key, now, cost)
}

// NewQueueExecutor returns an executor for a counter that states on arrival
// when it dispatches a request. See NewEventExecutor for start.
func NewQueueExecutor(b Sinks, start int64, queue counting.Queue) *EventExecutor {
	l := NewEventExecutor(b, start)
	l.Run(&queueLimiter{executor: l, queue: oneQueue{queue}})
	return l
}
