package rover

import (
	"cmp"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/algorithms/rover/described"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// Buckets creates rover buckets, runs their timers and holds the options of the
// limiters that use them.
type Buckets struct {
	Config rover.Config // except for the rate
	epochs []epoch
	Bits   uint // a token is 2^Bits units, in which the buckets count
	// Callers replenish before a new claim and at each later look, so that claims do
	// not enlarge what it adds; or right before each look, after a new claim; or at
	// each look with a claim made earlier; or never, because the timer does it.
	BeforeClaim, BeforeLook, OnWait bool

	Held    bool  // tokens of a capped bucket are released when the guarded backend completes the request, or at the answer if costs become known with it; else at the dispatch
	Refunds bool  // claims that are not used are returned
	MaxWait int64 // ns; 0: reject at once

	Settling *Settling // nil if costs are known on arrival
}

// epoch is a span of time with one rate. A fault that changes the rate begins a
// new epoch: it applies the new rate to the open gap too, and keeps the depth of
// the buckets.
type epoch struct {
	from  int64
	rate  uint64
	timer timer
}

// TimedBucket is one key's bucket and its timer. The bucket is nil before the
// first request.
type TimedBucket struct {
	Bucket *rover.Bucket
	epoch  int
	due    int64 // the timer's next tick that credits something
}

func configOf(s *engine.Setting, a *scenarios.Algorithm, start int64) (rover.Config, error) {
	return described.Configure(s.Limit.Count, s.Limit.Window, s.Limit.Burst, a.Options, start)
}

// MaxUnits limits costs in units, so that distances between rovers stay below
// 2^63.
const MaxUnits = int64(1) << 62

// Check returns an error if no bucket can have these options.
func Check(s *engine.Setting, a *scenarios.Algorithm) (rover.Config, error) {
	config, err := configOf(s, a, 0)
	if err == nil {
		_, err = rover.New(config)
	}
	if err != nil {
		return config, err
	}
	return config, cmp.Or(
		catalog.ErrorIf(a.Options.String("replenish") == "on-wait" && Waits(s, a) == nil,
			"replenish: on-wait leaves it to callers that wait: it needs when_short: wait and a max_wait"),
		checkSettling(s, a),
		catalog.ErrorIf(s.MaxCost > MaxUnits>>a.Options.Int("token_resolution"),
			"a request of %d tokens does not fit 62 bits at this token_resolution", s.MaxCost))
}

// NewBuckets returns the buckets of a trial, all unused.
func NewBuckets(t *engine.Trial) Buckets {
	o := t.Algorithm.Options
	config := engine.Must(configOf(t.Setting, t.Algorithm, 0))
	replenish := o.String("replenish")
	r := Buckets{
		Config: config, Bits: uint(o.Int("token_resolution")), Held: t.Guard != nil || t.Settles, Refunds: o.Bool("refund"),
		BeforeClaim: replenish == "on-poll", BeforeLook: replenish == "on-look", OnWait: replenish == "on-wait",
	}
	grid := map[string]int64{"timer": o.Duration("replenish_interval"), "continuous": 1}[replenish]
	r.begin(math.MinInt64, config.Rate, grid)
	for _, c := range t.Changes(t.Limit, engine.Whole) {
		if rate := min(uint64(c.Limit.Count)<<r.Bits, rover.MaxRate(config.Per)); rate != r.epochs[len(r.epochs)-1].rate {
			r.begin(c.At, rate, grid)
		}
	}
	if o.String("when_short") == "wait" {
		r.MaxWait = o.Duration("max_wait")
	}
	return r
}

// begin adds an epoch.
func (r *Buckets) begin(from int64, rate uint64, grid int64) {
	config := r.Config
	config.Rate = rate
	r.epochs = append(r.epochs, epoch{from, rate, newTimer(grid, &config)})
}

// Wake creates the bucket at a key's first request, and runs its ticks up to now.
func (r *Buckets) Wake(b *TimedBucket, now int64) {
	if b.Bucket == nil {
		for b.epoch+1 < len(r.epochs) && r.epochs[b.epoch+1].from <= now {
			b.epoch++
		}
		config := r.Config
		config.Rate, config.Start = r.epochs[b.epoch].rate, now
		bucket, err := rover.New(config)
		if err != nil {
			panic(err) // checked before
		}
		b.Bucket = bucket
		ticks := &r.epochs[b.epoch].timer
		b.due = ticks.tickFrom(max(bucket.ReadyAt(), ticks.lastTick(now)))
	}
	r.Advance(b, now)
}

// Advance runs the timer's ticks and the changes of the rate up to now.
func (r *Buckets) Advance(b *TimedBucket, now int64) {
	for b.epoch+1 < len(r.epochs) && r.epochs[b.epoch+1].from <= now {
		next := &r.epochs[b.epoch+1]
		r.epochs[b.epoch].timer.catchUp(b, next.from-1)
		b.epoch++
		b.Bucket.UpdateRate(next.rate)
		b.due = next.timer.tickFrom(max(b.Bucket.ReadyAt(), next.from))
	}
	r.epochs[b.epoch].timer.catchUp(b, now)
}

// Nap returns how long a caller with missing tokens sleeps. With OnWait it is a whole
// number of microseconds, like the original's, and at least one: the original
// polls instead of sleeping for none.
func (r *Buckets) Nap(b *rover.Bucket, missing uint64) int64 {
	d, ok := b.DurationFor(missing)
	if r.OnWait && ok {
		d = max(1, d/1000) * 1000
	}
	return int64(d) // counting.Never unless ok
}

// Units returns a cost in the buckets' units.
func (r *Buckets) Units(cost int64) uint64 { return uint64(cost) << r.Bits }

// Inspect returns the whole tokens of a bucket without a claim on them, and when a
// claim of this cost made now would be served.
func (r *Buckets) Inspect(b *TimedBucket, now, cost int64) (level, retryAt int64) {
	state := b.Bucket.State()
	units := int64(state.Head - state.Tail)
	level, retryAt = units>>r.Bits, now
	if short := int64(r.Units(cost)) - units; short > 0 {
		retryAt = counting.Never
		if wait, ok := b.Bucket.DurationFor(uint64(short)); ok && int64(wait) < engine.Never-now {
			retryAt = now + int64(wait)
		}
	}
	return level, retryAt
}

// Return refunds an unused claim. A capped bucket also gets its tokens released,
// because no completion will release them.
func (r *Buckets) Return(b *TimedBucket, tokens uint64) {
	if r.Refunds {
		b.Bucket.GiveBack(tokens)
	}
}

// Release releases the tokens of a request that has completed at now.
func (r *Buckets) Release(b *TimedBucket, now int64, tokens uint64) {
	r.Advance(b, now-1) // the tick of this instant follows completions
	b.Bucket.Release(tokens)
}
