package random

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestScaleIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Int64Range(1, 1<<62).Draw(t, "count")
		per := rapid.Int64Range(max(1, (count+63)/64), 1<<62).Draw(t, "per")
		if count <= 32 && per > MaxMeanGap*count {
			per = MaxMeanGap * count
		}
		draw := rapid.Uint64Range(0, 64*ln2+ln2).Draw(t, "draw")
		ns, fraction := NewScale(per, count).Gap(draw)
		// exact = draw*per/count/2^58, in units of 2^-64 ns
		exact := new(big.Int).Mul(new(big.Int).SetUint64(draw), big.NewInt(per))
		exact.Quo(exact.Lsh(exact, 64-58), big.NewInt(count))
		got := new(big.Int).Lsh(big.NewInt(ns), 64)
		got.Add(got, new(big.Int).SetUint64(fraction))
		short := new(big.Int).Sub(exact, got)
		// Relative 2^-62 for the multiplier, and the low half of the product.
		slack := new(big.Int).Rsh(exact, 62)
		mean := new(big.Int).Quo(new(big.Int).Lsh(big.NewInt(per), 64-57), big.NewInt(count))
		slack.Add(slack, mean.Add(mean, big.NewInt(1)))
		if short.Sign() < 0 || short.Cmp(slack) > 0 {
			t.Fatalf("gap of %d/%d ns times %d/2^58 is %d + %d/2^64 ns, short by %s", per, count, draw, ns, fraction, short)
		}
	})
}

func TestScaleAddsUpWithoutRounding(t *testing.T) {
	// A third of a nanosecond short of 7 ns, ten million times.
	scale := NewScale(20, 3)
	var ns int64
	var fraction uint64
	for range 10_000_000 {
		ns, fraction = scale.Advance(ns, fraction, 1<<ExponentialBits)
	}
	if ns != 66_666_666 {
		t.Errorf("ten million gaps of 20/3 ns are %d ns and %d/2^64", ns, fraction)
	}
}

func TestAdvanceAllIsAdvance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Every scale there is, from 64 events in a nanosecond.
		mean := rapid.IntRange(-6, 55).Draw(t, "log2 of the mean gap")
		per := rapid.Int64Range(1<<20, 1<<21-1).Draw(t, "per")
		count := int64(1 << 20)
		if mean < 0 {
			count <<= -mean
		} else {
			per <<= min(mean, 40)
			count >>= max(0, mean-40)
		}
		scale := NewScale(per, count)
		draws := rapid.SliceOfN(rapid.Uint64Range(0, 4<<ExponentialBits), 0, 20).Draw(t, "draws")
		start, end := int64(1000), 1000+rapid.Int64Range(0, 1+int64(40*float64(per)/float64(count))).Draw(t, "span")
		// A fraction comes from a move by the same scale.
		at, fraction := scale.Advance(start, 0, rapid.Uint64Range(0, 64*ln2).Draw(t, "first"))
		var want []int64
		wantAt, wantFraction := at, fraction
		for _, d := range draws {
			if wantAt >= end {
				break
			}
			want = append(want, wantAt)
			wantAt, wantFraction = scale.Advance(wantAt, wantFraction, d)
		}
		times := make([]int64, len(draws))
		n, gotAt, gotFraction := scale.AdvanceAll(times, draws, at, fraction, end)
		if gotAt != wantAt || gotFraction != wantFraction || !slices.Equal(times[:n], want) {
			t.Fatalf("%d/%d ns: at %d and %d/2^64 after %v, want %d and %d/2^64 after %v", per, count, gotAt, gotFraction, times[:n], wantAt, wantFraction, want)
		}
	})
}
