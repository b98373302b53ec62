package patterns

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Random patterns that state one mean rate have it from the first instant: over many
// seeds the first tenth, the last tenth and the whole of a run bring that rate, within
// four standard errors.
func TestStationaryFromTheStart(t *testing.T) {
	onOff := func(more catalog.Values) catalog.Values {
		v := catalog.Values{"rate_on": rate(400, second), "rate_off": rate(20, second), "mean_on": value(200 * millisecond), "mean_off": value(750 * millisecond)}
		for name, x := range more {
			v[name] = x
		}
		return v
	}
	for _, c := range []struct {
		what, pattern string
		options       catalog.Values
	}{
		{"poisson", "poisson", catalog.Values{"rate": rate(100, second)}},
		{"jittered", "constant", catalog.Values{"rate": rate(100, second), "arrivals": value("jittered")}},
		{"bursty", "bursty", onOff(nil)},
		{"bursty of 20 sources", "bursty", onOff(catalog.Values{"sources": value(int64(20))})},
		{"pareto of 7 sources", "pareto", onOff(catalog.Values{"shape": share(3, 2), "sources": value(int64(7))})},
		{"pareto of shape 1.2", "pareto", onOff(catalog.Values{"shape": share(6, 5)})},
		{"pareto of shape 1.5", "pareto", onOff(catalog.Values{"shape": share(3, 2)})},
		{"pareto of shape 4", "pareto", onOff(catalog.Values{"shape": share(4, 1)})},
		{"gamma of variation 0.3", "gamma", catalog.Values{"rate": rate(100, second), "cv": share(3, 10)}},
		{"gamma of variation 3", "gamma", catalog.Values{"rate": rate(100, second), "cv": share(3, 1)}},
		{"gamma of variation 10", "gamma", catalog.Values{"rate": rate(100, second), "cv": share(10, 1)}},
		{"constant with a random offset", "constant", shifted(catalog.Values{"rate": rate(100, second)}, -1)},
		{"square with a random offset", "square", shifted(catalog.Values{"high": rate(170, second), "low": rate(30, second), "high_for": value(3 * second), "low_for": value(3 * second)}, -1)},
		{"sine with a random offset", "sine", shifted(catalog.Values{"rate": rate(100, second), "period": value(7 * second)}, -1)},
		{"herd with a random offset", "herd", shifted(catalog.Values{"count": value(int64(170)), "every": value(1700 * millisecond)}, -1)},
	} {
		const seeds, mean = 1500, 100.0
		span := Span{0, 10 * second}
		p := build(t, c.pattern, c.options, span)
		parts := [3][]float64{}
		for seed := range uint64(seeds) {
			times := instants(p, seed)
			n := counts(times, span, 10)
			for i, x := range []float64{n[0], n[9], float64(len(times)) / 10} {
				parts[i] = append(parts[i], x)
			}
		}
		for i, part := range []string{"first tenth", "last tenth", "whole"} {
			got, variance := meanAndVariance(parts[i])
			if noise := math.Sqrt(variance / seeds); math.Abs(got-mean) > 4*noise+1e-6 {
				t.Errorf("%s: %.2f +-%.2f/s in the %s, want %g", c.what, got, noise, part, mean)
			}
		}
	}
}
