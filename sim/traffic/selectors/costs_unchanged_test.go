package selectors

import (
	"cmp"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// TestCostsWithEstimates checks that requests have the same costs with an estimate as
// without one, that an estimate of full correlation does not fall where the cost rises,
// and that estimates have their own distribution whatever the correlation.
func TestCostsWithEstimates(t *testing.T) {
	const n = 20_000
	for name, actual := range tokenCosts {
		plain, err := NewCosts(actual, n)
		if err != nil {
			t.Fatal(name, err)
		}
		want := make([]int64, n)
		draws := random.New(3, 0, "costs")
		plain.Fill(&draws, want)

		c := choice("estimated", "actual", actual, "estimate", tokenCosts["exponential"], "correlation", units.Fraction{Num: 1, Den: 1})
		e, err := NewEstimated(c.Values, n)
		if err != nil {
			t.Fatal(name, err)
		}
		costs, estimates := make([]int64, n), make([]int64, n)
		costDraws, estimateDraws := random.New(3, 0, "costs"), random.New(3, 0, "estimates")
		e.Fill(&costDraws, &estimateDraws, costs, estimates)
		if !slices.Equal(costs, want) {
			t.Errorf("%s: the costs differ from those without estimates", name)
		}
		byCost := make([]int, n)
		for i := range byCost {
			byCost[i] = i
		}
		slices.SortFunc(byCost, func(i, j int) int {
			return cmp.Or(cmp.Compare(costs[i], costs[j]), cmp.Compare(estimates[i], estimates[j]))
		})
		for k := 1; k < n; k++ {
			if a, b := estimates[byCost[k-1]], estimates[byCost[k]]; a > b {
				t.Fatalf("%s: an estimate of %d with a cost of %d, and %d with %d", name, a, costs[byCost[k-1]], b, costs[byCost[k]])
			}
		}
		slices.Sort(estimates)
		for _, share := range []float64{0.1, 0.5, 0.9} {
			got, exact := estimates[int(share*n)], e.estimate.at(uint64(share*(1<<63))*2)
			if got < exact*9/10-2 || got > exact*11/10+2 {
				t.Errorf("%s: the estimates' quantile at %v is %d, want %d", name, share, got, exact)
			}
		}
	}
}
