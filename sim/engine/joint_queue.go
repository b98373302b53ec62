package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

// jointQueues has a queue for each key, under the limits of several policies. As in
// nginx with several limit_req directives, a request joins all its queues when it
// arrives and is dispatched when the last of them dispatches it.
type jointQueues struct {
	setting    *Setting
	queues     []counting.Queue // by policy
	chargeNone bool             // as in nginx: a request that one queue rejects joins none
}

// NewJointQueueExecutor is NewQueueExecutor for a counter under several policies.
func NewJointQueueExecutor(t *Trial) (*EventExecutor, error) {
	q := &jointQueues{setting: t.Setting, chargeNone: counting.JointOf(t.Algorithm.Options).ChargeNone}
	err := t.EachLimit(func(limit counting.Limit, keys int) error {
		queue, err := t.NewQueue(t.Algorithm, limit, keys)
		q.queues = append(q.queues, queue)
		return err
	})
	l := NewEventExecutor(t.Sinks, t.Start)
	l.Run(&queueLimiter{executor: l, queue: q})
	return l, err
}

// of returns the queues of a key's policy, and the key's number among them.
func (q *jointQueues) of(key int32) (counting.Queue, int32) {
	i := q.setting.PolicyOf(key)
	return q.queues[i], key - q.setting.Policies[i].From
}

func (q *jointQueues) take(keys []int32, now, cost int64) (v counting.Verdict, dispatch int64) {
	if q.chargeNone {
		for _, key := range keys {
			if _, retryAt := q.inspect(key, now, cost); retryAt > now {
				return counting.Rejected, now
			}
		}
	}
	v, dispatch = counting.Admitted, now
	for _, key := range keys {
		queue, k := q.of(key)
		verdict, at := queue.Take(k, now, cost)
		v, dispatch = v&verdict, max(dispatch, at)
	}
	return v, dispatch
}

func (q *jointQueues) inspect(key int32, now, cost int64) (level, retryAt int64) {
	queue, k := q.of(key)
	return queue.Level(k, now), queue.RetryAt(k, now, cost)
}
