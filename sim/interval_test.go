package sim

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/measure"
)

// Published values of the 0.975 quantile, to three digits or more, on both
// sides of where the table ends and the expansion begins.
func TestStudentT(t *testing.T) {
	for df, want := range map[int]float64{
		1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 9: 2.2622, 10: 2.2281, 15: 2.1314, 19: 2.0930, 20: 2.0860,
		25: 2.0595, 29: 2.0452, 30: 2.0423, 31: 2.0395, 35: 2.0301, 40: 2.0211, 50: 2.0086, 60: 2.0003, 80: 1.9901, 100: 1.9840,
		120: 1.9799, 1000: 1.9623, 1_000_000_000: 1.9600,
	} {
		if got := studentT975(df); math.Abs(got-want) > 0.00006 {
			t.Errorf("%d degrees of freedom: %v, want %v", df, got, want)
		}
	}
	for df := 2; df < 200; df++ {
		if studentT975(df) >= studentT975(df-1) {
			t.Errorf("%d degrees of freedom: not below %d", df, df-1)
		}
	}
}

func TestSummarise(t *testing.T) {
	values := func(xs ...float64) (list []measure.Value) {
		for _, x := range xs {
			list = append(list, measure.Number(x))
		}
		return list
	}
	// 1, 2, 3, 4, 5: mean 3, standard error sqrt(2.5/5), t of 4 degrees.
	s := summarise(values(1, 2, 3, 4, 5))
	half := 2.776445105 * math.Sqrt(0.5)
	if *s.Mean != 3 || math.Abs(*s.Lo-(3-half)) > 1e-9 || math.Abs(*s.Hi-(3+half)) > 1e-9 || len(s.Values) != 5 || *s.Values[3] != 4 {
		t.Errorf("mean %v (%v to %v), want 3 within %v", *s.Mean, *s.Lo, *s.Hi, half)
	}
	// Three times 0.1 is not 0.3 in binary; equal values are their own mean.
	for _, xs := range [][]float64{{0.1, 0.1, 0.1}, {1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3}, {7}} {
		if s := summarise(values(xs...)); *s.Mean != xs[0] || *s.Lo != xs[0] || *s.Hi != xs[0] {
			t.Errorf("%v: %v (%v to %v), want the value itself", xs, *s.Mean, *s.Lo, *s.Hi)
		}
	}
	// A replication without a figure leaves the summary without one.
	s = summarise([]measure.Value{measure.Number(1), measure.NoData("no traffic"), measure.NoData("another")})
	if s.Mean != nil || s.Lo != nil || s.Hi != nil || s.Reason != "no traffic" || s.Values[0] == nil || s.Values[1] != nil {
		t.Errorf("a mean over some of the replications: %+v", s)
	}
	if s := summarise(nil); s.Mean != nil {
		t.Error("a mean of nothing")
	}
}
