package gauge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

const withoutRow = `
version: 1
duration: 5s
replications: 2
scenarios:
  - name: steady
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 2, ROLLOUT}
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [token-bucket]
    expect: {mine: {over_limit_pct: "<= 5", under_admission_pct: "== 77"}, "m*": {rejected_pct: ">= 1"}}
`

// TestAddedRow fails, which TestExpectOfAddedRow expects.
func TestAddedRow(t *testing.T) {
	if os.Getenv("GAUGE_TEST_BUG") == "" {
		t.Skip("only with GAUGE_TEST_BUG=1: TestExpectOfAddedRow expects its failure")
	}
	file := filepath.Join(t.TempDir(), "file.yaml")
	write(t, file, strings.Replace(withoutRow, ", ROLLOUT", "", 1))
	gauge.Test(t, file, gauge.Use("mine", bucket))
}

// TestExpectOfAddedRow checks that a scenario can expect something of a row that it does
// not list, and that no other name may be one.
func TestExpectOfAddedRow(t *testing.T) {
	out := inProcess(t, "^TestAddedRow$", "GAUGE_TEST_BUG=1")
	if want := "expect failed: mine under_admission_pct == 77"; !strings.Contains(out, want) || strings.Count(out, "expect failed") != 1 {
		t.Errorf("want %q alone:\n%s", want, out)
	}
	file := filepath.Join(t.TempDir(), "file.yaml")
	write(t, file, strings.Replace(withoutRow, "ROLLOUT", "rollout: {to: gcra, share: 50%, from: 1s, until: 2s}", 1))
	if d := resultstest.Decode(t, gauge.Run(t, file, gauge.Use("mine", bucket))); len(d.Results) != 3 {
		t.Errorf("%d rows in a rollout", len(d.Results))
	}
}

// TestNoAlgorithms checks that a scenario without algorithms is refused with this reason, also
// with a row that is added to all scenarios.
func TestNoAlgorithms(t *testing.T) {
	if os.Getenv("GAUGE_TEST_NO_ALGORITHMS") != "" {
		file := filepath.Join(t.TempDir(), "file.yaml")
		write(t, file, strings.NewReplacer(", ROLLOUT", "", "algorithms: [token-bucket]", "").Replace(withoutRow))
		gauge.Test(t, file, gauge.Use("mine", bucket))
		return
	}
	out := inProcess(t, "^TestNoAlgorithms$", "GAUGE_TEST_NO_ALGORITHMS=1")
	if !strings.Contains(out, "algorithms: is required") || strings.Contains(out, "panic") {
		t.Errorf("%s", out)
	}
}
