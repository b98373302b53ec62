package shards_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestSettledShards checks that shards that refund what a request has not used dispatch
// the rate in actual cost, and that those that do not dispatch it in estimates. With
// capped release, tokens in use are bounded too: 100 tokens, each for 10 ms.
func TestSettledShards(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 110s
warmup: 10s
algorithms:
  never:   {preset: rover-shards}
  settled: {preset: rover-shards, settle: deduct-estimate-then-settle}
  batches: {preset: rover-shards-batch, settle: deduct-estimate-then-settle}
  capped:  {preset: rover-shards-capped, settle: deduct-estimate-then-settle}
scenarios:
  - name: s
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: 2000/s, cost: {estimate: 8, actual: 2}, answer: 10ms}]
    algorithms: [never, settled, batches, capped]
`)
	simtest.About(t, d, "s", "never", "admitted_requests_per_s", 1000.0/8, 0.01)
	for _, settled := range []string{"settled", "batches", "capped"} {
		simtest.About(t, d, "s", settled, "admitted_requests_per_s", 1000.0/2, 0.02)
	}
}
