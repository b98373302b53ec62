package sim

import (
	"context"
	"strings"
	"testing"
)

// Once its queues have grown, the event lane allocates nothing per decision: a
// run of twice as many requests allocates no more.
func TestEventLaneAllocatesNothing(t *testing.T) {
	allocations := func(duration string) float64 {
		plans, problems, err := prepare(context.Background(), load(t, strings.ReplaceAll(`
version: 1
duration: DURATION
scenarios:
  - name: queue
    policy: {limit: 20000/s, burst: 10}
    traffic: [{pattern: constant, rate: 50000/s}]
    guard: {concurrency: 4, service_time: 100us}
    algorithms: [rover-capped]
`, "DURATION", duration)), nil, nil)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		return testing.AllocsPerRun(1, func() {
			j := &job{plan: plans[0], rows: []int{len(plans[0].rows) - 1}}
			c, _, err := j.build()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.run(context.Background(), func(int, int64) {}); err != nil {
				t.Fatal(err)
			}
		})
	}
	short, long := allocations("3s"), allocations("6s")
	if more := long - short; more > 50 {
		t.Errorf("150,000 more requests took %v more allocations", more)
	}
}
