// Package rover is Seastar's shared token bucket: a lock-free bucket made of
// 64-bit counters, the rovers, that only grow, and wrap.
//
// Tail counts the tokens claimed, head the tokens replenished and, with capped
// release, ceil the tokens released. One rover's distance over another is
// their difference read as signed, negative read as 0, so nothing happens when
// they wrap, as long as no two are 2^63 apart.
//
// Claiming never fails. [Bucket.Grab] moves tail and returns a ticket: the
// claim may go ahead as soon as head has reached the ticket, when
// [Bucket.Deficiency] is 0. Callers so queue as with a ticket lock, in the
// order of their grabs. Tokens come from [Bucket.Replenish], which anybody may
// call with the present time, from a timer or whenever they look.
//
// Uncapped, head may lead tail by the limit: a token bucket. A claim made
// before a replenish enlarges what that replenish may add. Capped, head may
// not pass ceil, which starts at the limit and moves with [Bucket.Release]:
// at most limit tokens are out at a time, and the throughput is
// min(rate, limit/hold) if each token is released hold after its dispatch.
//
// A caller who will not wait for a missing token must give it back with
// [Bucket.Refund]: otherwise tail runs away and nobody is served again. A
// caller who never waits need not queue at all: [Bucket.TryGrab] claims only
// what is there. A [Lease] does so for many calls at a time, and then costs
// less per call than an atomic add.
//
// # Concurrency
//
// Every method may be called by any goroutine at any time, and a goroutine that
// is stopped in one of them holds up no other. Any span of time is credited at
// most once: whoever moves the stamp over it credits it, everybody else returns
// without effect. A replenisher reads the room after it moved the stamp and
// before it moves head. If a second one comes in between, both see the same
// room, and head may pass the cap by as much as the second one's credit, that
// is by what the rate earned between their two stamps; among k at once, by the
// credits of all but one. The sum of all credits never exceeds what the rate
// earned (in the Faithful mode: as that rounds it), and is no less while there
// is room.
//
// A rate that is updated while somebody replenishes prices the stretch of time
// that is open at that moment once, at the old rate or at the new one. A claim
// is served once head has reached its ticket and stays served, whatever happens
// to the rate or the room afterwards: head never moves back.
package rover

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// Bucket is a shared token bucket, made by [New]; the zero Bucket is not one,
// and a Bucket must not be copied. Callers write tail, replenishers head, and
// completions ceil: each has a cache line of its own, so that cores do not take
// it from each other for nothing, and so have the fields that are only read.
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

// clock turns time into tokens, in one of the two stamp modes.
type clock interface {
	// credit moves the stamp towards now and returns what that earned, at
	// least the threshold, or leaves the stamp alone and returns 0.
	credit(now int64) uint64
	rate() uint64
	updateRate(r uint64)
	stamp() int64
	setStamp(at int64)
	readyAt() int64 // the first now at which credit gives anything
}

// over is the distance of rover a over rover b.
func over(a, b uint64) uint64 { return uint64(max(int64(a-b), 0)) }

// Grab claims n tokens, which always succeeds, and returns the ticket to wait
// with: the new tail.
func (b *Bucket) Grab(n uint64) (ticket uint64) { return b.tail.Add(n) }

// Deficiency returns how many tokens are missing before the claim with this
// ticket may go ahead, those of earlier tickets included; 0 is "go".
func (b *Bucket) Deficiency(ticket uint64) uint64 { return over(ticket, b.head.Load()) }

// TryGrab claims as many tokens as may go ahead at once, up to most, or none
// where those are fewer than least. It returns how many it claimed: they need
// no waiting and no refund. While earlier claims wait nothing is there. The
// bucket never grants more in this way than it was credited.
func (b *Bucket) TryGrab(least, most uint64) (got uint64) {
	for {
		tail := b.tail.Load()
		// Head is read after tail and never moves back, so what is found
		// between them is still there if tail has not moved.
		got = min(over(b.head.Load(), tail), most)
		if got < least || got == 0 {
			return 0
		}
		if b.tail.CompareAndSwap(tail, tail+got) {
			return got
		}
	}
}

