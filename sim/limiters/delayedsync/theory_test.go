package delayedsync_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestOneClientNeedsNoStore checks that a single client that weighs two windows
// equals the sliding window counter at any sync interval, because the store has
// only its own counts.
func TestOneClientNeedsNoStore(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
algorithms:
  alone:    {preset: kong-sync, count_rejected: false}
  windows:  {enforcement: delayed-sync, counter: fixed-window, pull: counts, interval: 330ms}
  rejected: {preset: kong-sync, interval: 70ms}
  counter:  {preset: sliding-window-counter, count_rejected: true}
scenarios:
  - name: alone
    policy: {limit: 7/300ms}
    topology: {network: 30ms}
    traffic: [{pattern: poisson, rate: 40/s, cost: {uniform: {max: 3}}, keys: {uniform: {count: 3}}}]
    algorithms: [alone, windows, rejected, counter, sliding-window-counter, fixed-window]
`)
	for algorithm, equal := range map[string]string{"alone": "sliding-window-counter", "windows": "fixed-window", "rejected": "counter"} {
		for _, metric := range []string{"admitted_requests", "admitted_cost", "over_limit_pct", "under_admission_pct"} {
			simtest.Exactly(t, d, "alone", algorithm, metric, simtest.Mean(t, d, "alone", equal, metric))
		}
	}
}

// TestApisix13704 reproduces pull request 13704 of APISIX: two nodes at 800/s
// against 500/s with a sync every 0.2 s admit 590/s before the change and 438/s
// after it.
func TestApisix13704(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
replications: 10
scenarios:
  - name: pull request 13704
    policy: {limit: 500/s}
    topology: {clients: 2}
    traffic: [{pattern: poisson, rate: 800/s}]
    algorithms: [apisix-delayed-sync-before, apisix-delayed-sync]
`)
	simtest.About(t, d, "pull request 13704", "apisix-delayed-sync-before", "admitted_requests", 30*590, 0.02)
	simtest.About(t, d, "pull request 13704", "apisix-delayed-sync", "admitted_requests", 30*438, 0.03)
}

// TestDelayedSyncWithoutItsStore checks that each client counts alone while the
// store is down, and that a store that loses its last seconds in a failover admits
// them again.
func TestDelayedSyncWithoutItsStore(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 60s
algorithms:
  kong: {preset: kong-sync, count_rejected: false, interval: 100ms}
scenarios:
  - name: well
    policy: {limit: 6000/min}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: 400/s}]
    algorithms: [kong, apisix-delayed-sync]
  - name: down
    policy: {limit: 6000/min}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: 400/s}]
    faults: [{store-down: {from: 0s, to: 60s}}]
    algorithms: [kong, apisix-delayed-sync]
  - name: forgetful
    policy: {limit: 6000/min}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: 400/s}]
    faults: [{store-down: {from: 10s, to: 10100ms, lose: 5s}}]
    algorithms: [kong]
`)
	for _, algorithm := range []string{"kong", "apisix-delayed-sync"} {
		simtest.About(t, d, "well", algorithm, "admitted_requests", 6000, 0.02)
		simtest.Exactly(t, d, "down", algorithm, "admitted_requests", 24000)
	}
	// From 5 s to 10 s the clients admit 2000 requests, and the store loses
	// this count.
	simtest.About(t, d, "forgetful", "kong", "admitted_requests", 8000, 0.02)
}

// TestDelayedSyncCountsTwice checks that a duplicated sync is counted twice and
// answered once, so half the limit is admitted.
func TestDelayedSyncCountsTwice(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 1min
algorithms:
  kong: {preset: kong-sync, count_rejected: false}
scenarios:
  - name: twice
    policy: {limit: 6000/min}
    topology: {network: 10ms}
    traffic: [{pattern: constant, rate: 200/s}]
    faults: [{report-duplicate: {p: 100%}}]
    algorithms: [kong]
`)
	simtest.About(t, d, "twice", "kong", "admitted_requests", 3000, 0.04)
}
