package sim

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// queueing runs a counter that says at arrival when a request is let through:
// a leaky bucket as a queue, or the exact shaper.
type queueing struct {
	lane  *eventLane
	queue counters.Queue
}

const letThrough uint32 = iota

func (q *queueing) arrive(now int64, slot int32) {
	s := &q.lane.slots[slot]
	v, at := q.queue.Take(s.key, now, s.cost)
	switch {
	case !v.Admitted():
		q.lane.reject(slot, v.Cause())
	case at <= now:
		q.lane.admit(slot)
	default:
		q.lane.schedule(at, letThrough, slot)
	}
}

func (q *queueing) fire(e event)                { q.lane.admit(e.ref) }
func (*queueing) completed(int64, int32, int64) {}

func (*queueing) finish(*measure.Recorder) {}

func (q *queueing) inspect(key int32, now, cost int64) (level, retryAt int64) {
	return q.queue.Level(key, now), q.queue.RetryAt(key, now, cost)
}
