package gauge_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
)

// TestToleranceOfHerds checks that a bucket in floats is within a tolerance for each of
// several requests of the instant at which a token becomes available.
func TestToleranceOfHerds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file.yaml")
	write(t, file, `
version: 1
duration: 20s
replications: 3
scenarios:
  - name: herds
    policy: {limit: 10/s, burst: 20}
    traffic:
      - {pattern: poisson, rate: 15/s}
      - {pattern: herd, count: 60, every: 5s}
    algorithms: [mine]
`)
	r := ofMine(t, gauge.Run(t, file, gauge.Use("mine", bucket, gauge.As("token-bucket"), gauge.Tolerance(time.Microsecond))))
	if *r.Metrics["differing_verdicts"].Mean != 0 || *r.Metrics["tolerated_verdicts"].Mean < 2 {
		t.Errorf("%v verdicts differ, %v are tolerated", *r.Metrics["differing_verdicts"].Mean, *r.Metrics["tolerated_verdicts"].Mean)
	}
}
