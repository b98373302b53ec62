package sim_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestWarnsOfCostsAboveTheBurst checks the warning for a request that costs more
// than a bucket can hold.
func TestWarnsOfCostsAboveTheBurst(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 2s
algorithms:
  deep: {preset: token-bucket, burst: 6}
  debt: {preset: token-bucket, debt: true}
scenarios:
  - name: large
    policy: {limit: 5/s, burst: 5}
    topology: {clients: 2}
    traffic: [{pattern: list, events: [{at: 0s, cost: 6}]}]
    algorithms: [token-bucket, gcra, local-divided, deep, debt, fixed-window]
`)
	warned := strings.Join(d.Scenarios[0].Warnings, "\n")
	for name, want := range map[string]bool{
		"token-bucket": true, "gcra": true, "local-divided": true, "deep": false, "debt": false, "fixed-window": false,
	} {
		if got := strings.Contains(warned, "asks 6 and "+name+" holds"); got != want {
			t.Errorf("%s: warned %v, want %v: %q", name, got, want, warned)
		}
	}
	if slices.ContainsFunc(d.Scenarios[0].Warnings, func(w string) bool { return strings.Contains(w, "local-divided holds 5") }) {
		t.Error("local-divided holds its share of the burst, not all of it")
	}
}

// TestWarnsOfWhatNeverComes checks the warnings for traffic that is planned at or
// after the end. The last instant before the end gets none.
func TestWarnsOfWhatNeverComes(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
scenarios:
  - name: late
    policy: {limit: 5/s}
    traffic:
      - {pattern: step, rate: 1/s, to_rate: 2/s, at: 25s}
      - {pattern: spike, rate: 1/s, peak: 2/s, at: 20s, for: 1s, name: peak}
      - {pattern: herd, count: 3, at: 11s, from: 5s, to: 15s}
      - {pattern: list, events: [{at: 1s}, {at: 30s}, {at: 40s}]}
      - {pattern: stages, stages: [{rate: 1/s, for: 15s}, {rate: 2/s, for: 10s}, {rate: 3/s, for: 1s}]}
      - {pattern: workers, count: 4, jobs: 9, start: 39s, answer: 1s}
    algorithms: [token-bucket]
  - name: in time
    policy: {limit: 5/s}
    traffic:
      - {pattern: step, rate: 1/s, to_rate: 2/s, at: 19.999999999s}
      - {pattern: ramp, rate: 1/s, to_rate: 2/s, at: 10s, for: 20s}
      - {pattern: herd, count: 3, at: 9s, from: 5s, to: 15s}
      - {pattern: stages, stages: [{rate: 1/s, for: 15s}, {rate: 2/s, for: 10s}]}
      - {pattern: workers, count: 4, jobs: 9, start: 20s, answer: 1s}
    algorithms: [token-bucket]
`)
	want := []string{
		"traffic[0] lasts 20s: its step at 25s never comes",
		"peak lasts 20s: its spike at 20s never comes",
		"traffic[2] lasts 10s: its herd at 11s never comes",
		"traffic[3] lasts 20s: its events[1] at 30s never comes",
		"traffic[4] lasts 20s: its stages[2] at 25s never comes",
		"traffic[5] lasts 20s: its worker 4 of 4 at 29.25s never comes",
	}
	if got := d.Scenarios[0].Warnings; !slices.Equal(got, want) {
		t.Errorf("warned %q, want %q", got, want)
	}
	if got := d.Scenarios[1].Warnings; len(got) > 0 {
		t.Errorf("warned %q of what comes in time", got)
	}
}

// TestFaultsAfterARecording checks the problem of a fault after the end of a
// recording, which is known only once the log is read.
func TestFaultsAfterARecording(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(log, []byte("time_s,key\n0,a\n2,a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := simtest.Load(t, `
version: 1
scenarios:
  - name: recorded
    policy: {limit: 10/100ms}
    traffic: [{pattern: trace, file: "`+filepath.ToSlash(log)+`", format: csv, rebase: true}]
    faults: [{policy-change: {from: 1s, factor: 2}}, {policy-change: {from: 2.1s, factor: 2}}]
    algorithms: [token-bucket]
`)
	problems, err := sim.Check(context.Background(), f, nil)
	want := "test.yaml:7:55: scenarios[0].faults[1].policy-change: begins at 2.1s, and the run lasts 2.1s"
	if err != nil || len(problems) != 1 || problems[0].String() != want {
		t.Errorf("%v, %v", problems, err)
	}
}

// Where stamps are coarser than the deadline of the backend, nobody knows which answers are
// in time: there are no figures, no best fixed limit and no verdict, and a warning says so.
func TestWarnsOfDeadlinesBelowStamps(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(log, []byte("time_s,key\n0,a\n0,a\n1,a\n2,a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for deadline, want := range map[string]string{"1s": "", "999ms": "stamps resolve to 1s, more than the deadline of 999ms: "} {
		d := simtest.Run(t, `
version: 1
scenarios:
  - name: recorded
    policy: {limit: 100/min}
    traffic: [{pattern: trace, file: "`+filepath.ToSlash(log)+`", format: csv, rebase: true}]
    guard: {concurrency: 1, service_time: 100ms, deadline: `+deadline+`}
    algorithms: [token-bucket]
`)
		s, r := d.Scenarios[0], d.Results[len(d.Results)-1]
		if warned := strings.Join(s.Warnings, "\n"); strings.Contains(warned, "the deadline of") != (want != "") || !strings.Contains(warned, want) {
			t.Errorf("deadline %s: warned %q, want %q", deadline, warned, want)
		}
		known := want == ""
		if got := r.Metrics["goodput_per_s"].Mean != nil; got != known || (s.BestFixed != nil) != known || (r.Verdict != "") != known {
			t.Errorf("deadline %s: goodput %v, best %v, verdict %q", deadline, got, s.BestFixed, r.Verdict)
		}
	}
}

// TestBurstOfZeroHasTwoMeanings checks that a policy with a burst of 0 that leaves its
// reference open is warned about, and the figures that the warning states.
func TestBurstOfZeroHasTwoMeanings(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 40s
replications: 1
policies:
  open:   {limit: 1000/s, burst: 0}
  one:    {limit: 1000/s, burst: 0, reference: token-bucket}
  window: {limit: 1000/s, burst: 0, reference: sliding-log}
traffic:
  below: {pattern: poisson, rate: 800/s}
  above: {pattern: poisson, rate: 3000/s}
algorithms:
  one-at-a-time: {preset: token-bucket, debt: true}
scenarios:
  - {name: open, policy: open, traffic: [above], algorithms: [sliding-window-log]}
  - {name: one, policy: one, traffic: [above], algorithms: [sliding-window-log]}
  - {name: window, policy: window, traffic: [below], algorithms: [one-at-a-time]}
`)
	for i, want := range []int{1, 0, 0} {
		if got := d.Scenarios[i].Warnings; len(got) != want || want > 0 && !strings.Contains(got[0], "line 6, column 34: policies.open.burst: 0 has two meanings") {
			t.Errorf("%s: warned %q", d.Scenarios[i].Name, got)
		}
	}
	simtest.About(t, d, "open", "sliding-window-log", "over_admission_pct", 33.3, 0.03)
	simtest.About(t, d, "window", "one-at-a-time", "under_admission_pct", 44.4, 0.03)
}
