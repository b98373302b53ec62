package shards

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	simrover "github.com/limitgauge/limitgauge/sim/limiters/rover"
)

// serveRequests dispatches requests from the head of the queue, one claim each.
func (s *shardGroup) serveRequests(now int64, q *stream, b *simrover.TimedBucket) {
	for used := uint64(0); used < s.perPoll; {
		for !q.claims.Full() && s.next(now, q) {
			slot := q.waiting.Pop()
			q.claimed.Push(slot)
			q.claims.Claim(b.Bucket, s.Claim(s.executor, slot))
		}
		if q.claims.Len() == 0 {
			return
		}
		if s.BeforeLook {
			b.Bucket.Replenish(now)
		}
		slot := *q.claimed.Front()
		switch {
		case q.claims.Missing(b.Bucket) == 0:
			q.claims.Use()
			q.claimed.Pop()
			used += s.dispatch(now, q, b, slot)
		case s.expired(now, slot):
			s.refuse(q, slot)
			s.reuse(now, q, b)
		default:
			return
		}
	}
}

// reuse handles the first claim after its request has left. It passes the claim on
// to the first request without one, if that is enabled and the claim suffices, or
// gives it up.
func (s *shardGroup) reuse(now int64, q *stream, b *simrover.TimedBucket) {
	if s.passOn && s.MaxWait > 0 && s.next(now, q) {
		slot := *q.waiting.Front()
		if q.claims.PassOn(b.Bucket, s.Claim(s.executor, slot), s.Refunds) {
			*q.claimed.Front() = q.waiting.Pop()
			return
		}
	}
	q.claimed.Pop()
	q.claims.GiveUp(b.Bucket, s.Refunds)
}

// serveBatch dispatches requests from the head of the queue with the tokens of the
// shard's batch.
func (s *shardGroup) serveBatch(now int64, q *stream, b *rover.Bucket) {
	if q.batch.Pending() == 0 && q.waiting.Len() == 0 {
		return
	}
	if s.BeforeLook {
		b.Replenish(now)
	}
	q.batch.Reap(b)
	for s.next(now, q) {
		slot := *q.waiting.Front()
		if !q.batch.Take(b, s.Claim(s.executor, slot), q.queued) {
			return
		}
		q.waiting.Pop()
		s.dispatch(now, q, &s.keys[q.key], slot)
	}
	q.batch.Drop(b)
}

// next reports whether a request without a claim waits at the head of the queue.
// Requests that have waited too long leave it.
func (s *shardGroup) next(now int64, q *stream) bool {
	for q.waiting.Len() > 0 {
		slot := *q.waiting.Front()
		if s.MaxWait == 0 || !s.expired(now, slot) {
			return true
		}
		q.waiting.Pop()
		s.refuse(q, slot)
	}
	return false
}

// expired reports whether a request has waited as long as it may. A request that
// may not wait is looked at once.
func (s *shardGroup) expired(now int64, slot int32) bool {
	return now-s.executor.Attempt(slot).Arrival >= s.MaxWait
}

func (s *shardGroup) refuse(q *stream, slot int32) {
	q.queued -= s.Claim(s.executor, slot)
	if s.MaxWait == 0 {
		s.executor.Reject(slot, counting.ByLimiter)
	} else {
		s.executor.Reject(slot, counting.ByMaxWait)
	}
}

// dispatch admits a request and returns its tokens in units.
func (s *shardGroup) dispatch(now int64, q *stream, b *simrover.TimedBucket, slot int32) uint64 {
	a := s.executor.Attempt(slot)
	key, client, n := a.Key, a.Client, s.Claim(s.executor, slot)
	q.queued -= n
	s.Dispatched(now, slot)
	s.executor.Admit(slot, counting.ByLimiter)
	if s.Config.Capped && !s.Held {
		s.finished(now, now+1, b, key, client, n)
	}
	return n
}
