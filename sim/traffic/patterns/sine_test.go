package patterns

import (
	"math"
	"math/big"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

func TestSineTable(t *testing.T) {
	for k := range sineNodes + 1 {
		want := math.Round(sineOne * math.Sin(2*math.Pi*float64(k)/sineNodes))
		if got := sineAt(k); math.Abs(float64(got)-want) > 1 {
			t.Errorf("sin of %d/1024 turns is %d, want %.0f", k, got, want)
		}
	}
}

// Spaced arrivals of a sine are at the times at which the exact integral of the
// linear pieces reaches whole numbers.
func TestSineIsExact(t *testing.T) {
	for _, swing := range []units.Fraction{{Num: 0, Den: 1}, {Num: 1, Den: 3}, {Num: 1, Den: 1}} {
		const period = 1_000_003
		span := Span{1000, 1000 + 5*period/2}
		p := build(t, "sine", catalog.Values{"rate": rate(1, 1777), "amplitude": value(swing), "period": value(int64(period))}, span)
		got := instants(p, 1, 3, 50)

		nodeAt := func(k int64) int64 { return k/sineNodes*period + k%sineNodes*period/sineNodes }
		nodeRate := func(k int64) *big.Rat {
			r := big.NewRat(swing.Num*sineAt(int(k%sineNodes)), swing.Den*sineOne)
			r.Add(r, big.NewRat(1, 1))
			return r.Mul(r, big.NewRat(1, 1777))
		}
		// integral from the node at or before t to t.
		within := func(k, t int64) *big.Rat {
			length := nodeAt(k+1) - nodeAt(k)
			r0, change := nodeRate(k), new(big.Rat).Sub(nodeRate(k+1), nodeRate(k))
			sum := new(big.Rat).Mul(r0, new(big.Rat).SetInt64(t))
			change.Mul(change, new(big.Rat).SetFrac64(t*t, 2*length))
			return sum.Add(sum, change)
		}
		i, before := 0, new(big.Rat)
		for k := int64(0); nodeAt(k) < span.To-span.From; k++ {
			length := nodeAt(k+1) - nodeAt(k)
			after := new(big.Rat).Add(before, within(k, length))
			for ; i < len(got) && got[i]-span.From < nodeAt(k+1); i++ {
				at, reached := got[i]-span.From-nodeAt(k), new(big.Rat).SetInt64(int64(i))
				if new(big.Rat).Add(before, within(k, at)).Cmp(reached) > 0 ||
					new(big.Rat).Add(before, within(k, at+1)).Cmp(reached) <= 0 {
					t.Fatalf("swing %v: the integral reaches %d elsewhere than at %d", swing, i, got[i])
				}
			}
			before = after
		}
		if i != len(got) || i < 1400 {
			t.Fatalf("swing %v: %d arrivals checked of %d", swing, i, len(got))
		}
	}
}

func TestSineIntegral(t *testing.T) {
	// The expected number of arrivals by t is rate*(t + amplitude*period/(2
	// pi)*(1 - cos(2 pi t/period))).
	const r, amplitude, period = 50_000.0, 0.8, 2.0
	for _, arrivals := range []string{"spaced", "poisson"} {
		p := build(t, "sine", catalog.Values{"rate": rate(r, second), "amplitude": value(units.Fraction{Num: 4, Den: 5}),
			"period": value(2 * second), "arrivals": value(arrivals)}, Span{0, 4 * second})
		times := instants(p, 1)
		for _, at := range []float64{0.3, 0.5, 1, 1.7, 2, 3.1, 3.999} {
			came := 0
			for came < len(times) && float64(times[came]) < at*1e9 {
				came++
			}
			want := r * (at + amplitude*period/(2*math.Pi)*(1-math.Cos(2*math.Pi*at/period)))
			allowed := 2.0
			if arrivals == "poisson" {
				allowed = 4 * math.Sqrt(want)
			}
			if math.Abs(float64(came)-want) > allowed {
				t.Errorf("%s: %d have come by %g s, want %.1f", arrivals, came, at, want)
			}
		}
	}
}
