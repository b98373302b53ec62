package stats

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// MannWhitney tests whether two independent samples come from the same
// distribution, by benchmath.AssumeNothing: the Mann-Whitney U test, exact for
// up to 50 values a side (25 where values are tied), else by the normal
// distribution with corrections for ties and continuity. The one-sided p-value in
// the direction of the change is half of the two-sided one; in the other
// direction it is 1. If all values are equal, p is 1.
func MannWhitney(base, now []float64) Test {
	t := Test{1, 1, 1, leastRanks(len(base), len(now))}
	if len(base) == 0 || len(now) == 0 {
		return t
	}
	// NewSample sorts its argument, so it receives a copy.
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	}
	x, y := sample(base), sample(now)
	t.Either = min(1, benchmath.AssumeNothing.Compare(x, y).P)
	if t.Either == 1 {
		return t
	}
	lower, higher := 0, 0 // pairs in which now is lower or higher than base
	for _, v := range y.Values {
		below, _ := slices.BinarySearch(x.Values, v)
		upTo, _ := slices.BinarySearch(x.Values, math.Nextafter(v, math.Inf(1)))
		higher += below
		lower += len(x.Values) - upTo
	}
	if higher > lower {
		t.Up = t.Either / 2
	} else {
		t.Down = t.Either / 2
	}
	return t
}

// leastRanks returns the smallest one-sided p-value of the U test: all of one sample
// beyond all of the other, one in (n+m choose n) orders.
func leastRanks(n, m int) float64 {
	if n < 1 || m < 1 {
		return 1
	}
	ways := 1.0
	for i := 1; i <= n; i++ {
		ways = ways * float64(m+i) / float64(i)
		if math.IsInf(ways, 1) {
			return 0
		}
	}
	return 1 / ways
}
