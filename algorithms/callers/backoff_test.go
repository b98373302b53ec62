package callers_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/callers"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

const ms = int64(1e6)

// exact returns min(most, base*(num/den)^k) rounded down, computed with fractions.
func exact(base, most, num, den int64, k int) int64 {
	v, factor, limit := new(big.Rat).SetInt64(base), big.NewRat(num, den), new(big.Rat).SetInt64(most)
	for range k {
		if v.Cmp(limit) >= 0 {
			break
		}
		v.Mul(v, factor)
	}
	if v.Cmp(limit) >= 0 {
		return most
	}
	return new(big.Int).Quo(v.Num(), v.Denom()).Int64()
}

// TestSpans compares computed waits with exact fractions, up to retry 1000 and beyond.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(1, 100e9), rapid.Int64Range(math.MaxInt64-5, math.MaxInt64)).Draw(t, "max")
		base := rapid.OneOf(rapid.Int64Range(0, min(most, 20)), rapid.Int64Range(0, most)).Draw(t, "base")
		den := rapid.OneOf(rapid.Int64Range(1, 10), rapid.Int64Range(1, 1e9)).Draw(t, "denominator")
		num := rapid.OneOf(rapid.Just(den), rapid.Int64Range(den+den/20+1, 9*den+1)).Draw(t, "numerator")
		b := callers.New(callers.Backoff{Base: base, Max: most, Factor: [2]int64{num, den}})
		for _, k := range []int{0, 1, 2, rapid.IntRange(3, 60).Draw(t, "k"), 1000, 1 << 40} {
			want := exact(base, most, num, den, min(k, 1000))
			if got := b.Span(k); got != want {
				t.Fatalf("before retry %d the wait is %d, want %d", k+1, got, want)
			}
			if got := b.Wait(k, 7, nil); got != want {
				t.Fatalf("retry %d waits for %d, want %d", k+1, got, want)
			}
		}
	})
}

// TestSpansOfClients states the waits of clients that are in use.
func TestSpansOfClients(t *testing.T) {
	for name, c := range map[string]struct {
		backoff callers.Backoff
		want    []int64
	}{
		"go-retryablehttp":                   {callers.Backoff{Base: 1000 * ms, Max: 30000 * ms, Factor: [2]int64{2, 1}}, []int64{1000 * ms, 2000 * ms, 4000 * ms, 8000 * ms, 16000 * ms, 30000 * ms, 30000 * ms}},
		"cenkalti/backoff":                   {callers.Backoff{Base: 500 * ms, Max: 60000 * ms, Factor: [2]int64{3, 2}}, []int64{500 * ms, 750 * ms, 1125 * ms, 1687500000, 2531250000, 3796875000, 5695312500, 8542968750}},
		"grpc-go":                            {callers.Backoff{Base: 1000 * ms, Max: 120000 * ms, Factor: [2]int64{16, 10}}, []int64{1000 * ms, 1600 * ms, 2560 * ms, 4096 * ms}},
		"a whole factor up to the last time": {callers.Backoff{Base: 1, Max: math.MaxInt64, Factor: [2]int64{1000, 1}}, []int64{1, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18, math.MaxInt64}},
	} {
		b := callers.New(c.backoff)
		for k, want := range c.want {
			if got := b.Span(k); got != want {
				t.Errorf("%s: before retry %d the wait is %d, want %d", name, k+1, got, want)
			}
		}
	}
}

