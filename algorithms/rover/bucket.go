// Package rover implements Seastar's shared token bucket: a lock-free bucket made of
// 64-bit counters, the rovers, that only grow, and wrap. Make a [Bucket] with [New],
// call [Bucket.Replenish] with the current time, and claim tokens with
// [Bucket.TryGrab], [Bucket.Grab] or a [Lease] from any number of goroutines. The
// package reads no clock and does not make callers wait.
//
// Tail counts the claimed tokens, head the replenished tokens and, with capped
// release, ceil the released tokens. The distance of one rover over another is
// their difference as a signed number, or 0 if that is negative. It is therefore
// correct when they wrap, as long as no two rovers are 2^63 apart.
//
// A claim by [Bucket.Grab] never fails. It moves tail and returns a ticket: the
// caller may proceed when head has reached the ticket, that is when
// [Bucket.Deficiency] is 0. Callers thus queue in the order of their claims, as with
// a ticket lock. Tokens come from [Bucket.Replenish], which any goroutine may call,
// from a timer or before each claim.
//
// Without capped release, head may lead tail by the limit: a token bucket. A claim made
// before a replenish increases what that replenish may add. So replenish before a claim, or
// from a timer (its delay adds to the burst), and never only after a rejection: a bucket
// that has been idle would give its limit twice at one instant, first what it held and then
// what it had earned. With capped release, head may not pass ceil, which starts at the
// limit and moves with [Bucket.Release]. At most limit tokens are then in use at a time,
// and the throughput is min(rate, limit/hold) if each token is released hold after its use.
//
// A caller that does not wait for a missing token must give its claim back with
// [Bucket.GiveBack]; otherwise tail grows faster than head and no later caller is
// served. A caller that never waits should use TryGrab, which claims only
// available tokens. A [Lease] does so for many calls at a time and costs less per
// call than an atomic addition.
//
// # Concurrency
//
// All methods of a Bucket but Preset are safe for concurrent use; a Lease belongs to
// one goroutine. A goroutine that is stopped within a method blocks no other. Any
// span of time is credited at most once: the goroutine that moves the stamp over it
// credits it, and the others return without effect. A replenisher reads the room,
// then moves the stamp, then moves head, so claims that follow the moved stamp do not
// increase its credit: if all callers replenish first, at most limit tokens are
// claimed at one instant, after any idle time. If a second replenisher comes between
// the stamp and head, both see the same room, and head can pass the cap by the second
// one's credit, that is by what the rate earned between their two stamps. With k at
// once, head can pass the cap by the credits of all but one. The sum of all credits
// never exceeds what the rate earned (in Faithful mode, as that mode rounds it), and
// is not smaller while there is room.
//
// If the rate is updated during a replenish, the time since the stamp is credited
// once, at the old rate or at the new one. A claim is served when head has reached
// its ticket and stays served, whatever happens to the rate or the room: head never
// moves back.
package rover

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Bucket is a shared token bucket. Make one with [New]; the zero Bucket has no
// tokens, and its methods that need a rate or a time panic. A Bucket must not be copied.
// Its methods are safe for concurrent use, except for Preset. Claims write tail,
// replenishers write head and completions write ceil. Each of them has a cache line
// of its own, as have the read-only fields, so that cores do not take cache lines
// from each other needlessly.
type Bucket struct {
	clock   clock
	per     int64
	limit   uint64
	maxRate uint64
	capped  bool
	mode    StampMode

	_    [64]byte
	tail atomic.Uint64
	_    [56]byte
	head atomic.Uint64
	_    [56]byte
	ceil atomic.Uint64
	_    [56]byte
}

// clock converts time to tokens, in one of the two stamp modes.
type clock interface {
	// credit moves the stamp towards now and returns what that earned, cut to the room
	// that b had before. If that earned less than the threshold, or another goroutine
	// moved the stamp, it keeps the stamp and returns 0.
	credit(now int64, b *Bucket) uint64
	rate() uint64
	updateRate(r uint64)
	stamp() int64
	setStamp(at int64)
	readyAt() int64 // the first time at which credit returns anything
}

// over returns the distance of rover a over rover b.
func over(a, b uint64) uint64 { return uint64(max(int64(a-b), 0)) }

// Grab claims n tokens and returns the claim's ticket, the new tail. It does not look
// whether the tokens are there: [Bucket.Deficiency] does. All claims that wait must
// stay below 2^63 tokens together, so bound the cost of a request.
//
// A claim of more than [MaxLimit] tokens, such as a negative number that was
// converted, is not made: it gets a ticket that lacks 2^63-1 tokens, and giving it
// back has no effect.
func (b *Bucket) Grab(n uint64) (ticket uint64) {
	if n > MaxLimit {
		return b.head.Load() + math.MaxInt64
	}
	return b.tail.Add(n)
}

// Deficiency returns how many tokens are missing before the claim with this ticket
// may proceed, including those of earlier tickets. At 0 the caller proceeds.
func (b *Bucket) Deficiency(ticket uint64) uint64 { return over(ticket, b.head.Load()) }

