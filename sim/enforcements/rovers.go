package enforcements

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// rovers runs rover buckets, one a key, with the callers that queue on them.
//
// A bucket is replenished by its timer. Without one, each caller replenishes
// when it looks, and sleeps for as long as its missing tokens take.
type rovers struct {
	lane    *lanes.EventLane
	timer   roverTimer
	create  func(now int64) *rover.Bucket
	capped  bool
	hold    bool  // a guarded backend releases what it has completed; otherwise the dispatch does
	maxWait int64 // ns; 0: refuse at once

	keys    []roverKey
	tickets []ticket // by slot, of callers that wait
}

func roverConfig(s *Setting, a *scenarios.Algorithm, start int64) (rover.Config, error) {
	return rover.Configure(s.Limit.Count, s.Limit.Window, s.Limit.Burst, a.Options, start)
}

func roverLane(t *Trial) (lanes.Lane, error) {
	o := t.Algorithm.Options
	config, err := roverConfig(t.Setting, t.Algorithm, 0)
	if err != nil {
		return nil, err
	}
	l := lanes.NewEventLane(t.Books, t.Start)
	r := &rovers{
		lane:   l,
		capped: o.Bool("capped"),
		hold:   t.Guard != nil,
		keys:   make([]roverKey, t.Keys),
		create: func(now int64) *rover.Bucket {
			config := config
			config.Start = now
			b, err := rover.New(config)
			if err != nil {
				panic(err) // checked by checkCentral
			}
			return b
		},
	}
	grid := int64(0)
	switch o.String("replenish") {
	case "timer":
		grid = o.Duration("replenish_interval")
	case "continuous":
		grid = 1
	}
	r.timer = newRoverTimer(grid, &config)
	if o.String("when_short") == "wait" {
		r.maxWait = o.Duration("max_wait")
	}
	l.Run(r)
	if t.Guard != nil {
		t.Guard.OnCompletion(r.Completed)
	}
	return l, nil
}

// roverKey is one bucket and its queue, in ticket order.
type roverKey struct {
	bucket   *rover.Bucket
	queue    lanes.FIFO[int32] // slots; unused without a timer
	due      int64             // the next tick that credits something
	tickAt   int64             // the tick that is scheduled, 0 for none
	expireAt int64             // likewise
}

// ticket is a waiting caller's claim.
type ticket struct {
	number uint64
	expiry int64
}

// What a rovers limiter schedules. At one instant the tick comes first, then
// callers look, then those whose patience has ended leave. A tick and an
// expiry are about a key, a look is about a slot.
const (
	tick uint32 = iota
	look
	expire
)

// at returns the key's bucket with every tick up to now done.
func (r *rovers) at(now int64, key int32) *roverKey {
	k := &r.keys[key]
	if k.bucket == nil {
		k.bucket = r.create(now)
		k.due = r.timer.tickFrom(max(k.bucket.ReadyAt(), r.timer.lastTick(now)))
	}
	r.timer.catchUp(k, now)
	return k
}

func (r *rovers) Arrive(now int64, slot int32) {
	s := r.lane.Attempt(slot)
	key, n := s.Key, uint64(s.Cost)
	k := r.at(now, key)
	claim := k.bucket.Grab(n)
	if r.timer.grid == 0 {
		k.bucket.Replenish(now)
	}
	short := k.bucket.Deficiency(claim)
	switch {
	case short == 0:
		r.admit(k, slot)
	case r.maxWait == 0:
		r.giveUp(k, slot, counters.ByLimiter)
	default:
		for int(slot) >= len(r.tickets) {
			r.tickets = append(r.tickets, ticket{})
		}
		r.tickets[slot] = ticket{number: claim, expiry: now + r.maxWait}
		if r.timer.grid == 0 {
			r.sleep(k, slot, now, short)
			return
		}
		k.queue.Push(slot)
		r.watch(k, key)
	}
}

// sleep lets a caller look again once its missing tokens may be there.
func (r *rovers) sleep(k *roverKey, slot int32, now int64, short uint64) {
	wake := now + max(1, k.bucket.DurationFor(short))
	if expiry := r.tickets[slot].expiry; wake > expiry || wake < now {
		wake = expiry
	}
	r.lane.Schedule(wake, look, slot)
}

