package inplace

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// queueing runs a counter that says at arrival when a request is let through:
// a leaky bucket as a queue, or the exact shaper.
type queueing struct {
	lane  *lanes.EventLane
	queue counters.Queue
}

const letThrough uint32 = iota

func (q *queueing) Arrive(now int64, slot int32) {
	s := q.lane.Attempt(slot)
	v, at := q.queue.Take(s.Key, now, s.Cost)
	switch {
	case !v.Admitted():
		q.lane.Reject(slot, v.Cause())
	case at <= now:
		q.lane.Admit(slot, counters.ByLimiter)
	default:
		q.lane.Schedule(at, letThrough, slot)
	}
}

func (q *queueing) Fire(e lanes.Event)          { q.lane.Admit(e.Ref, counters.ByLimiter) }
func (*queueing) Completed(int64, int32, int64) {}

func (*queueing) Finish(*measure.Recorder) {}

func (q *queueing) Inspect(key int32, now, cost int64) (level, retryAt int64) {
	return q.queue.Level(key, now), q.queue.RetryAt(key, now, cost)
}

// QueueLane is the event lane of a counter that says at arrival when it lets a
// request through.
func QueueLane(b lanes.Books, start int64, queue counters.Queue) *lanes.EventLane {
	l := lanes.NewEventLane(b, start)
	l.Run(&queueing{lane: l, queue: queue})
	return l
}
