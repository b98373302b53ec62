package sim

import (
	"context"
	"testing"

	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios"
)

// tester is a *testing.T, a *testing.B or a *rapid.T.
type tester interface {
	Helper()
	Error(args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	FailNow()
}

// load reads a scenario file that must be valid.
func load(t tester, text string) *scenarios.File {
	t.Helper()
	f, problems := scenarios.Load("test.yaml", []byte(text), ".", Catalog())
	for _, p := range problems {
		t.Error(p)
	}
	if len(problems) > 0 {
		t.FailNow()
	}
	return f
}

// simulate runs a scenario file that must run.
func simulate(t tester, text string) *results.Document {
	t.Helper()
	d, err := Run(context.Background(), load(t, text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// summary is a row's figure over replications, which must be there.
func summary(t tester, d *results.Document, scenario, algorithm, metric string) results.Summary {
	t.Helper()
	for _, r := range d.Results {
		if r.Scenario == scenario && r.Algorithm == algorithm {
			s := r.Metrics[metric]
			if s.Mean == nil {
				t.Fatalf("%s, %s: no %s: %s", scenario, algorithm, metric, s.Reason)
			}
			return s
		}
	}
	t.Fatalf("no row %s in scenario %s", algorithm, scenario)
	return results.Summary{}
}

// figure is the mean of a row's figure, which must be there.
func figure(t tester, d *results.Document, scenario, algorithm, metric string) float64 {
	t.Helper()
	return *summary(t, d, scenario, algorithm, metric).Mean
}

// exactly says what a figure must be.
func exactly(t *testing.T, d *results.Document, scenario, algorithm, metric string, want float64) {
	t.Helper()
	if got := figure(t, d, scenario, algorithm, metric); got != want {
		t.Errorf("%s, %s: %s is %v, want %v", scenario, algorithm, metric, got, want)
	}
}

// about says what a figure must be, give or take a share of it.
func about(t *testing.T, d *results.Document, scenario, algorithm, metric string, want, share float64) {
	t.Helper()
	if got := figure(t, d, scenario, algorithm, metric); got < want*(1-share) || got > want*(1+share) {
		t.Errorf("%s, %s: %s is %v, want %v within %v %%", scenario, algorithm, metric, got, want, 100*share)
	}
}
