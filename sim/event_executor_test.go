package sim

import (
	"context"
	"fmt"
	"testing"
)

// TestEventExecutorAllocatesNothing checks that an event executor allocates nothing
// per decision once its queues have grown: a run with twice as many requests
// allocates no more.
func TestEventExecutorAllocatesNothing(t *testing.T) {
	for _, c := range []string{
		"guard: {concurrency: 4, service_time: 100us}, algorithms: [rover-capped]",
		"retries: {attempts: 2, backoff: {exponential: {base: 10ms, max: 50ms}}}, algorithms: [token-bucket]",
		"retries: {attempts: 2, backoff: {exponential: {base: 10ms, max: 50ms}}}, algorithms: [leaky-bucket]",
		"algorithms: [remote]",
	} {
		short, long := allocations(t, c, "3s"), allocations(t, c, "6s")
		if more := long - short; more > 50 {
			t.Errorf("%s: 150,000 more requests took %v more allocations", c, more)
		}
	}
}

// allocations returns the number of allocations of a run with 50,000 requests per
// second.
func allocations(t *testing.T, fields, duration string) float64 {
	plans, problems, err := prepare(context.Background(), load(t, fmt.Sprintf(`
version: 1
replications: 1
duration: %s
scenarios:
  - {name: queue, policy: {limit: 20000/s, burst: 10}, traffic: [{pattern: constant, rate: 50000/s}], %s}
`, duration, fields)), &logReader{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return testing.AllocsPerRun(1, func() {
		j := &job{plan: plans[0], rows: plans[0].rows[len(plans[0].rows)-1:]}
		c, _, err := j.build(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.run(context.Background(), func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
	})
}
