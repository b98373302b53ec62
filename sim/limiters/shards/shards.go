// Package shards simulates shards that poll one rover bucket, each with a queue of
// its own.
//
// The package makes no promise: it can change at any time.
package shards

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/algorithms/shards"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	simrover "github.com/limitgauge/limitgauge/sim/limiters/rover"
)

// Limiter describes shards that poll one shared rover bucket per key.
var Limiter = engine.Limiter{
	Entry:       shards.Entry(),
	Presets:     shards.Presets(),
	Check:       checkShards,
	Executor:    newShards,
	ClientBytes: 224,
	Random:      drawsShards,
	Waits:       waits,
	Settles:     true,
	OnePolicy:   "a request would wait in the queues of several buckets at once, and a claim that has been made keeps its place in one while the others are short",
	AffectedBy:  []string{"autoscale", "policy-change"},
}

// maxStreams limits the queues of a trial: 2^24 queues take about 5 GiB.
const maxStreams = 1 << 24

func checkShards(s *engine.Setting, a *scenarios.Algorithm) error {
	config, err := simrover.Check(s, a)
	o := a.Options
	return cmp.Or(err,
		catalog.ErrorIf(o.Int("per_poll") > simrover.MaxUnits>>o.Int("token_resolution"),
			"per_poll: %d tokens do not fit 62 bits at this token_resolution", o.Int("per_poll")),
		catalog.ErrorIf(s.Clients() > maxStreams/max(s.Keys, 1),
			"%d shards with %d keys each need more than %d queues", s.Clients(), s.Keys, maxStreams),
		catalog.ErrorIf(o.String("reserve") == "batch" && (o.String("when_short") == "refuse" || o.Duration("max_wait") == 0),
			"reserve: batch is for requests that wait: it needs when_short: wait and a max_wait"),
		catalog.ErrorIf(o.Duration("reap_interval") > 0 && !config.Capped,
			"reap_interval: only capped release waits for completions"))
}

// waits returns the bound on the wait of requests: max_wait, or none at all beside
// the time until the shard polls.
func waits(s *engine.Setting, a *scenarios.Algorithm) *counting.Waiting {
	return cmp.Or(simrover.Waits(s, a), &counting.Waiting{})
}

// shardGroup runs the shards. At one instant, tokens of completed requests are
// released first, then the timers of buckets tick, then shards poll in the order
// of their numbers, then requests arrive.
type shardGroup struct {
	simrover.Buckets
	executor *engine.EventExecutor
	batch    bool
	passOn   bool
	depth    int
	perPoll  uint64 // units
	reap     int64  // ns; 0: completed requests release their tokens at once
	paced    bool   // a tick releases no more than the shard's share of the rate
	keys     []simrover.TimedBucket
	shards   []shard
	polled   int64 // the latest poll of any shard
}

// Event kinds, in the order in which they run when they share a timestamp. Ref is
// a shard. A poll's kind is poll plus the shard's number, so that shards poll in
// the order of their numbers.
const (
	settling uint32 = iota // and the following kinds; Ref is not a shard
	reap     uint32 = iota + simrover.SettlingEvents - 1
	poll
)

// shard holds a queue for each key that it has received.
type shard struct {
	shardClock
	streams []*stream // in the order of their first requests
	byKey   map[int32]*stream
	polling bool  // a poll is scheduled
	reaping bool  // likewise
	reaped  int64 // the last tick of its release timer
}

// stream holds one shard's requests for one key.
type stream struct {
	key     int32
	waiting engine.FIFO[int32] // slots, without a claim
	claimed engine.FIFO[int32] // reserve request: slots with a claim, before those in waiting
	queued  uint64             // units, of both
	claims  shards.Claims
	batch   shards.Reservation
	done    uint64 // units completed and not yet released
	paid    int64  // the last tick that released tokens or found none to release
}

