package sim

import (
	"bytes"
	"context"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Tests of unexported functions cannot import package simtest, because it
// imports sim. These functions load and run a file for them.

// tester is a *testing.T, a *testing.B or a *rapid.T.
type tester interface {
	Helper()
	Error(args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	FailNow()
}

// load returns the scenario file in text.
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

// simulate runs the scenario file in text.
func simulate(t tester, text string) *results.Document {
	t.Helper()
	d, err := Run(context.Background(), load(t, text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// encode returns the bytes of a document.
func encode(t tester, d *results.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := results.Encode(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
