package batchreported_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// fleetUnder runs algorithms for 20 s on evenly spaced traffic of three times a
// limit of 1000/s, with ten clients whose reports are aligned every 10 ms and take
// no time. Without faults a window of batch-reported then admits the hits of 34
// reports, 1020.
func fleetUnder(t *testing.T, faults, algorithms string, names ...string) *results.Document {
	t.Helper()
	list := ""
	for _, n := range names {
		list += n + ", "
	}
	return simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
algorithms:
%s
topologies:
  fleet: {clients: 10, servers: 3}
scenarios:
  - name: faulty
    policy: {limit: 1000/s}
    topology: fleet
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [%s]
    faults: [%s]
`, algorithms, list, faults))
}

const (
	plainFleet = "  plain: {preset: batch-reported, phase: aligned, interval: 10ms}\n"
	window     = 1020.0
)

// TestReportedReshard checks that a key that moves to another server starts with an
// empty count: each move admits the count of one more window. The move is at half a
// window, after the third that fills it.
func TestReportedReshard(t *testing.T) {
	d := fleetUnder(t, "{reshard: {from: 5500ms, every: 5s, share: 100%}}", plainFleet+
		"  kept: {preset: batch-reported, phase: aligned, interval: 10ms, moved_state: kept}\n"+
		"  slices: {preset: batch-reported, phase: aligned, interval: 10ms, sharding: slices}\n", "plain", "kept", "slices")
	simtest.Exactly(t, d, "faulty", "plain", "admitted_requests", (20+3)*window)
	simtest.Exactly(t, d, "faulty", "slices", "admitted_requests", (20+3)*window)
	simtest.Exactly(t, d, "faulty", "kept", "admitted_requests", 20*window)
}

// TestReportedRestart checks that a server that restarts without state admits one
// more window too.
func TestReportedRestart(t *testing.T) {
	for state, windows := range map[string]float64{"lost": 21, "kept": 20} {
		d := fleetUnder(t, "{server-restart: {from: 5500ms, state: "+state+", expect_no_effect: true}}", plainFleet, "plain")
		simtest.Exactly(t, d, "faulty", "plain", "admitted_requests", windows*window)
	}
}

// TestReportedOwnerDown checks that while a key's owner is down, its clients know
// nothing from the end of the window on: they admit all requests, or none.
func TestReportedOwnerDown(t *testing.T) {
	d := fleetUnder(t, "{server-restart: {from: 5500ms, down_for: 3s}}", plainFleet+
		"  closed: {preset: batch-reported, phase: aligned, interval: 10ms, unknown: pessimistic}\n", "plain", "closed")
	// The fleet admits everything for two and a half windows. To this add what
	// the empty server counts in the rest of the window, and the hits of the 10
	// ms before.
	simtest.Exactly(t, d, "faulty", "plain", "admitted_requests", 17*window+2*3000+1500+window-30)
	simtest.Exactly(t, d, "faulty", "closed", "admitted_requests", 17*window+window)
}

// TestReportedCrash checks that a key gets another owner once the crash is noticed.
func TestReportedCrash(t *testing.T) {
	total := 0.0
	for server := range 3 {
		d := fleetUnder(t, fmt.Sprintf("{server-crash: {from: 5500ms, server: %d, noticed_after: 3s, down_for: 60s}}", server),
			"  ring: {preset: batch-reported, phase: aligned, interval: 10ms, sharding: {ring: {propagation: 0s}}}\n", "ring")
		total += simtest.Mean(t, d, "faulty", "ring", "admitted_requests")
	}
	if want := 2*20*window + 17*window + 2*3000 + 1500 + window - 30; total != want {
		t.Errorf("with each of three servers crashed once %v are admitted, want %v", total, want)
	}
}

// TestReportedPartition checks that partitioned clients know no limit. Their counts
// are lost or, with the first report that arrives, fill the window.
func TestReportedPartition(t *testing.T) {
	d := fleetUnder(t, "{partition: {from: 5s, to: 10s, share: 50%}}", plainFleet+
		"  resent: {preset: batch-reported, phase: aligned, interval: 10ms, lost_reports: resent}\n", "plain", "resent")
	// The connected clients alone offer 1.5 times the limit: 67 reports of 15
	// hits. The report of the last 10 ms of the partition counts in the window
	// after it.
	cut := 5 * (1500 + 67*15.0)
	simtest.Exactly(t, d, "faulty", "plain", "admitted_requests", 14*window+cut+33*30)
	simtest.Exactly(t, d, "faulty", "resent", "admitted_requests", 14*window+cut)
}

// TestReportedPolicyChange checks that a new limit holds at once.
func TestReportedPolicyChange(t *testing.T) {
	d := fleetUnder(t, "{policy-change: {from: 10s, factor: 0.1}}", plainFleet+
		"  debt: {preset: batch-debt, burst: 0, phase: aligned, interval: 10ms}\n", "plain", "debt")
	simtest.Exactly(t, d, "faulty", "plain", "admitted_requests", 10*window+10*120)
	simtest.About(t, d, "faulty", "debt", "admitted_requests", 10*1000+10*100, 0.005)
}

// TestReportedAutoscale checks that local limits follow the number of clients.
func TestReportedAutoscale(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
algorithms:
  local: {preset: batch-reported, reject_til: false, local_limit: {share: 100%}}
scenarios:
  - name: scaled
    policy: {limit: 1200/s, burst: 12}
    topology: {clients: 12}
    traffic: [{pattern: constant, rate: 3600/s}]
    algorithms: [local, batch-debt-local]
    faults: [{autoscale: {stages: [{from: 0s, clients: 3}, {from: 10s, clients: 12}, {from: 20s, clients: 2}]}}]
`)
	simtest.About(t, d, "scaled", "local", "admitted_requests", 30*1200, 0.002)
	simtest.About(t, d, "scaled", "batch-debt-local", "admitted_requests", 30*1200, 0.01)
}