func newShards(t *engine.Trial) (engine.Executor, error) {
	buckets := simrover.NewBuckets(t)
	o := t.Algorithm.Options
	n := t.Clients()
	l := engine.NewEventExecutor(t.Sinks, t.Start)
	s := &shardGroup{
		Buckets: buckets, executor: l,
		batch: o.String("reserve") == "batch", passOn: o.String("unused") == "passed-on", depth: int(o.Int("depth")),
		perPoll: max(1<<buckets.Bits, buckets.Config.Limit/uint64(n)),
		reap:    o.Duration("reap_interval"),
		paced:   o.String("reap") == "share",
		keys:    make([]simrover.TimedBucket, t.Keys),
		shards:  make([]shard, n),
		polled:  t.Origin - 1,
	}
	if o.Set("per_poll") {
		s.perPoll = s.Units(o.Int("per_poll"))
	}
	for i, clock := range shardClocks(t) {
		s.shards[i] = shard{shardClock: clock, byKey: map[int32]*stream{}}
	}
	l.Run(s)
	for i := range s.shards {
		if h := &s.shards[i]; h.stalls && s.reap > 0 {
			s.startReaping(h, int32(i), t.Origin)
		}
	}
	// Completions and answers run before all other events of their instant, except completions
	// of requests that take no time.
	s.Settle(t, l, settling, func(key int32) *simrover.TimedBucket { return &s.keys[key] }, func(now int64, key, client int32, units uint64) {
		s.finished(now, max(now, s.polled+1), &s.keys[key], key, client, units)
	})
	return l, nil
}

// stream returns a shard's stream of a key. The first request creates it.
func (s *shardGroup) stream(h *shard, key int32) *stream {
	q := h.byKey[key]
	if q == nil {
		q = &stream{key: key, paid: h.reaped, claims: shards.NewClaims(s.depth), batch: shards.NewReservation(s.perPoll, s.Config.Limit)}
		h.byKey[key] = q
		h.streams = append(h.streams, q)
	}
	return q
}

func (s *shardGroup) Arrive(now int64, slot int32) {
	a := s.executor.Attempt(slot)
	h := &s.shards[a.Client]
	q := s.stream(h, a.Key)
	q.waiting.Push(slot)
	s.Charge(slot)
	q.queued += s.Claim(s.executor, slot)
	if !h.polling {
		s.schedulePoll(h, a.Client, h.wakeUp(now))
	}
}

func (s *shardGroup) schedulePoll(h *shard, number int32, at int64) {
	h.polling = true
	s.executor.Schedule(at, poll+uint32(number), number)
}

func (s *shardGroup) Fire(e engine.Event) {
	if e.Kind < reap {
		s.Settling.Fire(e)
		return
	}
	h := &s.shards[e.Ref]
	if end := h.stalledUntil(e.Time); end > e.Time {
		s.executor.Schedule(end, e.Kind, e.Ref)
		return
	}
	if e.Kind == reap {
		s.releaseDone(e.Time, h, e.Ref)
		return
	}
	s.poll(e.Time, h, e.Ref)
}

// poll serves all streams of a shard and schedules its next poll, unless the shard
// has nothing left to do. A shard whose polls replenish always polls again.
func (s *shardGroup) poll(now int64, h *shard, number int32) {
	h.polling = false
	h.last, s.polled = now, now
	work, sleep := s.BeforeClaim && !h.sleeps, engine.Never
	for _, q := range h.streams {
		b := &s.keys[q.key]
		s.Wake(b, now)
		if s.BeforeClaim || s.OnWait && (q.claims.Len() > 0 || q.batch.Pending() > 0) {
			b.Bucket.Replenish(now)
		}
		if s.batch {
			s.serveBatch(now, q, b.Bucket)
		} else {
			s.serveRequests(now, q, b)
		}
		if wake := s.wakeAt(now, q, b.Bucket); wake != engine.Never {
			work, sleep = true, min(sleep, wake)
		}
	}
	if work {
		s.schedulePoll(h, number, h.nextPoll(now, sleep))
	}
}

// wakeAt returns when a shard must look at a stream again, or Never if the stream
// is empty.
func (s *shardGroup) wakeAt(now int64, q *stream, b *rover.Bucket) int64 {
	var missing uint64
	first := int32(-1)
	switch {
	case s.batch && q.batch.Pending() > 0:
		missing = q.batch.Missing(b)
	case q.claims.Len() > 0:
		missing = q.claims.Missing(b)
		first = *q.claimed.Front()
	case q.waiting.Len() == 0:
		return engine.Never
	}
	if first < 0 && q.waiting.Len() > 0 {
		first = *q.waiting.Front()
	}
	wake := engine.Never - 1
	if d := s.Nap(b, missing); d < wake-now {
		wake = now + d
	}
	if first >= 0 {
		wake = min(wake, s.executor.Attempt(first).Arrival+s.MaxWait)
	}
	return wake
}

func (s *shardGroup) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	b := &s.keys[key]
	s.Wake(b, now)
	return s.Buckets.Inspect(b, now, s.Estimated(key, cost))
}
