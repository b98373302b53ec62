package selectors

import (
	"math"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

func choice(name string, pairs ...any) catalog.Choice {
	v := catalog.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = catalog.Value{V: pairs[i+1]}
	}
	return catalog.Choice{Name: name, Values: v}
}

func list[T any](values ...T) []any {
	var all []any
	for _, v := range values {
		all = append(all, v)
	}
	return all
}

var tokenCosts = map[string]catalog.Choice{
	"constant":    choice("constant", "value", int64(7)),
	"uniform":     choice("uniform", "min", int64(3), "max", int64(90)),
	"choice":      choice("choice", "values", list[int64](50, 1, 9), "weights", list[int64](1, 5, 2)),
	"exponential": choice("exponential", "mean", int64(400), "max", int64(5000)),
	"lognormal":   choice("lognormal", "p50", int64(300), "p99", int64(3000), "max", int64(8000)),
	"quantiles":   choice("quantiles", "tokens", list[int64](1, 100, 100, 900, 4000), "at", list(units.Fraction{Num: 0, Den: 1}, units.Fraction{Num: 1, Den: 2}, units.Fraction{Num: 3, Den: 5}, units.Fraction{Num: 9, Den: 10}, units.Fraction{Num: 1, Den: 1})),
	"even":        choice("quantiles", "tokens", list[int64](10, 20, 1000)),
}

// TestCostsByRank checks that a cost does not fall with its rank, begins and ends as
// declared, and has the distribution of drawn costs.
func TestCostsByRank(t *testing.T) {
	const n = 100_000
	for name, c := range tokenCosts {
		costs, err := NewCosts(c, n)
		if err != nil {
			t.Fatal(name, err)
		}
		drawn := make([]int64, n)
		stream := random.New(1, 0, name)
		costs.Fill(&stream, drawn)
		slices.Sort(drawn)
		before, worst := int64(0), 0.0
		for i := range n {
			cost := costs.at(uint64(i)*(math.MaxUint64/n) + math.MaxUint64/n/2)
			if cost < before {
				t.Fatalf("%s: cost %d after %d", name, cost, before)
			}
			before = cost
			at, _ := slices.BinarySearch(drawn, cost)
			to, _ := slices.BinarySearch(drawn, cost+1)
			if i < at {
				worst = max(worst, float64(at-i)/n)
			} else if i > to {
				worst = max(worst, float64(i-to)/n)
			}
		}
		if worst > 1.95/math.Sqrt(n) { // Kolmogorov's bound at 0.1 %
			t.Errorf("%s: drawn costs differ by %.4f from those by rank", name, worst)
		}
		if costs.at(math.MaxUint64) != costs.Max() {
			t.Errorf("%s: the last rank has %d, not the largest cost %d", name, costs.at(math.MaxUint64), costs.Max())
		}
	}
}

// TestQuantiles checks the stated quantiles, and the mean, which is that of a polygon.
func TestQuantiles(t *testing.T) {
	costs, _ := NewCosts(tokenCosts["quantiles"], 1)
	for share, want := range map[float64]int64{0: 1, 0.5: 100, 0.6: 100, 0.75: 500, 0.9: 900, 0.95: 2450} {
		if got := costs.at(uint64(share * (1 << 63) * 2)); got < want-1 || got > want+1 {
			t.Errorf("at %v: %d, want %d", share, got, want)
		}
	}
	const n = 1 << 20
	sum := 0.0
	for i := range uint64(n) {
		sum += float64(costs.at(i<<44 + 1<<43))
	}
	if want := 0.5*50.5 + 0.1*100 + 0.3*500 + 0.1*2450; math.Abs(sum/n-want) > 0.01*want {
		t.Errorf("the mean is %v, want %v", sum/n, want)
	}
}

// TestCorrelation checks that estimates have the rank of their costs in the stated share
// of requests, that costs do not depend on it, and that both keep their distributions.
func TestCorrelation(t *testing.T) {
	const n = 200_000
	var first []int64
	for _, share := range []float64{0, 0.3, 0.5, 1} {
		c := choice("estimated", "actual", tokenCosts["uniform"], "estimate", tokenCosts["even"], "correlation", units.Fraction{Num: int64(share * 10), Den: 10})
		e, err := NewEstimated(c.Values, n)
		if err != nil {
			t.Fatal(err)
		}
		costs, estimates := make([]int64, n), make([]int64, n)
		costDraws, estimateDraws := random.New(1, 0, "costs"), random.New(1, 0, "estimates")
		e.Fill(&costDraws, &estimateDraws, costs, estimates)
		if first == nil {
			first = costs
		} else if !slices.Equal(costs, first) {
			t.Error("the costs depend on how they are estimated")
		}
		if got := rankCorrelation(costs, estimates); math.Abs(got-share) > 0.01 {
			t.Errorf("the rank correlation is %.3f, want %v", got, share)
		}
	}
}

// rankCorrelation returns Spearman's coefficient with mean ranks of ties.
func rankCorrelation(a, b []int64) float64 {
	x, y := ranks(a), ranks(b)
	var xy, xx, yy float64
	mean := float64(len(a)-1) / 2
	for i := range x {
		xy += (x[i] - mean) * (y[i] - mean)
		xx += (x[i] - mean) * (x[i] - mean)
		yy += (y[i] - mean) * (y[i] - mean)
	}
	return xy / math.Sqrt(xx*yy)
}

func ranks(values []int64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	out := make([]float64, len(values))
	for i, v := range values {
		from, _ := slices.BinarySearch(sorted, v)
		to, _ := slices.BinarySearch(sorted, v+1)
		out[i] = float64(from+to-1) / 2
	}
	return out
}
