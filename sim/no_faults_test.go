package sim_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestNoFaults checks that metrics of faults and retries give the reason why they
// are missing, and that a fault without an effect on the limiter changes nothing.
func TestNoFaults(t *testing.T) {
	text := `
version: 1
duration: 10s
metrics: full
scenarios:
  - name: well
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 30/s}]
    algorithms: [token-bucket]
%s`
	well := simtest.Run(t, fmt.Sprintf(text, ""))
	ill := simtest.Run(t, fmt.Sprintf(text, "    faults: [{store-down: {from: 2s, to: 4s, expect_no_effect: true}}, {report-loss: {p: 50%, expect_no_effect: true}}, {server-crash: {from: 1s, expect_no_effect: true}}, {network: {latency: 1s, expect_no_effect: true}}]\n"))
	for _, name := range []string{"fault_extra_admitted", "fault_false_rejected", "reenforce_s", "fail_open_share"} {
		if s := well.Results[1].Metrics[name]; s.Reason != "no faults" {
			t.Errorf("%s is %+v without faults", name, s)
		}
	}
	simtest.Exactly(t, ill, "well", "token-bucket", "admitted_requests", simtest.Mean(t, well, "well", "token-bucket", "admitted_requests"))
	simtest.Exactly(t, ill, "well", "token-bucket", "fail_open_share", 0)
	simtest.Exactly(t, well, "well", "token-bucket", "retry_amplification", 1)
	if r := ill.Results[1]; !r.Exact {
		t.Error("a row that no fault affects is marked as random")
	}
}
