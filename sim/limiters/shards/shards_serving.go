package shards

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// serveRequests dispatches from the head of the queue, a claim for a request.
func (s *shardGroup) serveRequests(now int64, q *stream, b *timedBucket) {
	for used := uint64(0); used < s.perPoll; {
		for !q.claims.Full() && s.next(now, q) {
			slot := q.waiting.Pop()
			q.claimed.Push(slot)
			q.claims.Claim(b.bucket, s.tokens(s.executor.Attempt(slot).Cost))
		}
		if q.claims.Len() == 0 {
			return
		}
		if s.looks == beforeLook {
			b.bucket.Replenish(now)
		}
		slot := *q.claimed.Front()
		switch {
		case q.claims.Missing(b.bucket) == 0:
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

// reuse is for the first claim when its request has left: it goes to the first
// request without one, where that is wanted and enough, or is given up.
func (s *shardGroup) reuse(now int64, q *stream, b *timedBucket) {
	if s.passOn && s.maxWait > 0 && s.next(now, q) {
		slot := *q.waiting.Front()
		if q.claims.PassOn(b.bucket, s.tokens(s.executor.Attempt(slot).Cost), s.refund) {
			*q.claimed.Front() = q.waiting.Pop()
			return
		}
	}
	q.claimed.Pop()
	q.claims.GiveUp(b.bucket, s.refund)
}

// serveBatch dispatches from the head of the queue what the shard's batch pays.
func (s *shardGroup) serveBatch(now int64, q *stream, b *rover.Bucket) {
	if q.batch.Pending() == 0 && q.waiting.Len() == 0 {
		return
	}
	if s.looks == beforeLook {
		b.Replenish(now)
	}
	q.batch.Reap(b)
	for s.next(now, q) {
		slot := *q.waiting.Front()
		if !q.batch.Take(b, s.tokens(s.executor.Attempt(slot).Cost), q.queued) {
			return
		}
		q.waiting.Pop()
		s.dispatch(now, q, &s.keys[q.key], slot)
	}
	q.batch.Drop(b)
}

// next reports whether a request without a claim waits at the head of the
// queue. Those whose patience ended before they got one leave.
func (s *shardGroup) next(now int64, q *stream) bool {
	for q.waiting.Len() > 0 {
		slot := *q.waiting.Front()
		if s.maxWait == 0 || !s.expired(now, slot) {
			return true
		}
		q.waiting.Pop()
		s.refuse(q, slot)
	}
	return false
}

// expired reports whether a request waits no longer. One that does not wait at
// all is given one look.
func (s *shardGroup) expired(now int64, slot int32) bool {
	return now-s.executor.Attempt(slot).Arrival >= s.maxWait
}

func (s *shardGroup) refuse(q *stream, slot int32) {
	q.queued -= s.tokens(s.executor.Attempt(slot).Cost)
	if s.maxWait == 0 {
		s.executor.Reject(slot, counter.ByLimiter)
	} else {
		s.executor.Reject(slot, counter.ByMaxWait)
	}
}

// dispatch lets a request go and returns its tokens in units.
func (s *shardGroup) dispatch(now int64, q *stream, b *timedBucket, slot int32) uint64 {
	a := s.executor.Attempt(slot)
	key, client, cost := a.Key, a.Client, a.Cost
	n := s.tokens(cost)
	q.queued -= n
	s.executor.Admit(slot, counter.ByLimiter)
	if s.config.Capped && !s.hold {
		s.finished(now, now+1, b, key, client, n)
	}
	return n
}