// TestJitterBounds draws the lowest and the highest number of each jitter, and counts
// what it draws of.
func TestJitterBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.OneOf(rapid.Int64Range(0, 30), rapid.Int64Range(1, 1e12), rapid.Just(int64(math.MaxInt64))).Draw(t, "max")
		base := rapid.Int64Range(0, most).Draw(t, "base")
		part := [2]int64{rapid.Int64Range(0, 100).Draw(t, "part"), 100}
		k := rapid.IntRange(0, 5).Draw(t, "k")
		b := callers.Backoff{Base: base, Max: most, Factor: [2]int64{2, 1}, Around: part, Jitter: callers.Jitter(rapid.IntRange(0, 4).Draw(t, "jitter"))}
		v := exact(base, most, 2, 1, k)
		last := int64(0)
		if k > 0 {
			last = rapid.Int64Range(base, most).Draw(t, "last")
		}
		least, highest, cut := v, big.NewInt(v), int64(math.MaxInt64)
		switch b.Jitter {
		case callers.Full:
			least = 0
		case callers.Equal:
			least = v / 2
		case callers.Decorrelated:
			least, cut = base, most
			highest.Mul(big.NewInt(max(last, base)), big.NewInt(3))
		case callers.Around:
			less := new(big.Int).Mul(big.NewInt(v), big.NewInt(part[0]))
			less.Quo(less, big.NewInt(part[1]))
			least = v - less.Int64()
			highest.Add(highest, less)
		}
		if highest.Cmp(big.NewInt(math.MaxInt64)) > 0 {
			highest.SetInt64(math.MaxInt64)
		}
		made, draws := callers.New(b), 0
		draw := func(pick func(n uint64) uint64) int64 {
			return made.Wait(k, last, func(n uint64) uint64 {
				draws++
				if want := uint64(highest.Int64()-least) + 1; n != want {
					t.Fatalf("it draws one of %d numbers, want %d", n, want)
				}
				return pick(n)
			})
		}
		low, high := draw(func(uint64) uint64 { return 0 }), draw(func(n uint64) uint64 { return n - 1 })
		if low != min(least, cut) || high != min(highest.Int64(), cut) || draws > 2 {
			t.Fatalf("waits are from %d to %d with %d draws, want from %d to %d", low, high, draws, least, highest)
		}
		if b.Jitter != callers.NoJitter && made.Random() != (most > 0) {
			t.Fatalf("Random is %v", made.Random())
		}
	})
}

// TestFieldsOutOfRange checks that New refuses what it could not compute.
func TestFieldsOutOfRange(t *testing.T) {
	for name, b := range map[string]callers.Backoff{
		"negative":        {Base: -1, Max: 1, Factor: [2]int64{2, 1}},
		"upside down":     {Base: 2, Max: 1, Factor: [2]int64{2, 1}},
		"no factor":       {Base: 1, Max: 1},
		"shrinking":       {Base: 1, Max: 1, Factor: [2]int64{1, 2}},
		"hardly growing":  {Base: 1, Max: 2, Factor: [2]int64{1009, 1000}},
		"no part":         {Base: 1, Max: 2, Factor: [2]int64{2, 1}, Jitter: callers.Around},
		"more than twice": {Base: 1, Max: 2, Factor: [2]int64{2, 1}, Jitter: callers.Around, Around: [2]int64{101, 100}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: New accepts %+v", name, b)
				}
			}()
			callers.New(b)
		}()
	}
}

// TestRetriesUntilReset compares the mean number of retries that a caller makes until a
// reset, T after its refusal, with the exact mean: 1 + the sum over n of the probability
// that n waits take less than T. Sums of uniform draws have the distribution of Irwin and
// Hall: P(U1+...+Un <= x) = sum over j <= x of (-1)^j (x-j)^n / (j! (n-j)!). With a
// constant v each jitter but decorrelated is a shift and a scale of it. A decorrelated wait
// that begins at its maximum is cut there: from Base = Max on it is constant.
func TestRetriesUntilReset(t *testing.T) {
	const v, reset, jobs = 1000 * ms, 2500 * ms, 60_000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name         string
		jitter       callers.Jitter
		least, width float64 // of a wait, in units of v
	}{
		{"full", callers.Full, 0, 1},
		{"equal", callers.Equal, 0.5, 0.5},
		{"around", callers.Around, 0.8, 0.4},
		{"none", callers.NoJitter, 1, 0},
		{"decorrelated at its maximum", callers.Decorrelated, 1, 0},
	} {
		b := callers.New(callers.Backoff{Base: v, Max: v, Factor: [2]int64{1, 1}, Jitter: c.jitter, Around: [2]int64{1, 5}})
		want, x := 1.0, float64(reset)/float64(v)
		for n := 1; n < 60; n++ {
			want += sumBelow(n, x, c.least, c.width)
		}
		total, squares := 0.0, 0.0
		for range jobs {
			at, last, k := int64(0), int64(0), 0
			for ; at < reset; k++ {
				last = b.Wait(k, last, rng.Uint64N)
				at += last
			}
			total += float64(k)
			squares += float64(k * k)
		}
		mean := total / jobs
		deviation := math.Sqrt(max(0, squares/jobs-mean*mean) / jobs)
		if math.Abs(mean-want) > 5*deviation+1e-9 {
			t.Errorf("%s: %.4f retries until the reset, want %.4f ± %.4f", c.name, mean, want, deviation)
		}
	}
}

