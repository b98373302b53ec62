package shards

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	simrover "github.com/limitgauge/limitgauge/sim/limiters/rover"
)

// finished releases the tokens of a shard's completed request: at once, or at the
// first tick of the shard's release timer from the time from on.
func (s *shardGroup) finished(now, from int64, b *simrover.TimedBucket, key, client int32, tokens uint64) {
	if s.reap == 0 {
		s.Release(b, now, tokens)
		return
	}
	h := &s.shards[client]
	s.stream(h, key).done += tokens
	if !h.reaping {
		s.startReaping(h, client, from)
	}
}

// startReaping starts a shard's release timer. Ticks without anything to release
// change nothing and are left out, except those of a shard that stalls: there a
// late tick delays the next ones.
func (s *shardGroup) startReaping(h *shard, number int32, from int64) {
	at := ticks.After(from-1, h.reapPhase, h.reapInterval)
	h.reaped = at - s.reap
	for _, q := range h.streams {
		q.paid = h.reaped
	}
	s.scheduleReap(h, number, at)
}

func (s *shardGroup) scheduleReap(h *shard, number int32, at int64) {
	h.reaping = true
	s.executor.Schedule(at, reap, number)
}

// releaseDone is a tick of a shard's release timer, one interval after the last or
// later after a stall. A paced tick worth less than one unit passes its time on to
// the next tick. Otherwise rounding down would stop a low rate.
func (s *shardGroup) releaseDone(now int64, h *shard, number int32) {
	h.reaping = false
	h.reaped = now
	left := false
	for _, q := range h.streams {
		n := q.done
		if n > 0 && s.paced {
			n = min(n, s.share(now-q.paid, s.keys[q.key].Bucket.Rate()))
		}
		if n > 0 {
			s.Release(&s.keys[q.key], now, n)
			q.done -= n
		}
		if n > 0 || q.done == 0 {
			q.paid = now
		}
		left = left || q.done > 0
	}
	if left || h.stalls {
		s.scheduleReap(h, number, now+s.reap)
	}
}

// share returns what an even share of a rate earns in a span, in whole units.
func (s *shardGroup) share(span int64, rate uint64) uint64 {
	return integers.MulDiv(rate, uint64(span), uint64(s.Config.Per)*uint64(len(s.shards)), 1<<63)
}