// Replenish credits the tokens earned since the stamp, as far as there is room
// for them; what the room cuts off is lost. It does nothing when now is not
// after the stamp, when less than the threshold was earned, or when another
// replenish moves the stamp at the same time. An hour is the longest gap that
// is credited. (ByTokens: or the time in which the threshold is earned, if
// that is longer; otherwise a rate of a few tokens a day would give none.)
func (b *Bucket) Replenish(now int64) {
	x := b.clock.credit(now)
	if x > 0 {
		b.head.Add(min(x, b.Room()))
	}
}

// ReadyAt is the earliest instant at which a replenish credits anything, or
// math.MaxInt64: a simulator need not look before it. It may lie in the past.
func (b *Bucket) ReadyAt() int64 { return b.clock.readyAt() }

// Room is how many tokens the next replenish may add at most.
func (b *Bucket) Room() uint64 {
	// Head is read first: a goroutine stopped in between then finds too much
	// room, and head passes the cap by its credit at most. The other way round
	// it would find too little, and what it had to credit would be lost.
	head := b.head.Load()
	if b.capped {
		return over(b.ceil.Load(), head)
	}
	return over(b.tail.Load()+b.limit, head)
}

// Release gives n used tokens back to a bucket with capped release, for a
// later replenish to hand out. It panics on an uncapped bucket.
func (b *Bucket) Release(n uint64) {
	if !b.capped {
		panic("rover: release on a bucket without capped release")
	}
	b.ceil.Add(n)
}

// Capped reports whether the release is capped.
func (b *Bucket) Capped() bool { return b.capped }

// Refund gives back a claim of n tokens that was not used. It moves head
// without looking at the cap: never refund what was not grabbed. With capped
// release the claim must be released too, since nothing else will complete it:
// a refund alone takes n tokens of room away for good.
//
// A refunded claim that others do not wait behind lends its tokens to those
// who wait before it: they go ahead at once, and what head then lacks the next
// claims wait for. Where refusals come from many goroutines, TryGrab lends nothing.
func (b *Bucket) Refund(n uint64) { b.head.Add(n) }

// DurationFor is how long the rate takes to earn n tokens, in ns: how long a
// caller with that deficiency may sleep. ByTokens rounds up; Faithful divides
// in float64 as the original and rounds to the nearest. It is math.MaxInt64 at
// rate 0 and wherever the answer would be longer.
func (b *Bucket) DurationFor(n uint64) int64 {
	rate := b.Rate()
	if rate == 0 {
		return math.MaxInt64
	}
	if b.mode == Faithful {
		ns := math.Round(float64(n) / float64(rate) * float64(b.per))
		if ns >= math.MaxInt64 {
			return math.MaxInt64
		}
		return int64(ns)
	}
	hi, lo := bits.Mul64(n, uint64(b.per))
	lo, carry := bits.Add64(lo, rate-1, 0)
	hi += carry
	if hi >= rate {
		return math.MaxInt64
	}
	ns, _ := bits.Div64(hi, lo, rate)
	return int64(min(ns, math.MaxInt64))
}

// Rate is the present rate in tokens per period.
func (b *Bucket) Rate() uint64 { return b.clock.rate() }

// UpdateRate sets the rate, cut to the largest one. It re-prices the open gap:
// time since the stamp is credited at the new rate. 0 is legal and stops the
// bucket. ByTokens: a changed rate rounds the stamp up to a whole nanosecond,
// so less than 1 ns of time is lost per change and none is ever gained.
func (b *Bucket) UpdateRate(r uint64) { b.clock.updateRate(min(r, b.maxRate)) }

// State is a bucket's rovers and stamp, to look at and to set.
type State struct {
	Tail, Head uint64
	Ceil       uint64 // without effect unless the release is capped
	Stamp      int64  // ns; ByTokens: the first whole ns by which the tokens credited so far were earned
}

// State reads the rovers and the stamp one after the other: while other
// goroutines use the bucket the four need not belong together.
func (b *Bucket) State() State {
	return State{Tail: b.tail.Load(), Head: b.head.Load(), Ceil: b.ceil.Load(), Stamp: b.clock.stamp()}
}

// Preset puts the bucket into a state, one rover after the other: for trying
// things out before it is shared. A stamp equal to the present one keeps what
// ByTokens remembers of a started token; any other forgets it.
func (b *Bucket) Preset(s State) {
	b.tail.Store(s.Tail)
	b.head.Store(s.Head)
	b.ceil.Store(s.Ceil)
	if s.Stamp != b.clock.stamp() {
		b.clock.setStamp(s.Stamp)
	}
}
