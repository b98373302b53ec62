package sim

import (
	"context"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

func words() catalog.Catalog {
	return catalog.Catalog{
		Patterns:     traffic.Patterns(),
		Counters:     algorithms.Counters(),
		Enforcements: algorithms.Enforcements(),
		Presets:      algorithms.Presets(),
		Metrics:      measure.Metrics(),
	}
}

// load reads a scenario file that must be valid.
func load(t testing.TB, text string) *scenarios.File {
	t.Helper()
	f, problems := scenarios.Load("test.yaml", []byte(text), ".", words())
	for _, p := range problems {
		t.Error(p)
	}
	if len(problems) > 0 {
		t.FailNow()
	}
	return f
}

// simulate runs a scenario file that must run.
func simulate(t testing.TB, text string) *results.Document {
	t.Helper()
	d, err := Run(context.Background(), load(t, text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// figure is the mean of a row's figure, which must be there.
func figure(t testing.TB, d *results.Document, scenario, algorithm, metric string) float64 {
	t.Helper()
	for _, r := range d.Results {
		if r.Scenario == scenario && r.Algorithm == algorithm {
			s := r.Metrics[metric]
			if s.Mean == nil {
				t.Fatalf("%s, %s: no %s: %s", scenario, algorithm, metric, s.Reason)
			}
			return *s.Mean
		}
	}
	t.Fatalf("no row %s in scenario %s", algorithm, scenario)
	return 0
}
