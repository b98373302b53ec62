package rover

import (
	"cmp"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	claims "github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/settlement"
)

// Settling corrects the claims of requests whose costs become known with their
// answers. At the answer it refunds what the request has not used, or claims what was
// missing, without waiting for it. A capped bucket then gets the actual cost released.
type Settling struct {
	bucket   func(key int32) *TimedBucket
	release  func(now int64, key, client int32, units uint64) // of a capped bucket
	executor *engine.EventExecutor
	buckets  *Buckets
	book     *settlement.Book
	kind     uint32 // of the first event
	charges  []int64
	flights  engine.Pool[flight]
	expired  []int64 // by reservation: units by which its expiry has changed the claim
	moved    int64   // units by which the latest corrections have changed a claim
}

// flight is a request that has been dispatched and not answered.
type flight struct {
	key, client int32
	reservation int32 // or noReservation
	claimed     int64 // units
}

const noReservation = int32(-1)

// SettlingEvents is the number of kinds of events of a Settling: those of its book.
const SettlingEvents = 3

// checkSettling returns an error if claims cannot be corrected.
func checkSettling(s *engine.Setting, a *scenarios.Algorithm) error {
	if !s.Settles {
		return nil
	}
	c, err := claims.ConfigFrom(a.Options, s.MaxCost)
	return cmp.Or(err,
		catalog.ErrorIf(c.Way == claims.CheckThenDeduct,
			"settle: check-then-deduct claims nothing on arrival, and a rover bucket serves callers by their claims"),
		catalog.ErrorIf(c.Way != claims.None && !a.Options.Bool("refund"),
			"settle: what a request has not used is refunded, which refund: false excludes"),
		catalog.ErrorIf(c.Maximum > MaxUnits>>a.Options.Int("token_resolution"),
			"settle: a claim of %d tokens does not fit 62 bits at this token_resolution", c.Maximum))
}

// Settle makes r correct claims if costs become known with the answers. Events have
// SettlingEvents kinds from kind on. bucket returns the bucket of a key; release releases
// units of a capped one, also when the guarded backend has completed a request.
func (r *Buckets) Settle(t *engine.Trial, l *engine.EventExecutor, kind uint32,
	bucket func(key int32) *TimedBucket, release func(now int64, key, client int32, units uint64)) {
	if t.Settles {
		s := &Settling{bucket: bucket, release: release, executor: l, buckets: r, kind: kind}
		s.book = settlement.NewBook(t, s)
		s.book.Schedule = func(at int64, what settlement.Event, reservation int32) {
			l.Schedule(at, kind+uint32(what), reservation)
		}
		r.Settling = s
	} else if t.Guard != nil && r.Config.Capped {
		t.Guard.OnCompletion(func(now int64, key, client int32, cost int64) { release(now, key, client, r.Units(cost)) })
	}
}

// Charge notes what the attempt in slot, which arrives, will claim. Claim returns it.
func (r *Buckets) Charge(slot int32) {
	s := r.Settling
	if s == nil {
		return
	}
	s.charges = lists.Reach(s.charges, slot)
	estimate, _ := s.executor.Estimate(slot)
	s.charges[slot] = s.book.Charge(s.executor.Keys(slot), estimate)
}

// Claim returns the units that the attempt in slot claims.
func (r *Buckets) Claim(l *engine.EventExecutor, slot int32) uint64 {
	if r.Settling != nil {
		return r.Units(r.Settling.charges[slot])
	}
	return r.Units(l.Attempt(slot).Cost)
}

// Dispatched starts the time until the answer of the attempt in slot, which is being
// admitted.
func (r *Buckets) Dispatched(now int64, slot int32) {
	s := r.Settling
	if s == nil || !s.book.Corrects() && !r.Config.Capped {
		return
	}
	a := s.executor.Attempt(slot)
	_, answer := s.executor.Estimate(slot)
	f := flight{key: a.Key, client: a.Client, reservation: noReservation, claimed: int64(r.Units(s.charges[slot]))}
	if s.book.Corrects() {
		f.reservation = s.book.Open(now, s.executor.Keys(slot), s.charges[slot], a.Cost)
		s.expired = lists.Reach(s.expired, f.reservation)
		s.expired[f.reservation] = 0
		if s.book.Lost() {
			s.book.Lose(f.reservation)
			return
		}
	}
	s.executor.Schedule(integers.Add(now, answer), s.kind+uint32(settlement.Answered), s.flights.Add(f))
}

// Fire runs an event of these kinds. It returns the key whose bucket it has changed,
// or ok false if there is none.
func (s *Settling) Fire(e engine.Event) (key int32, ok bool) {
	s.moved = 0
	if what := settlement.Event(e.Kind - s.kind); what != settlement.Answered {
		key = s.book.Key(e.Ref)
		s.book.Happen(e.Time, what, e.Ref)
		s.expired[e.Ref] += s.moved
		return key, s.moved != 0
	}
	f := *s.flights.At(e.Ref)
	s.flights.Release(e.Ref)
	s.buckets.Advance(s.bucket(f.key), e.Time)
	if f.reservation != noReservation {
		before := s.expired[f.reservation]
		s.book.Settle(e.Time, f.reservation)
		f.claimed += before + s.moved
	}
	if s.buckets.Config.Capped && f.claimed > 0 {
		s.release(e.Time, f.key, f.client, uint64(f.claimed))
	}
	return f.key, true
}

// Correct implements settle.Counters. Without debt it claims only what is available.
func (s *Settling) Correct(key int32, now, _, tokens int64, debt bool) {
	b := s.bucket(key)
	s.buckets.Advance(b, now) // the tick of this instant precedes answers, as it precedes arrivals
	switch {
	case tokens < 0:
		b.Bucket.GiveBack(s.buckets.Units(-tokens))
		s.moved += tokens << s.buckets.Bits
	case debt:
		b.Bucket.Grab(s.buckets.Units(tokens))
		s.moved += tokens << s.buckets.Bits
	default:
		s.moved += int64(b.Bucket.TryGrab(1, s.buckets.Units(tokens)))
	}
}

// CountsUntil implements settle.Counters: a claim counts until its tokens are earned
// again.
func (*Settling) CountsUntil(int64) int64 { return math.MaxInt64 }

// Estimated returns what a request of this estimate would claim.
func (r *Buckets) Estimated(key int32, estimate int64) int64 {
	if r.Settling == nil {
		return estimate
	}
	return r.Settling.book.Charge([]int32{key}, estimate)
}
