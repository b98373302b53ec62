package sim_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestCountLag checks how long it takes until the oldest request of a report is
// counted. A client that reports at multiples of 100 ms, with a request every 10 ms,
// has one that is 100 ms old: it arrives with a tick, after the report. Half a round
// trip of 6 ms later the report is counted. Two reports in a row are lost, and their
// counts are sent again with the third.
func TestCountLag(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
algorithms:
  reports: {preset: batch-reported, interval: 100ms, phase: aligned}
  resent:  {preset: batch-reported, interval: 100ms, phase: aligned, lost_reports: resent}
  redis:   {preset: batch-reported-redis, interval: 100ms, phase: aligned, store: {redis: {write: script, network: 8ms, service_time: 1ms, row_time: 0s}}}
  rows:    {preset: batch-reported-redis, interval: 100ms, phase: aligned, store: {redis: {write: descriptor, network: 8ms, service_time: 1ms}}}
  syncs:   {preset: remote-cached, sync_interval: 100ms, route: any, store_network: 8ms, store_service_time: 1ms, over_limit_cache: false}
  peers:   {preset: gubernator-global, interval: 50ms}
  quotas:  {preset: apisix-delayed-sync, interval: 50ms}
  central: {preset: token-bucket}
scenarios:
  - name: steady
    policy: {limit: 1000000/s}
    topology: {network: 6ms}
    traffic: [{pattern: constant, rate: 100/s}]
    algorithms: [reports, redis, rows, syncs, central]
  - name: peers
    policy: {limit: 1000000/s}
    topology: {clients: 3, network: 6ms}
    traffic: [{pattern: constant, rate: 100/s}]
    algorithms: [peers, quotas]
  - name: cut off
    policy: {limit: 1000000/s}
    topology: {network: 6ms}
    traffic: [{pattern: constant, rate: 100/s}]
    algorithms: [reports, resent]
    faults: [{report-loss: {from: 4950ms, to: 5150ms, p: 100%}}]
`)
	for name, want := range map[string]float64{"reports": 100 + 3, "redis": 100 + 3 + 4 + 1, "rows": 100 + 3 + 4 + 1} {
		simtest.Exactly(t, d, "steady", name, "count_lag_max_ms", want)
		simtest.About(t, d, "steady", name, "count_lag_mean_ms", want, 0.001)
	}
	simtest.Exactly(t, d, "steady", "reports", "report_latency_max_ms", 6)
	// Dropped counts are never counted. Those that were sent at 5000 ms are sent again
	// at 5200 ms, with a request of 4900 ms.
	simtest.Exactly(t, d, "cut off", "reports", "count_lag_max_ms", 103)
	simtest.Exactly(t, d, "cut off", "resent", "count_lag_max_ms", 300+3)
	// A replica has counted a request 3 ms after it was made, 97 ms before the tick.
	simtest.Exactly(t, d, "steady", "syncs", "count_lag_max_ms", 97+4)
	// The timers of peers and quotas start with the first request.
	simtest.Exactly(t, d, "peers", "peers", "count_lag_max_ms", 50+3)
	simtest.Exactly(t, d, "peers", "quotas", "count_lag_max_ms", 50+3)
}
