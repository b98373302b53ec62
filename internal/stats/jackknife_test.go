package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Pseudo-values of a mean are the values.
func TestJackknifeOfMean(t *testing.T) {
	values := []float64{1, 2, 4, 8, 16}
	without := make([]float64, len(values))
	for i, x := range values {
		without[i] = (31 - x) / 4
	}
	for i, x := range Jackknife(31./5, without) {
		if math.Abs(x-values[i]) > 1e-12 {
			t.Errorf("pseudo-value %d is %v, want %v", i, x, values[i])
		}
	}
}

// The interval of a ratio of sums covers the ratio of the means, whose numerator and
// denominator depend on one another.
func TestRatioCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const samples = 2000
	missed := 0
	for range samples {
		num, den := make([]float64, 20), make([]float64, 20)
		for i := range num {
			den[i] = float64(1 + r.IntN(5))
			for range int(den[i]) {
				num[i] += r.ExpFloat64()
			}
		}
		ratio, without, ok := WithoutEach(num, den)
		if b := OfSkewed(Jackknife(ratio, without)); !ok || b.Lo > 1 || b.Hi < 1 {
			missed++
		}
	}
	if covers := 1 - float64(missed)/samples; covers < 0.94 {
		t.Errorf("covers %.1f %%", 100*covers)
	}
	if ratio, _, ok := WithoutEach([]float64{0, 3, 0}, []float64{0, 4, 0}); ratio != 0.75 || ok {
		t.Errorf("one replication with observations: %v, with the ratio without it %v", ratio, ok)
	}
}
