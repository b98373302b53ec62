package sim

import "testing"

// A claim of 8 on a capped bucket of 10 of which 4 are held for good by a slow
// backend gets the other 6, and they lie there: nobody behind it can use them.
func TestStrandedTokens(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 4s
metrics: full
scenarios:
  - name: held
    policy: {limit: 10/s, burst: 10}
    guard: {concurrency: 4, service_time: 1h}
    traffic: [{pattern: list, events: [{at: 0s, count: 4}, {at: 1s, cost: 8}, {at: 2s}]}]
    algorithms: [patient]
algorithms:
  patient: {preset: rover-capped, max_wait: 1h}
`)
	if got := figure(t, d, "held", "patient", "stranded_tokens"); got != 6 {
		t.Errorf("stranded_tokens = %v, want 6", got)
	}
	if got := figure(t, d, "held", "patient", "waiting_requests"); got != 2 {
		t.Errorf("waiting_requests = %v, want 2", got)
	}
}