// sumBelow returns the probability that n waits, uniform between least and least+width,
// take less than x.
func sumBelow(n int, x, least, width float64) float64 {
	if x -= float64(n) * least; x <= 0 {
		return 0
	}
	if width == 0 {
		return 1
	}
	x /= width
	if x >= float64(n) {
		return 1
	}
	p := 0.0
	for j := 0; float64(j) <= x; j++ {
		term := 1.0
		for i := 1; i <= j; i++ { // (x-j)^n / (j! (n-j)!), factor by factor
			term *= (x - float64(j)) / float64(i)
		}
		for i := 1; i <= n-j; i++ {
			term *= (x - float64(j)) / float64(i)
		}
		if j%2 == 1 {
			term = -term
		}
		p += term
	}
	return p
}

// TestDecorrelatedUntilReset computes the mean number of decorrelated retries until a reset in
// a few ns by all draws that there are, and compares it with the mean of the formula
// min(max, U(base, 3 * last)), by the probability of each wait.
func TestDecorrelatedUntilReset(t *testing.T) {
	const base, most, reset = 2, 9, 15
	b := callers.New(callers.Backoff{Base: base, Max: most, Factor: [2]int64{2, 1}, Jitter: callers.Decorrelated})
	var drawn func(k int, at, last int64) float64
	drawn = func(k int, at, last int64) (mean float64) {
		if at >= reset {
			return 0
		}
		for draw, n := uint64(0), uint64(1); draw < n; draw++ {
			wait := b.Wait(k, last, func(of uint64) uint64 { n = of; return draw })
			mean += 1 + drawn(k+1, at+wait, wait)
			if draw == n-1 {
				mean /= float64(n)
			}
		}
		return mean
	}
	var formula func(left, last int64) float64
	formula = func(left, last int64) (mean float64) {
		if left <= 0 {
			return 0
		}
		p := 1 / float64(3*last-base+1)
		for wait := int64(base); wait < most && wait <= 3*last; wait++ {
			mean += p * formula(left-wait, wait)
		}
		if cut := 3*last - most + 1; cut > 0 {
			mean += p * float64(cut) * formula(left-most, most)
		}
		return 1 + mean
	}
	if got, want := drawn(0, 0, 0), formula(reset, base); math.Abs(got-want) > 1e-9 || want < 2 || want > 8 {
		t.Errorf("%v retries until the reset, want %v", got, want)
	}
}

// TestDecorrelatedGrows compares the mean of the first decorrelated waits with their
// exact mean below the maximum: m1 = 2*base, and from then on m' = (base + 3m)/2.
func TestDecorrelatedGrows(t *testing.T) {
	const base, jobs = 1000 * ms, 200_000
	b := callers.New(callers.Backoff{Base: base, Max: math.MaxInt64, Factor: [2]int64{2, 1}, Jitter: callers.Decorrelated})
	rng := rand.New(rand.NewPCG(3, 4))
	var sums, squares [4]float64
	for range jobs {
		last := int64(0)
		for k := range sums {
			last = b.Wait(k, last, rng.Uint64N)
			x := float64(last) / float64(base)
			sums[k] += x
			squares[k] += x * x
		}
	}
	want := 1.0
	for k := range sums {
		want = (1 + 3*want) / 2
		mean := sums[k] / jobs
		if deviation := math.Sqrt((squares[k]/jobs - mean*mean) / jobs); math.Abs(mean-want) > 5*deviation {
			t.Errorf("wait %d is %.4f times the base, want %.4f ± %.4f", k+1, mean, want, deviation)
		}
	}
}
