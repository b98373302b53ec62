package sim

import (
	"context"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// TestDraws checks that other draws change what limiters draw, and neither the
// traffic nor anything that follows from it alone.
func TestDraws(t *testing.T) {
	f, problems := scenarios.Load("-", []byte(`
version: 1
duration: 5s
scenarios:
  - name: s
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 5, network: {exponential: {p99: 20ms}}}
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [token-bucket, batch-reported]
`), ".", Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	values := func(draws uint64) map[string][]float64 {
		d, err := Run(context.Background(), f, Options{Draws: draws})
		if err != nil {
			t.Fatal(err)
		}
		list := map[string][]float64{}
		for _, r := range d.Results {
			for _, metric := range []string{"offered_requests", "admitted_requests"} {
				list[r.Algorithm+" "+metric] = plain(r.Metrics[metric])
			}
		}
		return list
	}
	usual, other := values(0), values(1)
	for name, x := range usual {
		if same := slices.Equal(x, other[name]); same != (name != "batch-reported admitted_requests") {
			t.Errorf("%s: the values are equal: %t\n%v\n%v", name, same, x, other[name])
		}
	}
	if again := values(1); !slices.Equal(again["batch-reported admitted_requests"], other["batch-reported admitted_requests"]) {
		t.Error("the same draws give other values")
	}
}

func plain(s results.Summary) (values []float64) {
	for _, x := range s.Values {
		values = append(values, *x)
	}
	return values
}
