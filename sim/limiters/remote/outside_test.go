package remote_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestTimedOutOutsideFaults checks the share of attempts that time out although no
// fault is in force: none with a store that is down for a third of the run, and also
// none of those in flight when it goes down; all of them where the store is slower than
// the timeout.
func TestTimedOutOutsideFaults(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
metrics: full
algorithms:
  fast: {preset: remote}
  slow: {preset: remote, store_network: 30ms}
scenarios:
  - name: down
    policy: {limit: 100/s}
    topology: {clients: 5, network: 2ms}
    traffic: [{pattern: constant, rate: 500/s}]
    algorithms: [fast, slow]
    faults: [{store-down: {from: 10s, to: 20s}}]
  - name: well
    policy: {limit: 100/s}
    topology: {clients: 5, network: 2ms}
    traffic: [{pattern: constant, rate: 500/s}]
    algorithms: [fast]
`)
	simtest.Exactly(t, d, "down", "fast", "timed_out_requests", 5000)
	simtest.Exactly(t, d, "down", "fast", "timed_out_outside_faults_pct", 0)
	simtest.About(t, d, "down", "slow", "timed_out_outside_faults_pct", 100*(1-10./9990), 1e-6) // ten still wait at the end
	if r := d.Results[len(d.Results)-1].Metrics["timed_out_outside_faults_pct"]; r.Mean != nil || r.Reason != "no faults: timed_out_pct is about all attempts" {
		t.Errorf("without a fault: %+v", r)
	}
}
