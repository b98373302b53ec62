package shards

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// roverBuckets makes rover buckets and keeps time for them, and says how they
// are used, for whoever runs them.
type roverBuckets struct {
	config  rover.Config // but for the rate
	epochs  []roverEpoch
	bits    uint // a token is 2^bits units, in which the buckets count
	looks   lookOrder
	hold    bool  // a guarded backend releases what it has completed; otherwise the dispatch does
	refund  bool  // claims that are not used are given back
	maxWait int64 // ns; 0: refuse at once
}

// roverEpoch is the time from an instant on in which the rate is this one. Faults
// begin new ones: they update the rate, which re-prices the open gap, and leave
// the depth of buckets as it was made.
type roverEpoch struct {
	from  int64
	rate  uint64
	timer roverTimer
}

// lookOrder is when a caller replenishes, where it does.
type lookOrder uint8

const (
	leaveIt     lookOrder = iota // the timer does it
	beforeClaim                  // before a fresh claim and when it comes back: claims do not enlarge what it adds
	beforeLook                   // right before a look, after a fresh claim
)

// timedBucket is one key's bucket, unless nil.
type timedBucket struct {
	bucket *rover.Bucket
	epoch  int
	due    int64 // the timer's next tick that credits something
}

func roverConfig(s *engine.Setting, a *scenarios.Algorithm, start int64) (rover.Config, error) {
	return rover.Configure(s.Limit.Count, s.Limit.Window, s.Limit.Burst, a.Options, start)
}

// maxTokens bounds costs in units: distances between rovers stay below 2^63.
const maxTokens = int64(1) << 62

// Check refuses what no bucket can be made of.
func Check(s *engine.Setting, a *scenarios.Algorithm) (rover.Config, error) {
	config, err := roverConfig(s, a, 0)
	if err == nil {
		_, err = rover.New(config)
	}
	if err == nil && s.MaxCost > maxTokens>>a.Options.Int("token_resolution") {
		err = fmt.Errorf("a request of %d tokens does not fit 62 bits at this token_resolution", s.MaxCost)
	}
	return config, err
}

func newRoverBuckets(t *engine.Trial) (roverBuckets, error) {
	o := t.Algorithm.Options
	config, err := roverConfig(t.Setting, t.Algorithm, 0)
	if err != nil {
		return roverBuckets{}, err
	}
	r := roverBuckets{config: config, bits: uint(o.Int("token_resolution")), hold: t.Guard != nil, refund: o.Bool("refund")}
	grid := int64(0)
	switch o.String("replenish") {
	case "timer":
		grid = o.Duration("replenish_interval")
	case "continuous":
		grid = 1
	case "on-poll":
		r.looks = beforeClaim
	case "on-look":
		r.looks = beforeLook
	}
	r.begin(math.MinInt64, config.Rate, grid)
	for _, c := range t.Changes(t.Limit, engine.Whole) {
		if rate := uint64(c.Limit.Count) << r.bits; rate != r.epochs[len(r.epochs)-1].rate {
			r.begin(c.At, rate, grid)
		}
	}
	if o.String("when_short") == "wait" {
		r.maxWait = o.Duration("max_wait")
	}
	return r, nil
}

// begin adds an epoch.
func (r *roverBuckets) begin(from int64, rate uint64, grid int64) {
	config := r.config
	config.Rate = rate
	r.epochs = append(r.epochs, roverEpoch{from, rate, newRoverTimer(grid, &config)})
}

// wake makes the bucket of a key that is asked for the first time, and brings it
// up to now.
func (r *roverBuckets) wake(b *timedBucket, now int64) {
	if b.bucket == nil {
		for b.epoch+1 < len(r.epochs) && r.epochs[b.epoch+1].from <= now {
			b.epoch++
		}
		config := r.config
		config.Rate, config.Start = r.epochs[b.epoch].rate, now
		bucket, err := rover.New(config)
		if err != nil {
			panic(err) // checked before
		}
		b.bucket = bucket
		timer := &r.epochs[b.epoch].timer
		b.due = timer.tickFrom(max(bucket.ReadyAt(), timer.lastTick(now)))
	}
	r.bring(b, now)
}

// bring runs the timer's ticks up to now, and changes the rate on the way.
func (r *roverBuckets) bring(b *timedBucket, now int64) {
	for b.epoch+1 < len(r.epochs) && r.epochs[b.epoch+1].from <= now {
		next := &r.epochs[b.epoch+1]
		r.epochs[b.epoch].timer.catchUp(b, next.from-1)
		b.epoch++
		b.bucket.UpdateRate(next.rate)
		b.due = next.timer.tickFrom(max(b.bucket.ReadyAt(), next.from))
	}
	r.epochs[b.epoch].timer.catchUp(b, now)
}

// tokens is a cost in the buckets' units.
func (r *roverBuckets) tokens(cost int64) uint64 { return uint64(cost) << r.bits }

// inspect tells the whole tokens of a bucket that nobody has claimed, and when a
// claim of this cost would be served if it were made now.
func (r *roverBuckets) inspect(b *timedBucket, now, cost int64) (level, retryAt int64) {
	state := b.bucket.State()
	units := int64(state.Head - state.Tail)
	level, retryAt = units>>r.bits, now
	if short := int64(r.tokens(cost)) - units; short > 0 {
		retryAt = counter.Never
		if wait := b.bucket.DurationFor(uint64(short)); wait < engine.Never-now {
			retryAt = now + wait
		}
	}
	return level, retryAt
}

// giveBack is for a claim that will not be used. Capped, it is also released:
// nobody else would do it, and the bucket would shrink.
func (r *roverBuckets) giveBack(b *timedBucket, tokens uint64) {
	if !r.refund {
		return
	}
	b.bucket.Refund(tokens)
	if r.config.Capped {
		b.bucket.Release(tokens)
	}
}

// release gives back the tokens of what has completed at now.
func (r *roverBuckets) release(b *timedBucket, now int64, tokens uint64) {
	r.bring(b, now-1) // the tick of this instant comes after completions
	b.bucket.Release(tokens)
}
