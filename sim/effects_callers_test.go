package sim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWarningsOfCallers checks that the callers of a row are judged by what the row's own
// algorithm does, and the one that a rollout leads to, when a call times out.
func TestWarningsOfCallers(t *testing.T) {
	got := warningsOf(t, `version: 1
duration: 3s
algorithms:
  closed: {preset: remote, on_timeout: fail-closed, callers: {retry: {attempts: 2, timed_out: false}}}
  open:   {preset: remote, callers: {retry: {attempts: 2, timed_out: false}}}
  moving: {preset: remote, rollout: {to: closed, share: 50%}, callers: {retry: {attempts: 2, timed_out: false}}}
scenarios:
  - name: an outage
    policy: {limit: 20/s}
    topology: {clients: 2}
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [closed, open, moving]
`, ".")
	want := []string{"test.yaml:5:70: algorithms.open.callers.retry.timed_out: has no effect without on_timeout: fail-closed or on_failure: fail-closed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestWarningsOfPolicies checks that a warning names the policy of several that it is about.
func TestWarningsOfPolicies(t *testing.T) {
	got := warningsOf(t, `version: 1
duration: 3s
scenarios:
  - name: two limits
    policies: [{limit: 20/s}, {limit: 30/s, burst: 5, reference: sliding-log}]
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [fixed-window]
`, ".")
	want := []string{"test.yaml:5:52: scenarios[0].policies[1].burst: has no effect without reference: token-bucket or algorithms with a burst or local_limit: share or metrics: full"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
