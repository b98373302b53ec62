package rover

import (
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// model implements the table of calls for one goroutine, without optimization.
type model struct {
	tail, head, ceil uint64
	limit, threshold uint64
	rate             uint64
	per              int64
	capped           bool
	at               int64    // faithful
	exact            *big.Rat // ByTokens: the stamp, fraction included
}

func (w *model) distance(a, b uint64) uint64 {
	if d := int64(a - b); d > 0 {
		return uint64(d)
	}
	return 0
}

func (w *model) add(x uint64) {
	room := w.distance(w.tail+w.limit, w.head)
	if w.capped {
		room = w.distance(w.ceil, w.head)
	}
	w.head += min(x, room)
}

func (w *model) replenishFaithful(now int64) {
	if now <= w.at {
		return
	}
	delta := float64(now-w.at) / float64(w.per)
	if hour := 3.6e12 / float64(w.per); delta > hour {
		delta = hour
	}
	exact := float64(float64(w.rate) * delta) // converted, or arm64 would fuse it with the subtraction below
	x := math.Floor(exact)
	if exact-x >= 0.5 {
		x++
	}
	if x < float64(w.threshold) {
		return
	}
	w.at = now
	w.add(uint64(x))
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

func ceiling(r *big.Rat) int64 {
	q := new(big.Int).Div(new(big.Int).Neg(r.Num()), r.Denom())
	return q.Neg(q).Int64()
}

func (w *model) replenishExact(now int64) {
	gap := new(big.Rat).Sub(rat(now), w.exact)
	if gap.Sign() <= 0 || w.rate == 0 {
		return
	}
	perNS := new(big.Rat).SetFrac(new(big.Int).SetUint64(w.rate), big.NewInt(w.per))
	threshold := new(big.Rat).SetInt(new(big.Int).SetUint64(w.threshold))
	earned := new(big.Rat).Mul(gap, perNS)
	if earned.Cmp(threshold) < 0 {
		return
	}
	x := new(big.Int).Div(earned.Num(), earned.Denom())
	w.exact = w.exact.Add(w.exact, new(big.Rat).Quo(new(big.Rat).SetInt(x), perNS))
	if !x.IsUint64() {
		x.SetUint64(math.MaxUint64)
	}
	w.add(x.Uint64())
}

func (w *model) replenish(now int64) {
	if w.exact != nil {
		w.replenishExact(now)
	} else {
		w.replenishFaithful(now)
	}
}

func (w *model) updateRate(r uint64) {
	if r == w.rate {
		return
	}
	w.rate = r
	if w.exact != nil {
		w.exact = rat(ceiling(w.exact))
	}
}

func (w *model) stamp() int64 {
	if w.exact != nil {
		return ceiling(w.exact)
	}
	return w.at
}

func TestAgainstReferenceModel(t *testing.T) {
	for _, mode := range []StampMode{ByTokens, Faithful} {
		rapid.Check(t, func(t *rapid.T) {
			per := rapid.SampledFrom([]int64{1, 7, 1000, 333_333_333, 1e9, 3e9, 60e9, 3600e9, 86400e9}).Draw(t, "per")
			rateOf := rapid.OneOf(rapid.Uint64Range(0, 20), rapid.Uint64Range(0, 1e6), rapid.Uint64Range(0, MaxRate(time.Duration(per))),
				rapid.Just(MaxRate(time.Duration(per))))
			limitOf := rapid.OneOf(rapid.Uint64Range(1, 100), rapid.Uint64Range(1, 1<<40), rapid.Just(uint64(MaxLimit)))
			cfg := Config{
				Rate: rateOf.Draw(t, "rate"), Per: time.Duration(per), Limit: limitOf.Draw(t, "limit"),
				Capped: rapid.Bool().Draw(t, "capped"), Stamp: mode,
				Start: rapid.SampledFrom([]int64{0, -5, 1_785_000_000_123_456_789}).Draw(t, "start"),
			}
			if mode == ByTokens && rapid.Bool().Draw(t, "all of time") {
				cfg.Start = -9e18
			}
			cfg.Threshold = rapid.OneOf(rapid.Uint64Range(1, min(cfg.Limit, 10)), rapid.Uint64Range(1, cfg.Limit)).Draw(t, "threshold")
			b, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			origin := rapid.SampledFrom([]uint64{0, math.MaxUint64 - 20, 1<<63 - 20}).Draw(t, "origin")
			b.Preset(State{Tail: origin, Head: origin, Ceil: origin + cfg.Limit, Stamp: cfg.Start})
			w := &model{
				tail: origin, head: origin, ceil: origin + cfg.Limit, limit: cfg.Limit, threshold: cfg.Threshold,
				rate: cfg.Rate, per: per, capped: cfg.Capped, at: cfg.Start,
			}
			if mode == ByTokens {
				w.exact = rat(cfg.Start)
			}
			now := cfg.Start
			token := int64(3.6e12) // the time of about one token
			if cfg.Rate > 0 {
				token = per/int64(cfg.Rate) + 1
			}
			for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
				n := rapid.Uint64Range(0, min(cfg.Limit, 1<<50)*2).Draw(t, "n")
				switch op := rapid.SampledFrom([]string{"replenish", "replenish", "replenish", "grab", "release", "refund", "rate", "back"}).Draw(t, "op"); op {
				case "replenish":
					gap := rapid.OneOf(rapid.Int64Range(0, 2*token), rapid.Int64Range(0, 1e9), rapid.Int64Range(3.5e12, 3.7e12), rapid.Int64Range(0, 1e17),
						rapid.SampledFrom([]int64{1, 3600e9 - 1, 3600e9, 3600e9 + 1})).Draw(t, "gap")
					if now += gap; cfg.Start == -9e18 && n%8 == 0 {
						now = max(now, 9e18)
					}
					b.Replenish(now)
					w.replenish(now)
				case "back":
					b.Replenish(now - int64(n>>20))
					w.replenish(now - int64(n>>20))
				case "grab":
					w.tail += n
					if got := b.Grab(n); got != w.tail {
						t.Fatalf("step %d: grab(%d) = %d, want %d", i, n, got, w.tail)
					}
				case "release":
					if cfg.Capped {
						w.ceil += n
						b.Release(n)
					}
				case "refund":
					w.head += n % 8
					b.Refund(n % 8)
				case "rate":
					r := rateOf.Draw(t, "r")
					b.UpdateRate(r)
					w.updateRate(r)
				}
				want := State{w.tail, w.head, w.ceil, w.stamp()}
				if got := b.State(); got != want {
					t.Fatalf("step %d, now %d: state\n%+v, want\n%+v", i, now, got, want)
				}
				if got, want := b.Deficiency(w.tail), w.distance(w.tail, w.head); got != want {
					t.Fatalf("step %d: deficiency %d, want %d", i, got, want)
				}
			}
		})
	}
}

// The exact mode does not drift: after a million credits the count is exactly that of
// the configured rate, for any rate and any times of the calls.
func TestNoDrift(t *testing.T) {
	for _, tt := range []struct {
		rate uint64
		per  int64
	}{{7, 3e9}, {1000, 7e9}, {999_999_937, 1e9}, {1, 1e9}, {topRate, 1e9}} {
		b := must(t, Config{Rate: tt.rate, Per: time.Duration(tt.per), Limit: 1 << 62})
		now, look := int64(0), max(tt.per/int64(tt.rate), 1)
		credits, last := 0, uint64(0)
		for credits < 1_000_000 {
			now += look + int64(credits%3)
			b.Replenish(now)
			if h := b.State().Head; h != last {
				credits, last = credits+1, h
				if h >= 1<<61 { // keep away from the cap
					b.Grab(h - b.State().Tail)
				}
			}
		}
		want := new(big.Int).Mul(big.NewInt(now), new(big.Int).SetUint64(tt.rate))
		want.Div(want, big.NewInt(tt.per))
		if !want.IsUint64() || want.Uint64() != last {
			t.Errorf("%d per %d ns: %d tokens after a million credits and %d ns, want %v", tt.rate, tt.per, last, now, want)
		}
	}
}

// ReadyAt returns the first time at which a replenish moves head, no earlier and no
// later.
func TestReadyAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Rate: rapid.OneOf(rapid.Uint64Range(0, 20), rapid.Uint64Range(1, 1e10)).Draw(t, "rate"),
			Per:  rapid.SampledFrom([]time.Duration{1e9, 7, 60e9, 86400e9}).Draw(t, "per"),
			// The bucket is never full.
			Limit: 1 << 62, Threshold: rapid.Uint64Range(1, 1000).Draw(t, "threshold"),
			Stamp: rapid.SampledFrom([]StampMode{ByTokens, Faithful}).Draw(t, "stamp"),
		}
		b, err := New(cfg)
		if err != nil && cfg.Rate > 17_934_334 && cfg.Per == 7 {
			t.Skip(err) // more tokens in 100 days than there are
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			at, head := b.ReadyAt(), b.State().Head
			if at == math.MaxInt64 {
				if b.Replenish(100 * 86400 * s); b.State().Head != head {
					t.Fatalf("never ready, but credited %d", b.State().Head-head)
				}
				return
			}
			if b.Replenish(at - 1); b.State().Head != head {
				t.Fatalf("ready at %d, but credited %d before", at, b.State().Head-head)
			}
			if b.Replenish(at); b.State().Head == head {
				t.Fatalf("ready at %d, but nothing credited", at)
			}
			b.Replenish(at + rapid.Int64Range(0, 1e9).Draw(t, "gap"))
		}
	})
}
