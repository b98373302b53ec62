package sim

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// rovers runs rover buckets, one a key, with the callers that queue on them.
//
// A bucket is replenished by its timer. Without one, each caller replenishes
// when it looks, and sleeps for as long as its missing tokens take.
type rovers struct {
	lane    *eventLane
	timer   roverTimer
	create  func(now int64) *rover.Bucket
	capped  bool
	hold    bool  // a guarded backend releases what it has completed; otherwise the dispatch does
	maxWait int64 // ns; 0: refuse at once

	keys    []roverKey
	tickets []ticket // by slot, of callers that wait
}

// roverKey is one bucket and its queue, in ticket order.
type roverKey struct {
	bucket   *rover.Bucket
	queue    fifo[int32] // slots; unused without a timer
	due      int64       // the next tick that credits something
	tickAt   int64       // the tick that is scheduled, 0 for none
	expireAt int64       // likewise
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

func (r *rovers) arrive(now int64, slot int32) {
	s := &r.lane.slots[slot]
	key, n := s.key, uint64(s.cost)
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
		k.queue.push(slot)
		r.watch(k, key)
	}
}

// sleep lets a caller look again once its missing tokens may be there.
func (r *rovers) sleep(k *roverKey, slot int32, now int64, short uint64) {
	wake := now + max(1, k.bucket.DurationFor(short))
	if expiry := r.tickets[slot].expiry; wake > expiry || wake < now {
		wake = expiry
	}
	r.lane.schedule(wake, look, slot)
}

// watch makes sure that a key with a queue is looked at when its bucket is next
// credited, and when the patience of the caller at its head ends.
func (r *rovers) watch(k *roverKey, key int32) {
	if k.queue.len() == 0 {
		return
	}
	if k.tickAt != k.due && k.due != never {
		k.tickAt = k.due
		r.lane.schedule(k.due, tick, key)
	}
	if k.expireAt == 0 {
		k.expireAt = r.tickets[*k.queue.front()].expiry
		r.lane.schedule(k.expireAt, expire, key)
	}
}

func (r *rovers) fire(e event) {
	if e.kind == look {
		r.look(e.time, e.ref)
		return
	}
	k := r.at(e.time, e.ref)
	if e.kind == expire {
		k.expireAt = 0
		r.leave(k, e.time)
	}
	for k.queue.len() > 0 && k.bucket.Deficiency(r.tickets[*k.queue.front()].number) == 0 {
		r.admit(k, k.queue.pop())
	}
	r.watch(k, e.ref)
}

func (r *rovers) look(now int64, slot int32) {
	k := &r.keys[r.lane.slots[slot].key]
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
	for k.queue.len() > 0 && r.tickets[*k.queue.front()].expiry <= now {
		slot := k.queue.pop()
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
	n := uint64(r.lane.slots[slot].cost)
	k.bucket.Refund(n)
	if r.capped {
		k.bucket.Release(n)
	}
	r.lane.reject(slot, cause)
}

func (r *rovers) admit(k *roverKey, slot int32) {
	n := uint64(r.lane.slots[slot].cost)
	r.lane.admit(slot)
	if r.capped && !r.hold {
		k.bucket.Release(n)
	}
}

func (r *rovers) completed(now int64, key int32, cost int64) {
	if r.capped {
		k := &r.keys[key]
		r.timer.catchUp(k, now-1) // the tick of this instant comes after completions
		k.bucket.Release(uint64(cost))
	}
}

func (r *rovers) inspect(key int32, now, cost int64) (level, retryAt int64) {
	k := r.at(now, key)
	state := k.bucket.State()
	level = int64(state.Head - state.Tail)
	if short := cost - level; short > 0 {
		if wait := k.bucket.DurationFor(uint64(short)); wait < never-now {
			return level, now + wait
		}
		return level, counters.Never
	}
	return level, now
}

// finish counts the tokens that lie ready for claims that are not complete: of
// each key what its head has passed the beginning of the first waiting claim by.
func (r *rovers) finish(recorder *measure.Recorder) {
	first := make(map[int32]uint64) // by key, where its first waiting claim begins
	for slot := range r.lane.slots {
		s := &r.lane.slots[slot]
		if !s.open {
			continue
		}
		begin := r.tickets[slot].number - uint64(s.cost)
		if at, waits := first[s.key]; !waits || int64(begin-at) < 0 {
			first[s.key] = begin
		}
	}
	stranded := int64(0)
	for key, begin := range first {
		stranded += max(0, int64(r.keys[key].bucket.State().Head-begin))
	}
	recorder.StrandedTokens(stranded)
}
