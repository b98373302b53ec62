package theory

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestTimeOf compares the mean and the variance of each distribution with those of
// 200,000 of its quantiles. A distribution is set by its percentiles.
func TestTimeOf(t *testing.T) {
	normal := func(u float64) float64 { return math.Sqrt2 * math.Erfinv(2*u-1) }
	for name, c := range map[string]struct {
		fields   map[string]int64 // ns
		quantile func(u float64) float64
	}{
		"constant":    {map[string]int64{"time": 3e9}, func(float64) float64 { return 3 }},
		"exponential": {map[string]int64{"p99": 5e9}, func(u float64) float64 { return 5 * math.Log(1-u) / math.Log(0.01) }},
		"lognormal":   {map[string]int64{"p50": 2e9, "p99": 10e9}, func(u float64) float64 { return 2 * math.Pow(5, normal(u)/normal(0.99)) }},
	} {
		values := catalog.Values{}
		for field, ns := range c.fields {
			values[field] = catalog.Value{V: ns, Given: true}
		}
		const n = 200_000
		sum, squares := 0.0, 0.0
		for i := range n {
			x := c.quantile((float64(i) + 0.5) / n)
			sum += x
			squares += x * x
		}
		mean := sum / n
		variance := squares/n - mean*mean
		got := TimeOf(catalog.Choice{Name: name, Values: values})
		if math.Abs(got.Mean-mean) > 1e-4*mean || math.Abs(got.Variance-variance) > 1e-3*(variance+1e-6) || math.Abs(got.P99-c.quantile(0.99)) > 1e-9 {
			t.Errorf("%s: %+v, want a mean of %g, a variance of %g and a p99 of %g", name, got, mean, variance, c.quantile(0.99))
		}
	}
}
