// Package rover simulates rover buckets: it keeps time for them, and it runs
// callers that queue on them.
//
// The package makes no promise: it can change at any time.
package rover

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// callers simulates one rover bucket per key and the callers that queue on it.
//
// A bucket is replenished by its timer. Without one, each caller replenishes
// when it looks, and sleeps for as long as its missing tokens take.
type callers struct {
	Buckets
	executor *engine.EventExecutor
	keys     []keyState
	tickets  []ticket // by slot, of callers that wait
}

// Waits returns the bound on the wait of callers for missing tokens, or nil if
// they do not wait.
func Waits(_ *engine.Setting, a *scenarios.Algorithm) *counting.Waiting {
	if a.Options.String("when_short") != "wait" || a.Options.Duration("max_wait") == 0 {
		return nil
	}
	return &counting.Waiting{Time: a.Options.Duration("max_wait")}
}

// Executor returns the executor of callers that queue on rover buckets.
func Executor(t *engine.Trial) (engine.Executor, error) {
	buckets := NewBuckets(t)
	l := engine.NewEventExecutor(t.Sinks, t.Start)
	r := &callers{Buckets: buckets, executor: l, keys: make([]keyState, t.Keys)}
	l.Run(r)
	for _, e := range buckets.epochs[1:] {
		l.Schedule(max(e.from, t.Origin), rateChange, 0)
	}
	bucket := func(key int32) *TimedBucket { return &r.keys[key].TimedBucket }
	r.Settle(t, l, settling, bucket, func(now int64, key, _ int32, units uint64) { r.Release(bucket(key), now, units) })
	return l, nil
}

// keyState is one bucket and its queue, in ticket order.
type keyState struct {
	TimedBucket
	queue    engine.FIFO[int32] // slots; unused without a timer
	tickAt   int64              // the tick that is scheduled, 0 for none
	expireAt int64              // likewise
}

// ticket is a waiting caller's claim.
type ticket struct {
	number uint64
	expiry int64
}

// Event kinds, in the order in which they run when they share a timestamp. Ref is
// a key for tick and expire, a slot for look.
const (
	rateChange uint32 = iota
	tick
	settling        // and the following kinds
	look     uint32 = iota + SettlingEvents - 1
	expire
)

// at returns the key's bucket with every tick up to now done.
func (r *callers) at(now int64, key int32) *keyState {
	k := &r.keys[key]
	r.Wake(&k.TimedBucket, now)
	return k
}

func (r *callers) Arrive(now int64, slot int32) {
	s := r.executor.Attempt(slot)
	r.Charge(slot)
	key, n := s.Key, r.Claim(r.executor, slot)
	k := r.at(now, key)
	if r.BeforeClaim {
		k.Bucket.Replenish(now)
	}
	claim := k.Bucket.Grab(n)
	if r.BeforeLook {
		k.Bucket.Replenish(now)
	}
	short := k.Bucket.Deficiency(claim)
	switch {
	case short == 0:
		r.admit(k, now, slot)
	case r.MaxWait == 0:
		r.giveUp(k, slot, counting.ByLimiter)
	default:
		r.tickets = lists.Reach(r.tickets, slot)
		r.tickets[slot] = ticket{number: claim, expiry: now + r.MaxWait}
		if r.BeforeClaim || r.BeforeLook || r.OnWait {
			r.sleep(k, slot, now, short)
			return
		}
		k.queue.Push(slot)
		r.watch(k, key)
	}
}

// sleep schedules a caller's next look for the time at which its missing tokens
// can be available.
func (r *callers) sleep(k *keyState, slot int32, now int64, short uint64) {
	wake := now + max(1, r.Nap(k.Bucket, short))
	if expiry := r.tickets[slot].expiry; wake > expiry || wake < now {
		wake = expiry
	}
	r.executor.Schedule(wake, look, slot)
}

// watch schedules the next tick that credits the bucket of a key with a queue, and
// the time at which the caller at the head gives up.
func (r *callers) watch(k *keyState, key int32) {
	if k.queue.Len() == 0 {
		return
	}
	if k.tickAt != k.due && k.due != engine.Never {
		k.tickAt = k.due
		r.executor.Schedule(k.due, tick, key)
	}
	if k.expireAt == 0 {
		k.expireAt = r.tickets[*k.queue.Front()].expiry
		r.executor.Schedule(k.expireAt, expire, key)
	}
}

func (r *callers) Fire(e engine.Event) {
	switch e.Kind {
	default: // of settling
		if key, changed := r.Settling.Fire(e); changed {
			r.serve(&r.keys[key], e.Time, key)
		}
		return
	case tick, expire:
	case rateChange:
		r.rateChanged(e.Time)
		return
	case look:
		r.look(e.Time, e.Ref)
		return
	}
	k := r.at(e.Time, e.Ref)
	if e.Kind == expire {
		k.expireAt = 0
		r.leave(k, e.Time)
	}
	r.serve(k, e.Time, e.Ref)
}

// serve admits the callers whose tickets are served.
func (r *callers) serve(k *keyState, now int64, key int32) {
	for k.queue.Len() > 0 && k.Bucket.Deficiency(r.tickets[*k.queue.Front()].number) == 0 {
		r.admit(k, now, k.queue.Pop())
	}
	r.watch(k, key)
}

// rateChanged schedules the next ticks of keys with a queue by the new rate.
// Callers that sleep keep the wake-up time that they computed by the old rate.
func (r *callers) rateChanged(now int64) {
	for key := range r.keys {
		if r.keys[key].queue.Len() > 0 {
			r.serve(r.at(now, int32(key)), now, int32(key))
		}
	}
}

func (r *callers) look(now int64, slot int32) {
	k := r.at(now, r.executor.Attempt(slot).Key)
	k.Bucket.Replenish(now)
	switch short := k.Bucket.Deficiency(r.tickets[slot].number); {
	case short == 0:
		r.admit(k, now, slot)
	case now >= r.tickets[slot].expiry:
		r.giveUp(k, slot, counting.ByMaxWait)
	default:
		r.sleep(k, slot, now, short)
	}
}

// leave ends the wait of callers that have waited too long. Refunds of their
// claims move up the callers behind them.
func (r *callers) leave(k *keyState, now int64) {
	for k.queue.Len() > 0 && r.tickets[*k.queue.Front()].expiry <= now {
		slot := k.queue.Pop()
		if k.Bucket.Deficiency(r.tickets[slot].number) == 0 {
			r.admit(k, now, slot) // the tick of this instant has served it
			continue
		}
		r.giveUp(k, slot, counting.ByMaxWait)
	}
}

// giveUp rejects a caller whose claim was not served.
func (r *callers) giveUp(k *keyState, slot int32, cause counting.Cause) {
	r.Return(&k.TimedBucket, r.Claim(r.executor, slot))
	r.executor.Reject(slot, cause)
}

func (r *callers) admit(k *keyState, now int64, slot int32) {
	n := r.Claim(r.executor, slot)
	r.Dispatched(now, slot)
	r.executor.Admit(slot, counting.ByLimiter)
	if r.Config.Capped && !r.Held {
		k.Bucket.Release(n)
	}
}

func (r *callers) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return r.Buckets.Inspect(&r.at(now, key).TimedBucket, now, r.Estimated(key, cost))
}
