package traffic

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// The variance of counts shows which keys burst together. For one process the index of
// dispersion is 1 + E; if processes have the shares w of the requests, that of all
// requests is 1 + E*sum(w^2), and that of a key with a process of its own 1 + E*w.
func TestSourcesOfKeys(t *testing.T) {
	const excess = 2 * 0.25 * 0.75 * 2800 * 2800 / (900 * (100 + 100.0/3))
	for _, c := range []struct {
		sources int64
		keys    catalog.Choice
		squares float64   // sum(w^2)
		shares  []float64 // of keys with a process of their own
	}{
		{1, uniform(8), 1, nil},
		{8, uniform(8), 1.0 / 8, []float64{1.0 / 8, 1.0 / 8, 1.0 / 8}},
		{4, uniform(8), 1.0 / 4, nil},
		{8, named("one"), 1.0 / 8, nil},
		{8, uniform(3), 6.0/81 + 2.0/36, nil},
		{4, hot(4, 7, 10), 0.52, []float64{0.7, 0.1, 0.1, 0.1}},
		{100, hot(4, 7, 10), 0.52 / 25, nil},
	} {
		what := fmt.Sprintf("%d sources, keys %s", c.sources, c.keys.Name)
		e := entry("bursty", catalog.Values{"rate_on": rate(3000, second), "rate_off": rate(200, second),
			"mean_on": value(10 * millisecond), "mean_off": value(30 * millisecond), "sources": value(c.sources)})
		e.Keys = c.keys
		const bins = 800
		all, ofKey := make([]float64, bins), [8][]float64{}
		for k := range ofKey {
			ofKey[k] = make([]float64, bins)
		}
		for _, r := range collect(prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 1, End: 400 * second}).Open(1, 0), math.MaxInt) {
			all[r.time/(second/2)]++
			ofKey[r.key][r.time/(second/2)]++
		}
		check := func(of string, n []float64, share, squares float64) {
			mean, square := 0.0, 0.0
			for _, x := range n {
				mean += x / bins
				square += x * x / bins
			}
			if want := 450 * share; math.Abs(mean-want) > 4*math.Sqrt(want*(1+excess)/bins) {
				t.Errorf("%s: %.1f arrivals of %s, want %.1f", what, mean, of, want)
			}
			want := 1 + excess*squares
			if got := (square - mean*mean) / mean; math.Abs(got/want-1) > 4*math.Sqrt(2.0/bins) {
				t.Errorf("%s: index of dispersion of %s is %.2f, want %.2f", what, of, got, want)
			}
		}
		check("all keys", all, 1, c.squares)
		for k, share := range c.shares {
			check(fmt.Sprint("key ", k), ofKey[k], share, share)
		}
	}
}
