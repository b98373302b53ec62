package patterns

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// thinOneByOne is the reference model of thinning in batches: it takes a
// uniform draw for each candidate, then the gap to the next one.
func thinOneByOne(draws random.Stream, span Span, highest exactRate, most int, full uint128, rate func(t int64) uint128) []int64 {
	shift := max(0, full.len()-63)
	all := newPoissonArrivals(&draws, span.From, highest)
	var times []int64
	for !all.none && all.at < span.To && len(times) < most {
		lot, _ := bits.Mul64(draws.Uint64(), full.shiftRight(shift).lo)
		if lot < rate(all.at-span.From).shiftRight(shift).lo {
			times = append(times, all.at)
		}
		all.skip(&draws)
	}
	return times
}

// The Poisson sine equals its definition, also if its amplitude has too many
// digits for 64 bits, for any ends of blocks.
func TestPoissonSineThinsAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.SampledFrom([]int64{1, 3, 1000, 1 << 38, 1<<39 + 1, 1<<45 - 1}).Draw(t, "den")
		swing := units.Fraction{Num: rapid.Int64Range(0, den).Draw(t, "num"), Den: den}
		period := rapid.SampledFrom([]int64{10_000, 16_384, 16_385, 1_000_003, 86_400 * second, maxDuration}).Draw(t, "period")
		gap := rapid.Int64Range(1, 9_999).Draw(t, "gap")
		span := Span{1000, 1000 + rapid.Int64Range(0, min(period, maxDuration/40)*40).Draw(t, "span")}
		p := build(t, "sine", catalog.Values{"rate": rate(1, gap), "amplitude": value(swing), "period": value(period), "arrivals": value("poisson")}, span)
		const most = 400
		full := uint128Of(swing.Den + swing.Num).times(sineOne)
		want := thinOneByOne(random.New(1, 0, "test"), span, p.(*wave).peak, most, full, func(at int64) uint128 {
			if height := heightByDivision(at%period, period); height >= 0 {
				return uint128Of(swing.Den).times(sineOne).add(times64(uint64(swing.Num), uint64(height)))
			} else {
				return uint128Of(swing.Den).times(sineOne).sub(times64(uint64(swing.Num), uint64(-height)))
			}
		})
		equal(t, "sine", firstOf(t, p, most), want)
	})
}

func heightByDivision(into, period int64) int64 {
	hi, lo := bits.Mul64(uint64(into), sineNodes)
	k, rest := bits.Div64(hi, lo, uint64(period))
	f, _ := bits.Div64(rest, 0, uint64(period)) // in 2^-64
	a, b := sineAt(int(k)), sineAt(int(k)+1)
	return a + (b-a)*int64(f>>32)>>32
}

// The height computed without a division is the same on both sides of every
// node. There the reciprocal is most likely to be one too small.
func TestSineHeight(t *testing.T) {
	for _, period := range []int64{10_000, 16_384, 16_385, 1_000_003, 10 * second, 86_400 * second, maxDuration - 1, maxDuration} {
		p := build(t, "sine", catalog.Values{"rate": rate(1, 1000), "period": value(period), "arrivals": value("poisson")}, Span{0, second})
		c := p.Open(random.New(1, 0, "test")).(*waveDraws)
		for k := range sineNodes {
			node := c.node(k)
			for _, into := range []int64{max(0, node-1), node, node + 1} {
				if got, want := c.height(into), heightByDivision(into, period); got != want {
					t.Fatalf("%d ns into a period of %d the height is %d, want %d", into, period, got, want)
				}
			}
		}
	}
}

// The Poisson ramp equals its definition.
func TestPoissonRampThinsAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := rapid.SampledFrom([]int64{1, 1 << 20, 1 << 36}).Draw(t, "unit")
		drawn := func(what string) units.Rate {
			return units.Rate{Count: rapid.Int64Range(0, 40).Draw(t, what), Per: long * rapid.Int64Range(1, 30_000).Draw(t, what+" per")}
		}
		r0, r1 := drawn("rate"), drawn("to")
		length := long * rapid.Int64Range(1, 60_000).Draw(t, "for")
		span := Span{7, 7 + length}
		from, err0 := newExactRate(r0.Count, r0.Per)
		to, err1 := newExactRate(r1.Count, r1.Per)
		if err0 != nil || err1 != nil || from == to {
			return
		}
		s, err := newSlope(length, from, to)
		if err != nil {
			return // too large for 128 bits, and rejected
		}
		larger := from
		if s.a1 > s.a0 {
			larger = to
		}
		p := build(t, "ramp", catalog.Values{"rate": value(r0), "to_rate": value(r1), "arrivals": value("poisson")}, span)
		const most = 400
		want := thinOneByOne(random.New(1, 0, "test"), span, larger, most, times64(max(s.a0, s.a1), s.length), func(at int64) uint128 {
			return times64(s.a0, s.length-uint64(at)).add(times64(s.a1, uint64(at)))
		})
		equal(t, "ramp", firstOf(t, p, most), want)
	})
}

// firstOf reads the first instants of a pattern in blocks of any size.
func firstOf(t *rapid.T, p Pattern, most int) []int64 {
	c := p.Open(random.New(1, 0, "test"))
	var all []int64
	for len(all) < most {
		piece := make([]int64, rapid.IntRange(1, 200).Draw(t, "piece"))
		n := c.Fill(piece)
		all = append(all, piece[:n]...)
		if n < len(piece) {
			break
		}
	}
	return slices.Clip(all[:min(most, len(all))])
}
