package sim

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/measure"
)

func TestSummarise(t *testing.T) {
	values := func(xs ...float64) (list []measure.Value) {
		for _, x := range xs {
			list = append(list, measure.Number(x))
		}
		return list
	}
	// The values 1, 2, 3, 4, 5 have a mean of 3 and a standard error of
	// sqrt(2.5/5); t has 4 degrees of freedom.
	s := summarise(values(1, 2, 3, 4, 5))
	half := 2.776445105 * math.Sqrt(0.5)
	if *s.Mean != 3 || math.Abs(*s.Lo-(3-half)) > 1e-9 || math.Abs(*s.Hi-(3+half)) > 1e-9 || len(s.Values) != 5 || *s.Values[3] != 4 {
		t.Errorf("mean %v (%v to %v), want 3 within %v", *s.Mean, *s.Lo, *s.Hi, half)
	}
	// Three times 0.1 is not 0.3 in binary floating point. The mean of equal
	// values must be that value.
	for _, xs := range [][]float64{{0.1, 0.1, 0.1}, {1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3}, {7}} {
		if s := summarise(values(xs...)); *s.Mean != xs[0] || *s.Lo != xs[0] || *s.Hi != xs[0] {
			t.Errorf("%v: %v (%v to %v), want the value itself", xs, *s.Mean, *s.Lo, *s.Hi)
		}
	}
	// If a replication has no value, the summary has none.
	s = summarise([]measure.Value{measure.Number(1), measure.NoData("no traffic"), measure.NoData("another")})
	if s.Mean != nil || s.Lo != nil || s.Hi != nil || s.Reason != "no traffic" || s.Values[0] == nil || s.Values[1] != nil {
		t.Errorf("a mean over some of the replications: %+v", s)
	}
	if s := summarise(nil); s.Mean != nil {
		t.Error("a mean of nothing")
	}
}