// TryGrab claims as many tokens as are available, up to most, or none if fewer than
// least are available. It returns the number of claimed tokens, which need no wait
// and no refund. While earlier claims wait, no token is available. TryGrab never
// grants more in total than the bucket was credited, whatever its arguments are. It
// does not replenish: call [Bucket.Replenish] before it, or from a timer.
func (b *Bucket) TryGrab(least, most uint64) (got uint64) {
	for {
		tail := b.tail.Load()
		// Head is read after tail and never moves back. The tokens between them
		// are therefore still available if tail has not moved.
		got = min(over(b.head.Load(), tail), most)
		if got < least || got == 0 {
			return 0
		}
		if b.tail.CompareAndSwap(tail, tail+got) {
			return got
		}
	}
}

// Replenish credits the tokens earned since the stamp, up to the room for them; the
// rest is lost. It has no effect if now is not after the stamp, if less than the
// threshold was earned, or if another replenish moves the stamp at the same time.
// Faithful credits at most one hour, like the original.
func (b *Bucket) Replenish(now int64) {
	if x := b.clock.credit(now, b); x > 0 {
		b.head.Add(x)
	}
}

// ReadyAt returns the earliest time in ns at which a replenish credits anything, or
// math.MaxInt64 if none does. It may be in the past. A replenish before it has no
// effect.
func (b *Bucket) ReadyAt() int64 { return b.clock.readyAt() }

// Room returns how many tokens the next replenish can add.
func (b *Bucket) Room() uint64 {
	// Head is read first. A goroutine that is stopped in between then finds too
	// much room, and head passes the cap by at most its credit. In the other order
	// it would find too little, and its credit would be lost.
	head := b.head.Load()
	if b.capped {
		return over(b.ceil.Load(), head)
	}
	return over(b.tail.Load()+b.limit, head)
}

// Release returns n used tokens to a bucket with capped release, for a later
// replenish. It has no effect on a bucket without, nor for n above [MaxLimit]. Never
// release more than was claimed: more than limit tokens could then be in use.
func (b *Bucket) Release(n uint64) {
	if b.capped && n <= MaxLimit {
		b.ceil.Add(n)
	}
}

// Capped reports whether the release is capped.
func (b *Bucket) Capped() bool { return b.capped }

// Refund gives back a claim of n tokens that was not used. It moves head without
// regard to the cap. Never refund more than was claimed: callers would get the
// difference beyond the rate and the limit, and nothing would notice. It has no
// effect for n above [MaxLimit]. With capped release the caller must also release the
// claim, because no completion will; a refund alone reduces the room by n tokens for
// ever. [Bucket.GiveBack] does both.
//
// If no later claim waits behind a refunded claim, its tokens go to the claims that
// wait before it: these proceed at once, and the next claims wait for the tokens
// that head then lacks. If many goroutines reject requests, TryGrab avoids this.
func (b *Bucket) Refund(n uint64) {
	if n <= MaxLimit {
		b.head.Add(n)
	}
}

// GiveBack refunds a claim of n tokens that was not used and, with capped release,
// releases it.
func (b *Bucket) GiveBack(n uint64) {
	b.Refund(n)
	b.Release(n)
}

// DurationFor returns the time in which the rate earns n tokens: a caller with that
// deficiency can sleep for it. ByTokens rounds up to a whole nanosecond; Faithful
// divides in float64 like the original and rounds to the nearest. At rate 0, and for
// any time above 292 years, ok is false and the time is math.MaxInt64.
func (b *Bucket) DurationFor(n uint64) (d time.Duration, ok bool) {
	rate := b.Rate()
	switch {
	case rate == 0:
		d = math.MaxInt64
	case b.mode == Faithful:
		d = math.MaxInt64
		if ns := math.Round(float64(n) / float64(rate) * float64(b.per)); ns < math.MaxInt64 {
			d = time.Duration(ns)
		}
	default:
		d = time.Duration(integers.MulDivUp(n, uint64(b.per), rate, math.MaxInt64))
	}
	return d, d < math.MaxInt64
}

// Rate returns the present rate in tokens per period.
func (b *Bucket) Rate() uint64 { return b.clock.rate() }

// UpdateRate sets the rate in tokens per period, cut to [MaxRate]. The time since the
// stamp is credited at the new rate. Rate 0 is valid and stops the bucket. ByTokens:
// a change of the rate rounds the stamp up to a whole nanosecond, so that each change
// loses less than 1 ns and none gains time.
func (b *Bucket) UpdateRate(r uint64) { b.clock.updateRate(min(r, b.maxRate)) }

// State holds the rovers and the stamp of a bucket.
type State struct {
	Tail, Head uint64
	Ceil       uint64 // no effect unless the bucket is capped
	Stamp      int64  // ns; ByTokens: the first whole ns at which the credited tokens were earned
}

// State returns the rovers and the stamp, read one after the other. While other
// goroutines use the bucket, the four may come from different times.
func (b *Bucket) State() State {
	return State{Tail: b.tail.Load(), Head: b.head.Load(), Ceil: b.ceil.Load(), Stamp: b.clock.stamp()}
}

// Preset sets the state, one rover after the other, for experiments. It is not safe
// for concurrent use, and it checks nothing. With a stamp equal to the present one,
// ByTokens keeps its fraction of a token; any other stamp drops it.
func (b *Bucket) Preset(s State) {
	b.tail.Store(s.Tail)
	b.head.Store(s.Head)
	b.ceil.Store(s.Ceil)
	if s.Stamp != b.clock.stamp() {
		b.clock.setStamp(s.Stamp)
	}
}
