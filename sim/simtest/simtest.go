// Package simtest runs scenarios that tests write as text, and reads their
// results. Packages that sim imports use it from external tests.
//
// The package makes no promise: it can change at any time.
package simtest

import (
	"bytes"
	"context"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// T is the part of a *testing.T, *testing.B or *rapid.T that this package uses.
type T interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	FailNow()
}

// Load returns the scenario file in text. It fails the test if the file is
// invalid.
func Load(t T, text string) *scenarios.File {
	t.Helper()
	f, problems := scenarios.Load("test.yaml", []byte(text), ".", sim.Catalog())
	for _, p := range problems {
		t.Error(p)
	}
	if len(problems) > 0 {
		t.FailNow()
	}
	return f
}

// Run runs the scenario file in text with default options. It fails the test if
// the file does not run.
func Run(t T, text string) *results.Document {
	t.Helper()
	return RunWith(t, text, sim.Options{})
}

// RunWith runs the scenario file in text. It fails the test if the file does not
// run.
func RunWith(t T, text string, o sim.Options) *results.Document {
	t.Helper()
	d, err := sim.Run(context.Background(), Load(t, text), o)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// Encode returns the bytes of a document.
func Encode(t T, d *results.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := results.Encode(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Summary returns a metric of a row over its replications. It fails the test if
// the row or the metric has no value.
func Summary(t T, d *results.Document, scenario, algorithm, metric string) results.Summary {
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

// Mean returns the mean of a metric of a row. It fails the test if there is none.
func Mean(t T, d *results.Document, scenario, algorithm, metric string) float64 {
	t.Helper()
	return *Summary(t, d, scenario, algorithm, metric).Mean
}

// Exactly checks that the mean of a metric equals want.
func Exactly(t T, d *results.Document, scenario, algorithm, metric string, want float64) {
	t.Helper()
	Between(t, d, scenario, algorithm, metric, want, want)
}

// About checks that the mean of a metric differs from want by at most share*want.
func About(t T, d *results.Document, scenario, algorithm, metric string, want, share float64) {
	t.Helper()
	Between(t, d, scenario, algorithm, metric, want*(1-share), want*(1+share))
}

// Between checks that the mean of a metric is from least to most.
func Between(t T, d *results.Document, scenario, algorithm, metric string, least, most float64) {
	t.Helper()
	if got := Mean(t, d, scenario, algorithm, metric); got < least || got > most {
		t.Errorf("%s, %s: %s is %v, want %v to %v", scenario, algorithm, metric, got, least, most)
	}
}
