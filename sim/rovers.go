package sim

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// rovers runs rover buckets, one a key, with the callers that queue on them.
//
// A bucket's timer ticks at multiples of the grid. Ticks that would credit
// nothing change nothing, so only the next one that credits is ever scheduled,
// and those of a key that nobody asks are run when it is next looked at: an
// idle year costs nothing. A continuous bucket is one whose grid is 1 ns. With
// grid 0 nobody ticks: each caller replenishes when it looks, and sleeps for
// as long as its missing tokens take.
type rovers struct {
	lane    *eventLane
	create  func(now int64) *rover.Bucket
	capped  bool
	hold    bool  // a guarded backend releases what it has completed; otherwise the dispatch does
	grid    int64 // ns between ticks
	maxWait int64 // ns; 0: refuse at once

	keys    []roverKey
	tickets []ticket // by slot, of callers that wait
}

// roverKey is one bucket and its queue, in ticket order.
type roverKey struct {
	bucket   *rover.Bucket
	queue    fifo[int32] // slots; unused with grid 0
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
		k.due = r.tickFrom(max(k.bucket.ReadyAt(), now+1))
	}
	r.catchUp(k, now)
	return k
}

func (r *rovers) catchUp(k *roverKey, now int64) {
	if r.grid == 0 {
		return
	}
	for k.due <= now {
		at := k.due
		k.bucket.Replenish(at)
		k.due = r.nextTick(k)
		if period := k.due - at; k.bucket.Room() == 0 && now-at > 2*period {
			// The ticks of a full bucket only move its stamp, and evenly: all
			// but the last of them need not be run one by one.
			k.bucket.Replenish(at + (now-at)/period*period)
			k.due = r.nextTick(k)
		}
	}
}

// nextTick is the first tick that credits something, or never.
func (r *rovers) nextTick(k *roverKey) int64 { return r.tickFrom(k.bucket.ReadyAt()) }

// tickFrom is the first tick that is not before t, or never.
func (r *rovers) tickFrom(t int64) int64 {
	if r.grid == 0 || t > never-r.grid {
		return never
	}
	return (t + r.grid - 1) / r.grid * r.grid
}

func (r *rovers) arrive(now int64, slot int32) {
	s := &r.lane.slots[slot]
	key, n := s.key, uint64(s.cost)
	k := r.at(now, key)
	claim := k.bucket.Grab(n)
	if r.grid == 0 {
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
		if r.grid == 0 {
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
		r.at(now, key).bucket.Release(uint64(cost))
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
