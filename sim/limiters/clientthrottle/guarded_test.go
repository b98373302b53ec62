package clientthrottle_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// In steady overload of a backend with a capacity, a client that does not count its own
// rejections sends sqrt(capacity * demand / threshold) until most binds, and one that
// counts them k times the capacity, whatever the demand.
func TestAdmissionControl(t *testing.T) {
	const capacity = 100.0
	for _, demand := range []float64{250, 400, 1500} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 130s
warmup: 70s
replications: 4
algorithms:
  envoy:    {preset: envoy-admission-control}
  square:   {preset: envoy-admission-control, aggression: 2, most: 100%%}
  own:      {preset: envoy-admission-control, counts: all}
  sre:      {preset: sre-throttle, backend: guard, window: 30s}
scenarios:
  - name: s
    policy: {limit: 5000/s, shared: true}
    traffic: [{pattern: poisson, rate: %v/s}]
    guard: {concurrency: 1, service_time: 10ms, queue: 200, deadline: 10s}
    algorithms: [envoy, square, own, sre]
`, demand))
		sent := func(row string) float64 {
			return demand * (1 - simtest.Mean(t, d, "s", row, "rejected_pct")/100)
		}
		// With the root of the probability, n of the sent requests a second satisfy
		// 1 - n/demand = sqrt(1 - capacity/(threshold n)).
		n := capacity / 0.95
		for range 1000 {
			n = capacity / 0.95 / (1 - math.Pow(1-n/demand, 2))
		}
		for row, want := range map[string]float64{
			"envoy":  max(math.Sqrt(capacity*demand/0.95), 0.2*demand),
			"square": n,
			"own":    max(capacity/0.95, 0.2*demand),
			"sre":    min(demand, 2*capacity),
		} {
			if got := sent(row); math.Abs(got-want) > 0.04*want {
				t.Errorf("%s sends %.1f/s of %v/s, want %.1f/s", row, got, demand, want)
			}
		}
	}
}
