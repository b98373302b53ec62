package sim_test

import (
	"bytes"
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// TestSameDocumentHoweverItRuns checks that the document depends neither on the
// number of workers, nor on whether the rows of a replication share a job (one
// worker) or not (three workers), nor on a decision log.
func TestSameDocumentHoweverItRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.Scenario(t, rapid.IntRange(1, 3).Draw(t, "replications"), rapid.SampledFrom([]string{"", ", reference: fixed-window", ", reference: sliding-log"}).Draw(t, "reference"), "token-bucket, fixed-window, sliding-window-log, gcra, lossy, faithful, rejection-rate")
		f := simtest.Load(t, text)
		document := func(o sim.Options) []byte {
			d, err := sim.Run(context.Background(), f, o)
			if err != nil {
				t.Fatal(err)
			}
			return simtest.Encode(t, d)
		}
		want := document(sim.Options{Workers: 1})
		for _, o := range []sim.Options{{Workers: 2}, {Workers: 3}, {Workers: 1, Details: sim.Details{Decisions: func(*sim.Decision) error { return nil }}}} {
			if !bytes.Equal(document(o), want) {
				t.Fatalf("%d workers, decision log %v: another document than with 1 worker\n%s", o.Workers, o.Details.Any(), text)
			}
		}
	})
}
