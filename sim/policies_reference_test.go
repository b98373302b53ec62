package sim

import (
	"fmt"
	"strings"
	"testing"
)

// TestRowsThatAreTheReference checks which rows take the reference's verdicts: those whose
// counter is the reference's own, and that nothing stands before. That the documents are the
// same is TestSameDocumentHoweverItRuns, since rows with a decision log decide by themselves.
func TestRowsThatAreTheReference(t *testing.T) {
	const rows = "token-bucket, fixed-window, sliding-window-log, gcra, starts-empty, in-debt, sidecar, local-divided, leaky-bucket"
	for _, c := range []struct{ policy, cost, more, want string }{
		{"limit: 10/s", "1", "", "token-bucket"},
		{"limit: 10/s, burst: 3", "1", "", "token-bucket"},
		{"limit: 10/s, reference: fixed-window", "1", "", "fixed-window"},
		{"limit: 10/s, reference: sliding-log", "1", "", "sliding-window-log"},
		{"limit: 10/s, reference: {token-bucket: 20/s}", "1", "", ""},
		{"limit: 10/s", "1", "    callers: {retry: {attempts: 2}}\n", ""},
		{"limit: 10/s", "1", "    faults: [policy-change: {from: 5s, factor: 0.5}]\n", ""},
		{"limit: 10/s", "{estimate: 1, actual: 2}, answer: 1s", "", ""},
	} {
		names := rows
		if strings.Contains(c.cost, "estimate") {
			names = "token-bucket"
		}
		p := planned(t, fmt.Sprintf(`version: 1
duration: 10s
algorithms:
  starts-empty: {preset: token-bucket, initial: empty}
  in-debt: {preset: token-bucket, debt: true}
  sidecar: {preset: token-bucket, sidecar: {constant: {time: 1ms}}}
scenarios:
  - name: exact
    policy: {%s}
%s    traffic: [{pattern: poisson, rate: 10/s, cost: %s}]
    algorithms: [%s]
`, c.policy, c.more, c.cost, names))
		var same []string
		for _, r := range p.rows {
			if r.same {
				same = append(same, r.name)
			}
		}
		if got := strings.Join(same, ", "); got != c.want {
			t.Errorf("policy: {%s}, cost: %s\n%s: %q are the reference, want %q", c.policy, c.cost, c.more, got, c.want)
		}
	}
}
