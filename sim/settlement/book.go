// Package settlement simulates the settlement of costs that become known with the answer:
// it keeps the reservations of a limiter, corrects its counters when a reservation is
// settled or expires, and reports what reservations strand. It decides no request and
// sends no message; limiters that settle do (docs/systems/llm-tokens.md).
//
// The package makes no promise: it can change at any time.
package settlement

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Counters are counters whose charges can be corrected, as counter.Table.
type Counters interface {
	Correct(key int32, now, taken, tokens int64, debt bool)
	CountsUntil(taken int64) int64
}

// Book holds what requests took on arrival until their costs are known.
type Book struct {
	settlement.Rule
	*shared
	counters Counters
	open     engine.Pool[reservation]

	// Schedule makes the limiter call Happen with the reservation at a time.
	Schedule func(at int64, what Event, reservation int32)
}

// shared is what the books of a limiter share.
type shared struct {
	config  settlement.Config
	meter   *measure.Settlement
	losses  random.Stream
	metered int64 // ns; the latest time passed to meter
}

// Event is something that happens to a reservation. Those of one instant happen in this
// order.
type Event uint8

const (
	Answered Event = iota // the answer to its request has arrived: it is settled
	Lapses                // what it holds does not count any more
	Expires               // what it holds is given back if it has not been settled
)

// reservation is what one request took.
type reservation struct {
	keys       []int32
	held, cost int64
	taken      int64
	pins       int8 // what still refers to it: its settlement and its events
	strands    bool // it holds tokens that count
	closed     bool // it has been settled, or has expired
}

// NewBook returns the empty book of a trial's limiter with these counters. It returns nil
// if costs are known on arrival.
func NewBook(t *engine.Trial, counters Counters) *Book {
	if !t.Settles {
		return nil
	}
	c := engine.Must(settlement.ConfigFrom(t.Algorithm.Options, t.MaxCost))
	return &Book{Rule: *settlement.NewRule(c), shared: &shared{config: c, meter: t.Recorder.Settlement(), losses: t.Stream("settlements")}, counters: counters}
}

// Another returns an empty book of the same limiter with other counters, which learns
// from its own answers.
func (b *Book) Another(counters Counters) *Book {
	return &Book{Rule: *settlement.NewRule(b.config), shared: b.shared, counters: counters}
}

// Draws reports whether settlements are lost at random.
func Draws(a *scenarios.Algorithm) bool {
	loss := a.Options.Share("settlement_loss")
	return loss.Num > 0 && loss.Num < loss.Den
}

// Way returns the way of settlement.
func (b *Book) Way() string { return b.config.Way }

// Corrects reports whether what requests take on arrival is corrected at all.
func (b *Book) Corrects() bool { return b.config.Way != settlement.None }

// Open notes that a request of this cost has taken tokens under all its keys at now. It
// returns the number of the reservation, which must be passed to Settle or Lose once.
// Times must not decrease between calls.
func (b *Book) Open(now int64, keys []int32, held, cost int64) int32 {
	ref := b.open.Take()
	r := b.open.At(ref)
	*r = reservation{keys: append(r.keys[:0], keys...), held: held, cost: cost, taken: now, pins: 1, strands: true}
	b.meter.Reserve(b.measured(now), held, cost)
	if held == 0 {
		return ref
	}
	if until := b.counters.CountsUntil(now); until != engine.Never {
		b.after(until, Lapses, ref)
	}
	if b.config.Expires > 0 {
		b.after(integers.Add(now, b.config.Expires), Expires, ref)
	}
	return ref
}

func (b *Book) after(at int64, what Event, ref int32) {
	b.open.At(ref).pins++
	b.Schedule(at, what, ref)
}

// Key returns the first key of a reservation.
func (b *Book) Key(ref int32) int32 { return b.open.At(ref).keys[0] }

// Lost draws whether a settlement is lost.
func (b *Book) Lost() bool {
	loss := b.config.Loss
	return loss.Num > 0 && b.losses.Chance(uint64(loss.Num), uint64(loss.Den))
}

// Dispatch settles a reservation when the answer arrives, these ns after now, unless its
// settlement is lost.
func (b *Book) Dispatch(now, answer int64, ref int32) {
	if b.Lost() {
		b.Lose(ref)
	} else {
		b.Schedule(integers.Add(now, answer), Answered, ref)
	}
}

// Settle takes the difference between the cost of a reservation and what it holds, or
// gives it back. A reservation that has expired holds nothing.
func (b *Book) Settle(now int64, ref int32) {
	r := b.open.At(ref)
	tokens := r.cost
	if !r.closed {
		tokens -= r.held
	}
	b.correct(now, r, tokens)
	b.close(now, r)
	b.Learn(r.keys, r.cost)
	b.unpin(ref)
}

// Lose notes that a reservation will never be settled.
func (b *Book) Lose(ref int32) { b.unpin(ref) }

// Happen runs an event that was scheduled.
func (b *Book) Happen(now int64, what Event, ref int32) {
	r := b.open.At(ref)
	switch {
	case what == Answered:
		b.Settle(now, ref)
		return
	case what == Lapses:
		b.release(now, r)
	case !r.closed:
		b.correct(now, r, -r.held)
		b.close(now, r)
	}
	b.unpin(ref)
}

func (b *Book) correct(now int64, r *reservation, tokens int64) {
	if tokens == 0 {
		return
	}
	for _, key := range r.keys {
		b.counters.Correct(key, now, r.taken, tokens, b.config.Debt)
	}
}

func (b *Book) close(now int64, r *reservation) {
	r.closed = true
	b.release(now, r)
}

// release reports that the reservation strands nothing any more.
func (b *Book) release(now int64, r *reservation) {
	if r.strands {
		r.strands = false
		b.meter.Release(b.measured(now), r.held, r.cost)
	}
}

// measured returns the time to measure. A store knows some ns ahead when it serves a
// call, so that a reservation may expire in between.
func (b *Book) measured(now int64) int64 {
	b.metered = max(b.metered, now)
	return b.metered
}

func (b *Book) unpin(ref int32) {
	r := b.open.At(ref)
	if r.pins--; r.pins == 0 {
		b.open.Release(ref)
	}
}
