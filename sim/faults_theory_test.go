package sim

import (
	"fmt"
	"testing"
)

// For 10 s of 30 nobody hears from the store: what fails open lets through
// 3000/s instead of 1000/s, what fails closed lacks 1000/s, and the half that is
// cut off adds 1500/s to what the others get.
func TestFaultsOfARemoteStore(t *testing.T) {
	for _, c := range []struct {
		fault, mode                            string
		extra, refused, share, admitted, whole float64
	}{
		{"store-down: {from: 10s, to: 20s}", "fail-open", 20000, 0, 1, 20*1000 + 10*3000, 30},
		{"store-down: {from: 10s, to: 20s}", "fail-closed", 0, 10000, 0, 20 * 1000, 30},
		{"partition: {from: 10s, to: 20s, clients: [0]}", "fail-open", 15000, 0, 0.5, 30*1000 + 10*1500, 30},
		{"partition: {from: 10s, to: 20s, clients: [1]}", "fail-closed", 0, 0, 0, 30 * 1000, 30},
		{"store-down: {from: 10s, to: 12s, every: 8s}", "fail-open", 3 * 4000, 0, 1, 30*1000 + 3*4000, 30},
	} {
		d := simulate(t, fmt.Sprintf(`
version: 1
duration: 30s
metrics: full
algorithms:
  asks: {preset: remote, on_timeout: %s, store_service_time: 0s}
scenarios:
  - name: store
    policy: {limit: 1000/s, burst: 1, reference: fixed-window}
    topology: {clients: 2}
    traffic: [{pattern: constant, rate: 3000/s}]
    faults: [{%s}]
    algorithms: [asks]
`, c.mode, c.fault))
		t.Log(c.fault, c.mode)
		// Who waits for an answer when the fault begins is let through later, and who
		// waits when it ends passes after it.
		about(t, d, "store", "asks", "fault_extra_admitted", c.extra, 0.02)
		about(t, d, "store", "asks", "fault_false_rejected", c.refused, 0.02)
		about(t, d, "store", "asks", "fail_open_share", c.share, 0.02)
		about(t, d, "store", "asks", "admitted_requests", c.admitted, 0.02)
		exactly(t, d, "store", "asks", "reenforce_s", 0)
		exactly(t, d, "store", "reference", "fault_extra_admitted", 0)
	}
}

// A central limiter has no network, no servers and no store: nothing but a
// change of the policy changes what it does.
func TestPolicyChange(t *testing.T) {
	for _, c := range []struct {
		factor string
		scaled float64
	}{{"0.1", 100}, {"10", 3000}, {"2", 2000}} {
		d := simulate(t, fmt.Sprintf(`
version: 1
duration: 30s
metrics: full
scenarios:
  - name: changed
    policy: {limit: 1000/s, burst: 1}
    traffic: [{pattern: constant, rate: 3000/s}]
    faults: [{policy-change: {from: 10s, to: 20s, factor: %s}}]
    algorithms: [fixed-window, token-bucket, gcra, sliding-window-log, leaky-bucket]
`, c.factor))
		want := 20*1000 + 10*c.scaled
		exactly(t, d, "changed", "fixed-window", "admitted_requests", want)
		exactly(t, d, "changed", "fixed-window", "over_limit_pct", 0)
		exactly(t, d, "changed", "sliding-window-log", "worst_sliding_pct", 0)
		exactly(t, d, "changed", "token-bucket", "burst_excess", 0)
		exactly(t, d, "changed", "token-bucket", "policed_pct", 0)
		exactly(t, d, "changed", "reference", "fault_extra_admitted", 0)
		for _, algorithm := range []string{"token-bucket", "gcra", "sliding-window-log", "leaky-bucket"} {
			about(t, d, "changed", algorithm, "admitted_requests", want, 0.0005)
		}
		// A window has the limit that holds in it: 20 of 1000 and 10 of another.
		about(t, d, "changed", "fixed-window", "admitted_over_limit", want/(20*1000+10*map[string]float64{"0.1": 100, "10": 10000, "2": 2000}[c.factor]), 1e-9)
	}
}

// Clients that divide a limit of 1200 by their number grant all of it, however
// many they are; those that do not know how many they are grant what is left of
// theirs. The same requests reach other clients.
func TestAutoscale(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 30s
metrics: full
algorithms:
  windows: {enforcement: local, counter: fixed-window}
  whole: {enforcement: local, counter: fixed-window, share: full}
scenarios:
  - name: scaled
    policy: {limit: 1200/s}
    topology: {clients: 12}
    traffic: [{pattern: constant, rate: 6000/s}]
    faults: [{autoscale: {stages: [{clients: 3}, {from: 10s, clients: 12}, {from: 20s, clients: 2}]}}]
    algorithms: [windows, whole, fixed-window]
`)
	exactly(t, d, "scaled", "windows", "admitted_requests", 30*1200)
	exactly(t, d, "scaled", "fixed-window", "admitted_requests", 30*1200)
	exactly(t, d, "scaled", "whole", "admitted_requests", 10*3*1200+10*6000+10*2*1200)
	exactly(t, d, "scaled", "whole", "fault_extra_admitted", 10*2*1200+10*4800+10*1200)
}

// A tenant whose client goes away finds another, and only that one: clients
// with the whole limit each grant it once, at every size of the fleet.
func TestStickyTenantsKeepOneClient(t *testing.T) {
	for _, tenant := range []string{"acme", "globex", "initech"} {
		d := simulate(t, fmt.Sprintf(`
version: 1
duration: 30s
algorithms: {whole: {enforcement: local, counter: fixed-window, share: full}}
scenarios:
  - name: scaled
    policy: {limit: 1200/s, shared: true}
    topology: {clients: 12}
    traffic: [{pattern: constant, rate: 6000/s, spread: sticky, tenant: %s}]
    faults: [{autoscale: {stages: [{clients: 3}, {from: 10s, clients: 12}, {from: 20s, clients: 2}]}}]
    algorithms: [whole]
`, tenant))
		exactly(t, d, "scaled", "whole", "admitted_requests", 30*1200)
	}
}

// Without faults and retries the figures about them say why they are missing,
// and a fault that nobody can feel changes nothing.
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
	well := simulate(t, fmt.Sprintf(text, ""))
	ill := simulate(t, fmt.Sprintf(text, "    faults: [{store-down: {from: 2s, to: 4s}}, {report-loss: {p: 50%}}, {server-crash: {from: 1s}}, {network: {latency: 1s}}]\n"))
	for _, name := range []string{"fault_extra_admitted", "fault_false_rejected", "reenforce_s", "fail_open_share"} {
		if s := well.Results[1].Metrics[name]; s.Reason != "no faults" {
			t.Errorf("%s is %+v without faults", name, s)
		}
	}
	exactly(t, ill, "well", "token-bucket", "admitted_requests", figure(t, well, "well", "token-bucket", "admitted_requests"))
	exactly(t, ill, "well", "token-bucket", "fail_open_share", 0)
	exactly(t, well, "well", "token-bucket", "retry_amplification", 1)
	if r := ill.Results[1]; !r.Exact {
		t.Error("a row that feels no fault is taken to draw random numbers")
	}
}
