package sim

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestProbesInSeries checks that the series of a limit that probes has a probe where the
// limit falls to that of probes: at the start, and every ten seconds.
func TestProbesInSeries(t *testing.T) {
	d := runText(t, `version: 1
duration: 35s
replications: 1
algorithms: {envoy: {preset: envoy-adaptive, probe: 2, requests: 20, interval: 10s}}
scenarios:
  - name: s
    policy: {limit: 100/s, burst: 10}
    traffic: [{pattern: constant, rate: 50/s}]
    guard: {concurrency: 10, service_time: 20ms, deadline: 1s}
    algorithms: [token-bucket, envoy]
`, Details{})
	var rows []results.Series
	for _, s := range d.Series {
		if s.Probes != nil {
			rows = append(rows, s)
		}
	}
	if len(rows) != 1 || rows[0].Algorithm != "envoy" {
		t.Fatalf("%d rows with probes", len(rows))
	}
	s := rows[0]
	begun := int64(0)
	for bin, n := range s.Probes {
		if begun += n; n > 0 && (s.Limit[min(bin+1, len(s.Limit)-1)] > 2 && s.Limit[bin] > 2) {
			t.Errorf("bin %d: a probe begins at a limit of %d", bin, s.Limit[bin])
		}
	}
	if begun != 4 || s.Probes[0] != 1 {
		t.Errorf("%d probes begin, %d of them in the first bin: want one at the start and after 10, 20 and 30 s", begun, s.Probes[0])
	}
	if whole := s.Merge(len(s.Probes)); whole.Probes[0] != 4 {
		t.Errorf("merged: %d probes", whole.Probes[0])
	}
}
