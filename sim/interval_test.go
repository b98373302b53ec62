package sim

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
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

// A replication without an observation adds none to a ratio of sums, and does not void it.
func TestSummariseRatio(t *testing.T) {
	ratio := func(num, den float64) measure.Value {
		v := measure.Value{Pool: measure.Pool{Kind: measure.Ratio, Num: num, Den: den}}
		if den == 0 {
			v.NoData = "no saturated window"
			return v
		}
		v.X = num / den
		return v
	}
	none := ratio(0, 0)
	for _, c := range []struct {
		values   []measure.Value
		mean     float64
		interval bool
		pooled   string
	}{
		{[]measure.Value{ratio(30, 10), ratio(0, 90)}, 0.3, true, results.PooledRatio},
		{[]measure.Value{ratio(30, 10), none, ratio(0, 20)}, 1, true, results.PooledRatio},
		{[]measure.Value{none, ratio(30, 10), none}, 3, false, results.PooledRatio},
		{[]measure.Value{ratio(30, 10)}, 3, true, results.PooledRatio},
		{[]measure.Value{ratio(1, 10), ratio(3, 10)}, 0.2, true, results.PooledRatio},
	} {
		s := summarise(c.values)
		if s.Mean == nil || math.Abs(*s.Mean-c.mean) > 1e-12 || (s.Lo != nil) != c.interval || s.Pooled != c.pooled {
			t.Errorf("%+v: %+v", c.values, s)
			continue
		}
		if c.interval != (len(s.Replicates()) == len(c.values)) {
			t.Errorf("%+v: %v for the replications", c.values, s.Replicates())
		}
	}
	if s := summarise([]measure.Value{none, none}); s.Mean != nil || s.Reason != "no saturated window" {
		t.Errorf("nothing observed: %+v", s)
	}
	if s := summarise([]measure.Value{ratio(1, 2), measure.NoData("needs more memory")}); s.Mean != nil || s.Reason != "needs more memory" {
		t.Errorf("a replication that was not measured: %+v", s)
	}
}

// A quantile is of all observations: the mean of the quantiles of ten runs of a hundred is
// below that of a thousand, and few observations have none.
func TestSummariseQuantile(t *testing.T) {
	quantile := func(n int64, permille int64) []measure.Value {
		r := rand.New(rand.NewPCG(1, 2))
		var values []measure.Value
		for range 10 {
			observed := make([]float64, n)
			for i := range observed {
				observed[i] = r.ExpFloat64()
			}
			slices.Sort(observed)
			d := measure.Distribution{}
			for _, x := range observed {
				d = append(d, measure.Observation{X: x, N: 1})
			}
			values = append(values, measure.Value{X: observed[(n*permille+999)/1000-1], Pool: measure.Pool{Kind: measure.Quantile, Of: &d, Permille: permille}})
		}
		return values
	}
	if s := summarise(quantile(100, 990)); s.Mean == nil || s.Pooled != results.PooledQuantile || *s.Lo > math.Log(100) || *s.Hi < math.Log(100) || *s.Lo == *s.Hi {
		t.Errorf("p99 of 1000: %+v, want an interval about %v", s, math.Log(100))
	}
	if s := summarise(quantile(49, 990)); s.Mean != nil || s.Reason != "fewer than 5 of 490 observations lie beyond it" {
		t.Errorf("p99 of 490: %+v", s)
	}
	largest := summarise(quantile(49, 1000))
	for _, x := range largest.Values {
		if *x > *largest.Mean {
			t.Errorf("the largest observation %v is above %v", *x, *largest.Mean)
		}
	}
	if largest.Equal() || *largest.Lo != *largest.Hi || largest.Pooled != results.PooledLargest {
		t.Errorf("the largest observation: %+v", largest)
	}
}

// TestQuantileOfBuckets checks that 95 % intervals of a quantile that is counted in buckets
// cover the true value, although no single replication moves the quantile to another bucket
// in most trials: p99 of an exponential time of 20 ms, in buckets as histograms have them.
func TestQuantileOfBuckets(t *testing.T) {
	const trials, replications, observations, mean = 400, 10, 2000, 20.0
	r := rand.New(rand.NewPCG(1, 2))
	truth, covered := mean*math.Log(100), 0
	for range trials {
		var values []measure.Value
		for range replications {
			counts := map[float64]int64{} // by the lower bound of a bucket
			for range observations {
				x := mean * r.ExpFloat64()
				width := math.Exp2(math.Floor(math.Log2(x)) - 7)
				counts[math.Floor(x/width)*width]++
			}
			d, left, own := measure.Distribution{}, int64(observations*99/100), 0.0
			for _, lo := range slices.Sorted(maps.Keys(counts)) {
				width := math.Exp2(math.Floor(math.Log2(lo)) - 7)
				d = append(d, measure.Observation{X: lo + width/2, Width: width, N: counts[lo]})
				if left > 0 {
					own = lo + width/2
				}
				left -= counts[lo]
			}
			values = append(values, measure.Value{X: own, Pool: measure.Pool{Kind: measure.Quantile, Of: &d, Permille: 990}})
		}
		s := summarise(values)
		if s.Equal() {
			t.Fatalf("replications that differ are called equal: %+v", s)
		}
		if *s.Lo <= truth && truth <= *s.Hi {
			covered++
		}
	}
	if share := float64(covered) / trials; share < 0.92 || share > 0.98 {
		t.Errorf("%.1f %% of intervals cover the true quantile, want 95 %%", 100*share)
	}
}

// TestQuantileOfFewValues checks that a quantile of few possible values has no interval of
// width 0 while replications differ, and has one when all are equal.
func TestQuantileOfFewValues(t *testing.T) {
	of := func(large ...int64) results.Summary {
		var values []measure.Value
		for _, n := range large { // of a hundred windows, over by 5 instead of 1
			x := 1.0
			if n >= 50 {
				x = 5
			}
			d := measure.Distribution{{X: 1, N: 101 - n}, {X: 5, N: n}}
			values = append(values, measure.Value{X: x, Pool: measure.Pool{Kind: measure.Quantile, Of: &d, Permille: 505}})
		}
		return summarise(values)
	}
	if s := of(10, 20, 70, 15, 12); *s.Mean != 1 || s.Equal() || *s.Hi <= 1 {
		t.Errorf("one replication of five has another median: %v to %v, %+v", *s.Lo, *s.Hi, s)
	}
	if s := of(10, 20, 30, 15, 12); *s.Mean != 1 || !s.Equal() {
		t.Errorf("all have the same median: %+v", s)
	}
}