// watch makes sure that a key with a queue is looked at when its bucket is next
// credited, and when the patience of the caller at its head ends.
func (r *rovers) watch(k *roverKey, key int32) {
	if k.queue.Len() == 0 {
		return
	}
	if k.tickAt != k.due && k.due != lanes.Never {
		k.tickAt = k.due
		r.lane.Schedule(k.due, tick, key)
	}
	if k.expireAt == 0 {
		k.expireAt = r.tickets[*k.queue.Front()].expiry
		r.lane.Schedule(k.expireAt, expire, key)
	}
}

func (r *rovers) Fire(e lanes.Event) {
	if e.Kind == look {
		r.look(e.Time, e.Ref)
		return
	}
	k := r.at(e.Time, e.Ref)
	if e.Kind == expire {
		k.expireAt = 0
		r.leave(k, e.Time)
	}
	for k.queue.Len() > 0 && k.bucket.Deficiency(r.tickets[*k.queue.Front()].number) == 0 {
		r.admit(k, k.queue.Pop())
	}
	r.watch(k, e.Ref)
}

func (r *rovers) look(now int64, slot int32) {
	k := &r.keys[r.lane.Attempt(slot).Key]
	k.bucket.Replenish(now)
	switch short := k.bucket.Deficiency(r.tickets[slot].number); {
	case short == 0:
		r.admit(k, slot)
	case now >= r.tickets[slot].expiry:
		r.giveUp(k, slot, counters.ByMaxWait)
	default:
		r.sleep(k, slot, now, short)
	}
}

// leave lets callers go whose patience has ended. Their claims are refunded, so
// those behind them move up.
func (r *rovers) leave(k *roverKey, now int64) {
	for k.queue.Len() > 0 && r.tickets[*k.queue.Front()].expiry <= now {
		slot := k.queue.Pop()
		if k.bucket.Deficiency(r.tickets[slot].number) == 0 {
			r.admit(k, slot) // its token came with this very instant's tick
			continue
		}
		r.giveUp(k, slot, counters.ByMaxWait)
	}
}

// giveUp refuses a caller whose claim was not served. Capped, the claim is also
// released: nobody else would do it, and the bucket would shrink.
func (r *rovers) giveUp(k *roverKey, slot int32, cause counters.Cause) {
	n := uint64(r.lane.Attempt(slot).Cost)
	k.bucket.Refund(n)
	if r.capped {
		k.bucket.Release(n)
	}
	r.lane.Reject(slot, cause)
}

func (r *rovers) admit(k *roverKey, slot int32) {
	n := uint64(r.lane.Attempt(slot).Cost)
	r.lane.Admit(slot, counters.ByLimiter)
	if r.capped && !r.hold {
		k.bucket.Release(n)
	}
}

func (r *rovers) Completed(now int64, key int32, cost int64) {
	if r.capped {
		k := &r.keys[key]
		r.timer.catchUp(k, now-1) // the tick of this instant comes after completions
		k.bucket.Release(uint64(cost))
	}
}

func (r *rovers) Inspect(key int32, now, cost int64) (level, retryAt int64) {
	k := r.at(now, key)
	state := k.bucket.State()
	level = int64(state.Head - state.Tail)
	if short := cost - level; short > 0 {
		if wait := k.bucket.DurationFor(uint64(short)); wait < lanes.Never-now {
			return level, now + wait
		}
		return level, counters.Never
	}
	return level, now
}

// Finish counts the tokens that lie ready for claims that are not complete: of
// each key what its head has passed the beginning of the first waiting claim by.
func (r *rovers) Finish(recorder *measure.Recorder) {
	first := make(map[int32]uint64) // by key, where its first waiting claim begins
	r.lane.Open(func(slot int32, a *lanes.Attempt) {
		begin := r.tickets[slot].number - uint64(a.Cost)
		if at, waits := first[a.Key]; !waits || int64(begin-at) < 0 {
			first[a.Key] = begin
		}
	})
	stranded := int64(0)
	for key, begin := range first {
		stranded += max(0, int64(r.keys[key].bucket.State().Head-begin))
	}
	recorder.StrandedTokens(stranded)
}
