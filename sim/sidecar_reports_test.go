package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// reportingThrough returns variants of batch-reported whose gateways ask a sidecar.
func reportingThrough() []string {
	return []string{"preset: batch-reported", "preset: rejection-rate-local", "preset: batch-debt-local", "preset: batch-reported-redis"}
}

// A sidecar in front of batch reports moves decisions and nothing else under every
// fault that affects them: the limiter decides, and reports, as it would about
// requests that arrive half a hop later.
func TestSidecarWithReportsUnderFaults(t *testing.T) {
	shorter := strings.NewReplacer("from: 3s, to: 9s", "from: 1s, to: 2s", "from: 3s, to: 6s", "from: 1s, to: 2s", "from: 3s", "from: 1s", "from: 6s", "from: 2s")
	for _, kind := range scenarios.FaultKinds() {
		if kind.Name == "autoscale" || kind.Name == "policy-change" || !limiters.Of(&scenarios.Algorithm{Enforcement: "batch-reported"}).IsAffectedBy(kind.Name) {
			continue // these act on requests when they arrive at their gateways
		}
		fault := strings.Replace(shorter.Replace(strong[kind.Name]), "}", ", expect_no_effect: true}", 1)
		for _, limiter := range reportingThrough()[2:] {
			t.Run(kind.Name+", "+limiter, func(t *testing.T) {
				run := func(sidecar, from string) (decisions []sim.Decision, reports []sim.Report) {
					text := sidecarCase(limiter, sidecar, from, "policy: one", fmt.Sprintf("faults: [{%s: %s}]", kind.Name, fault))
					simtest.RunWith(t, text, sim.Options{Workers: 1, Details: sim.Details{
						Decisions: func(d *sim.Decision) error {
							if d.Algorithm == "x" { // not the reference
								decisions = append(decisions, *d)
							}
							return nil
						},
						Reports: func(r *sim.Report) error { reports = append(reports, *r); return nil },
					}})
					return decisions, reports
				}
				aside, asideReports := run("4ms", "10ms")
				later, laterReports := run("none", "12ms")
				checkMoved(t, aside, later)
				if diff := cmp.Diff(laterReports, asideReports); diff != "" || len(asideReports) == 0 {
					t.Errorf("the reports of %d rows differ (-later +sidecar):\n%.1500s", len(asideReports), diff)
				}
			})
		}
	}
}

// A caller that retries after a rejection through a sidecar waits for the way back
// and the way there too: retries with a delay of 10 ms are those of a gateway that
// decides by itself with a delay of 10 ms and a hop.
func TestSidecarWithRetries(t *testing.T) {
	const ms = 1_000_000
	retries := func(delay int) string {
		return fmt.Sprintf("retries: {attempts: 3, backoff: {constant: {time: %dms}}}", delay)
	}
	type attempt struct {
		fresh int64
		try   int32
	}
	for _, limiter := range reportingThrough() {
		t.Run(limiter, func(t *testing.T) {
			aside := simtest.Decisions(t, sidecarCase(limiter, "4ms", "10ms", "policy: one", retries(10)))["x"]
			later := map[attempt]sim.Decision{}
			for _, d := range simtest.Decisions(t, sidecarCase(limiter, "none", "12ms", "policy: one", retries(14)))["x"] {
				later[attempt{d.Fresh, d.Try}] = d
			}
			retried := 0
			for _, d := range aside {
				want, ok := later[attempt{d.Fresh, d.Try}]
				if !ok || want.ArrivalNs >= 2990*ms {
					continue // beyond the end of one of the runs
				}
				if d.Try > 0 {
					retried++
				}
				if d.Verdict != want.Verdict || d.Cause != want.Cause || d.ArrivalNs != want.ArrivalNs-2*ms || d.DecidedNs != want.DecidedNs+2*ms {
					t.Fatalf("try %d of request %d arrives at %d and is %s by %s at %d; want %d, %s by %s, %d",
						d.Try, d.Fresh, d.ArrivalNs, d.Verdict, d.Cause, d.DecidedNs, want.ArrivalNs-2*ms, want.Verdict, want.Cause, want.DecidedNs+2*ms)
				}
			}
			if retried < 500 {
				t.Errorf("compared %d retries only", retried)
			}
		})
	}
}
