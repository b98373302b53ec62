package batchreported_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestReportedStoreTimes checks the latency of a report: 2 ms to the server and
// back, 3 ms from there to the store and back, and 100 us for an operation of the
// store. A script of five rows adds 10 us for each row, a batch of five operations
// queues, and writing each descriptor alone takes five round trips.
func TestReportedStoreTimes(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
algorithms:
  script:     {preset: batch-reported-redis, phase: aligned, store: {redis: {write: script, network: 3ms, service_time: 100us, row_time: 10us}}}
  batch:      {preset: batch-reported-redis, phase: aligned, store: {redis: {write: batch, network: 3ms, service_time: 100us, commands: 3}}}
  descriptor: {preset: batch-reported-redis, phase: aligned, store: {redis: {write: descriptor, network: 3ms, service_time: 100us, commands: 1}}}
  busy:       {preset: batch-reported, phase: aligned, server_time: 4ms}
scenarios:
  - name: well
    policy: {limit: 1000/s}
    topology: {clients: 1, servers: 4, network: 2ms}
    traffic: [{pattern: constant, rate: 1000/s, keys: {uniform: {count: 5}}}]
    algorithms: [script, batch, descriptor, busy]
  - name: slow
    policy: {limit: 1000/s}
    topology: {clients: 1, network: 2ms}
    traffic: [{pattern: constant, rate: 1000/s, keys: {uniform: {count: 5}}}]
    algorithms: [script, busy]
    faults: [{slow-server: {to: 20s, factor: 10}}]
`)
	for algorithm, want := range map[string]struct{ latency, ops, wait, commands float64 }{
		"script": {2 + 3 + 0.15, 10, 0, 2}, "batch": {2 + 3 + 0.5, 50, 0.2, 3}, "descriptor": {2 + 5*3.1, 50, 0, 1},
	} {
		simtest.About(t, d, "well", algorithm, "report_latency_mean_ms", want.latency, 1e-9)
		simtest.About(t, d, "well", algorithm, "store_ops_per_s", want.ops, 0.006) // the first report is of 100 ms
		simtest.About(t, d, "well", algorithm, "store_wait_mean_ms", want.wait, 1e-9)
		simtest.About(t, d, "well", algorithm, "store_commands_per_s", 50*want.commands, 0.006) // 5 rows, 10 times per second
	}
	simtest.About(t, d, "slow", "script", "report_latency_mean_ms", 2+3+1.5, 1e-9)
	simtest.About(t, d, "slow", "busy", "report_latency_mean_ms", 2+40, 0.2)
}

// TestReportedFanout checks that each key of a report is a separate call if keys
// are not grouped by owner.
func TestReportedFanout(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
algorithms:
  each: {preset: batch-reported, phase: aligned, group_by_owner: false}
scenarios:
  - name: keys
    policy: {limit: 10000/s}
    topology: {clients: 3, servers: 2}
    traffic: [{pattern: constant, rate: 3000/s, keys: {uniform: {count: 8}}}]
    algorithms: [batch-reported, each]
`)
	simtest.Exactly(t, d, "keys", "batch-reported", "fanout_max", 2)
	simtest.Exactly(t, d, "keys", "each", "fanout_max", 8)
	simtest.About(t, d, "keys", "each", "fanout_mean", 8, 0.001)
	grouped, each := simtest.Mean(t, d, "keys", "batch-reported", "server_calls_per_s"), simtest.Mean(t, d, "keys", "each", "server_calls_per_s")
	if math.Abs(each/grouped-4) > 0.05 {
		t.Errorf("%v calls a second with a call for each key, %v without", each, grouped)
	}
}

// TestReportedCycleLatency checks that a cycle takes as long as its slowest call.
// With n calls of exponential latency that is mean*(1 + 1/2 + ... + 1/n) on
// average.
func TestReportedCycleLatency(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 60s
algorithms:
  each: {preset: batch-reported, group_by_owner: false}
scenarios:
  - name: keys
    policy: {limit: 10000/s}
    topology: {clients: 20, servers: 2, network: {exponential: {p99: 20ms}}}
    traffic: [{pattern: constant, rate: 20000/s, keys: {uniform: {count: 8}}}]
    algorithms: [each]
`)
	mean := 20 / math.Log(100)
	simtest.About(t, d, "keys", "each", "report_latency_mean_ms", mean, 0.01)
	simtest.About(t, d, "keys", "each", "cycle_latency_mean_ms", mean*(1+1./2+1./3+1./4+1./5+1./6+1./7+1./8), 0.01)
}

// TestReportedMultiPolicy checks two policies. A request passes if both admit it;
// the option charge selects which policies a rejected request is charged to. Half
// of the requests fall under the wide limit alone. If all policies are charged, the
// requests that the narrow policy rejects use up the wide one.
func TestReportedMultiPolicy(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
policies:
  narrow: {limit: 1000/s, shared: true}
  wide:   {limit: 5200/s, shared: true}
algorithms:
  all:  {preset: batch-reported, phase: aligned, interval: 10ms}
  none: {preset: batch-reported, phase: aligned, interval: 10ms, charge: none}
scenarios:
  - name: some
    policies: [wide, narrow]
    traffic:
      - {pattern: constant, rate: 4000/s}
      - {pattern: constant, rate: 4000/s, descriptors: {narrow: none}}
    algorithms: [all, none]
`)
	// The narrow window is full after 25 reports of 40. The wide one is full
	// after 65 reports of 80, or never.
	simtest.Exactly(t, d, "some", "all", "admitted_requests", 20*(1000+65*40))
	simtest.Exactly(t, d, "some", "none", "admitted_requests", 20*(1000+4000))
}

// TestSampledReports checks windows that fill with m = ceil(share*L) counted
// requests. They admit m/share requests on average, with a standard deviation of
// sqrt(m*(1-share))/share.
func TestSampledReports(t *testing.T) {
	for _, limit := range []float64{10, 100, 1000} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 400s
replications: 1
algorithms:
  tested: {preset: sampled-reports, interval: 100us, phase: aligned}
scenarios:
  - name: steady
    policy: {limit: %v/s}
    traffic: [{pattern: constant, rate: %v/s}]
    algorithms: [tested]
`, limit, 10*limit))
		m := math.Ceil(limit / 10)
		sd := math.Sqrt(m*0.9) / 0.1 / limit * 100
		if got := simtest.Mean(t, d, "steady", "tested", "window_error_sd_pct"); math.Abs(got/sd-1) > 0.15 {
			t.Errorf("limit %v: standard deviation of %v %%, want about %v", limit, got, sd)
		}
		if got := simtest.Mean(t, d, "steady", "tested", "window_error_mean_pct"); math.Abs(got) > 5*sd/20 {
			t.Errorf("limit %v: biased by %v %%", limit, got)
		}
	}
}