// TestReportedLoss checks a bucket with debt, which charges the reports that it
// receives: if a share p of the reports is lost, it grants 1/(1-p) of the limit.
// Resent counts correct that, but counts of lost
// responses are then counted twice.
func TestReportedLoss(t *testing.T) {
	run := func(faults, options string) float64 {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 200s
replications: 1
algorithms:
  tested: {preset: batch-debt, burst: 100, %s}
scenarios:
  - name: lossy
    policy: {limit: 1000/s}
    topology: {clients: 20, network: 2ms}
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [tested]
    %s
`, options, faults))
		return simtest.Mean(t, d, "lossy", "tested", "admitted_over_limit")
	}
	for _, x := range []struct {
		faults, options string
		want            float64
	}{
		{"", "report_loss: 0%", 1},
		{"", "report_loss: 20%", 1 / 0.8},
		{"", "report_loss: 50%", 1 / 0.5},
		{"", "report_loss: 20%, lost_reports: resent", 1},
		{"faults: [{report-loss: {p: 20%}}]", "phase: random", 1 / 0.8},
		// A report arrives and is counted with probability 0.8. It is sent
		// again unless its response arrives, too (0.64). So it counts 0.8 +
		// 0.36*(0.8 + ...) times.
		{"faults: [{report-loss: {p: 20%}}]", "lost_reports: resent", 0.64 / 0.8},
		{"faults: [{report-duplicate: {p: 25%}}]", "phase: random", 1 / 1.25},
	} {
		if got := run(x.faults, x.options); got < 0.98*x.want || got > 1.02*x.want {
			t.Errorf("%s, %s: admits %v of the limit, want %v", x.faults, x.options, got, x.want)
		}
	}
}

// TestPredictedLoss compares the closed form for lost reports, which explain prints,
// with a simulation.
func TestPredictedLoss(t *testing.T) {
	f := simtest.Load(t, `
version: 1
duration: 300s
replications: 1
algorithms:
  tested: {preset: batch-debt, burst: 0, phase: aligned, report_loss: 30%}
scenarios:
  - name: lossy
    policy: {limit: 1000/s}
    topology: {clients: 20}
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [tested]
`)
	limit := counting.Limit{Count: 1000, Window: 1000 * ms, Burst: 1000}
	options := f.Scenarios[0].Algorithms[0].Options
	config, err := batchreported.ConfigFrom(options, limit, 20, limit.Burst)
	if err != nil {
		t.Fatal(err)
	}
	d, err := sim.Run(context.Background(), f, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := config.Predict(batchreported.Load{Offered: 3000, Cost: 1, Conditions: batchreported.ConditionsFrom(options)}).LongRun.Value
	if math.Abs(want-1/0.7) > 1e-9 {
		t.Errorf("predicted are %v of the limit", want)
	}
	simtest.About(t, d, "lossy", "tested", "admitted_over_limit", want, 0.02)
}
