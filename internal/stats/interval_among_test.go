package stats

import (
	"math/rand/v2"
	"testing"
)

// For one figure the interval is that of OfMean. For many it is wider, as Bonferroni's
// inequality asks: of twenty independent figures all are in theirs with 95 %.
func TestOfMeanAmong(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() []float64 {
		values := make([]float64, 10)
		for i := range values {
			values[i] = r.NormFloat64()
		}
		return values
	}
	const tables, figures = 500, 20
	missed := 0
	for range tables {
		miss := false
		for range figures {
			i := OfMeanAmong(figures, draw())
			miss = miss || i.Lo() > 0 || i.Hi() < 0
		}
		if miss {
			missed++
		}
	}
	if missed < tables/50 || missed > tables/10 {
		t.Errorf("%d of %d tables miss a figure, want about %d", missed, tables, tables/20)
	}
	for _, values := range [][]float64{{3}, {3, 3}, {1, 2, 5}} {
		if got, want := OfMeanAmong(1, values), OfMean(values); got != want {
			t.Errorf("of one figure %+v, want %+v", got, want)
		}
	}
	if got, want := OfMeanAmong(5, []float64{3, 3}), OfMean([]float64{3, 3}); got != want {
		t.Errorf("of equal values %+v, want %+v", got, want)
	}
}
