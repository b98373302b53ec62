package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// queueLimiter runs a counter that states on arrival when it dispatches a
// request: the leaky bucket as a queue, or the exact shaper.
type queueLimiter struct {
	executor *EventExecutor
	queue    counter.Queue
}

const dispatchKind uint32 = iota

func (q *queueLimiter) Arrive(now int64, slot int32) {
	s := q.executor.Attempt(slot)
	v, at := q.queue.Take(s.Key, now, s.Cost)
	switch {
	case !v.Admitted():
		q.executor.Reject(slot, v.Cause())
	case at <= now:
		q.executor.Admit(slot, counter.ByLimiter)
	default:
		q.executor.Schedule(at, dispatchKind, slot)
	}
}

func (q *queueLimiter) Fire(e Event) { q.executor.Admit(e.Ref, counter.ByLimiter) }

func (*queueLimiter) Finish(*measure.Recorder) {}

func (q *queueLimiter) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return q.queue.Level(key, now), q.queue.RetryAt(key, now, cost)
}

// NewQueueExecutor returns an executor for a counter that states on arrival
// when it dispatches a request. See NewEventExecutor for start.
func NewQueueExecutor(b Sinks, start int64, queue counter.Queue) *EventExecutor {
	l := NewEventExecutor(b, start)
	l.Run(&queueLimiter{executor: l, queue: queue})
	return l
}
