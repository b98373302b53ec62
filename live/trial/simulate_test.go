package trial

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// The simulated network has the median and the 99th percentile of the target's answers,
// and is never without latency, which a log-normal one cannot be.
func TestLatencyIsThatOfTheTarget(t *testing.T) {
	var took []int64
	for i := range int64(100) {
		took = append(took, (i+1)*1e6)
	}
	for _, c := range []struct {
		took     []int64
		p50, p99 int64
	}{{took, 50e6, 99e6}, {[]int64{7}, 7, 7}, {[]int64{0, 0, 5}, 1, 5}} {
		want := catalog.Choice{Name: "lognormal", Values: catalog.Values{"p50": {V: c.p50}, "p99": {V: c.p99}}}
		if diff := cmp.Diff(want, latencyOf(c.took)); diff != "" {
			t.Error(diff)
		}
	}
}
