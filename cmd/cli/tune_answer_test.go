package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTuneSaysWhatItFound checks that the answer names its algorithm where several were
// tried, and that an axis that changes nothing has no end.
func TestTuneSaysWhatItFound(t *testing.T) {
	const file = `version: 1
replications: 2
scenarios:
  - name: a
    duration: 1min
    policy: {limit: 30/min, burst: 30}
    traffic: [{pattern: poisson, rate: 60/min}]
    algorithms: [ALGORITHMS]
    expect: {ALL: {over_limit_pct: "<= 1000"}}
    vary:
      limit: {of: policy.limit, values: [20/min, 30/min, 40/min]}
      burst: {of: policy.burst, values: [5, 10]}
`
	for algorithms, want := range map[string]struct{ has, hasNot string }{
		"fixed-window":               {"no effect: settings that differ by burst alone", "value of burst"},
		"token-bucket":               {"end of an axis: 10 is the largest value of burst", "promise, with "},
		"fixed-window, token-bucket": {"a: the least rejected_pct that keeps the promise, with token-bucket\n", "no effect"},
		"token-bucket, fixed-window": {"promise, with fixed-window\n", "value of burst"}, // which it has no use for
	} {
		promise := `fixed-window: {over_limit_pct: "<= 1000"}, token-bucket: {over_limit_pct: "<= 1000"}`
		switch first, _, several := strings.Cut(algorithms, ","); {
		case !several:
			promise = algorithms + `: {over_limit_pct: "<= 1000"}`
		case first == "token-bucket": // which cannot keep it
			promise = strings.Replace(promise, `token-bucket: {over_limit_pct: "<= 1000"`, `token-bucket: {rejected_pct: "< 1"`, 1)
		}
		text := strings.NewReplacer("ALGORITHMS", algorithms, `ALL: {over_limit_pct: "<= 1000"}`, promise).Replace(file)
		name := filepath.Join(t.TempDir(), "a.yaml")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out := string(ran(t, "tune", name, "--least", "rejected_pct", "--no-plots", "-q"))
		if !strings.Contains(out, want.has) || strings.Contains(out, want.hasNot) {
			t.Errorf("%s: want %q and not %q\n%s", algorithms, want.has, want.hasNot, out)
		}
	}
}
