package calibrate

import (
	"math"
	"slices"
	"testing"
)

// TestFitRecoversAModel checks that a fit serves loads as a model does that it does
// not know, beginning elsewhere.
func TestFitRecoversAModel(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates some hundred loads")
	}
	unknown := Model{Processors: 2, Overhead: 30, Statement: 50, Service: 150, Response: 35, Recheck: 20, Abort: 90, Wakeup: 20, HeadStart: 0.25}
	about := make([]Point, 0, 10)
	for _, l := range loads() {
		about = append(about, Point{Load: l, CommitsPerSecond: 2000})
	}
	measured, err := unknown.Simulate(t.Context(), about)
	if err != nil {
		t.Fatal(err)
	}
	begin := unknown
	for i, p := range begin.times() {
		*p *= []float64{1.3, 0.8, 1.2, 0.7}[i%4]
	}
	found, fitted, _, err := fit(t.Context(), begin, measured)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := found.Simulate(t.Context(), measured); err != nil || !slices.Equal(again, fitted) {
		t.Errorf("the model serves %+v, %v, and not %+v", again, err, fitted)
	}
	for i, p := range measured {
		f := fitted[i]
		if rate := math.Abs(f.CommitsPerSecond/p.CommitsPerSecond - 1); rate > 0.08 || math.Abs(f.FirstTryPct-p.FirstTryPct) > 4 {
			t.Errorf("%+v: %+v after the fit of %+v", p, f, found)
		}
	}
}
