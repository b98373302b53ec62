package rover_test

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestHeldTokens checks a claim of 8 on a capped bucket of 10 of which a slow
// backend holds 4 until the end. The claim reserves the other 6, and no later
// request can use them.
func TestHeldTokens(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 4s
metrics: full
scenarios:
  - name: held
    policy: {limit: 10/s, burst: 10}
    guard: {concurrency: 4, service_time: 1h}
    traffic: [{pattern: list, events: [{at: 0s, count: 4}, {at: 1s, cost: 8}, {at: 2s}]}]
    algorithms: [patient]
algorithms:
  patient: {preset: rover-capped, max_wait: 1h}
`)
	if got := simtest.Mean(t, d, "held", "patient", "waiting_requests"); got != 2 {
		t.Errorf("waiting_requests = %v, want 2", got)
	}
}

// TestMaxWait checks that callers leave a queue after max_wait. Every token is used
// while the queue is not empty, and a new arrival finds a queue as long as max_wait
// allows.
func TestMaxWait(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
metrics: full
algorithms:
  patient: {preset: rover, burst: 1, max_wait: 100ms, replenish: continuous}
scenarios:
  - name: queue
    policy: {limit: 100/s}
    traffic: [{pattern: constant, rate: 200/s}]
    algorithms: [patient]
`)
	// There is one token at 0 and one every 10 ms up to 9.99 s.
	simtest.Exactly(t, d, "queue", "patient", "admitted_requests", 1000)
	simtest.Exactly(t, d, "queue", "patient", "wait_max_ms", 100)
	// In the last 100 ms there are 20 arrivals and 10 tokens, which serve
	// earlier requests.
	simtest.Exactly(t, d, "queue", "patient", "waiting_requests", 20)
	simtest.Exactly(t, d, "queue", "patient", "rejected_max_wait_requests", 2000-1000-20)
	simtest.Exactly(t, d, "queue", "patient", "rejected_requests", 2000-1000-20)
}

// TestContinuousRoverIsTheShaper checks a rover bucket in the exact mode with
// continuous replenishment and waiting callers. It dispatches every request at most
// the time of one token before the exact shaper, and never after it. The difference
// is the part of a token that its clock earned while the bucket was full: a full
// shaper starts its next token with the next request, a rover bucket does not.
func TestContinuousRoverIsTheShaper(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &simtest.QueueCase{
			Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 60).Draw(t, "window") * ms,
			Burst: rapid.Int64Range(3, 8).Draw(t, "burst"), Counter: "counter: rover, replenish: continuous, max_wait: 1h",
		}
		c.DrawArrivals(t, 300*ms, ms, 2, 3)
		rover, shaper := simtest.Outcomes(t, c.YAML(), "tested"), simtest.Outcomes(t, c.YAML(), "reference-shaper")
		token := (c.Window + c.Count - 1) / c.Count
		for i, r := range rover {
			if s := shaper[i]; s.Dispatched >= 0 && (r.Dispatched < 0 || r.Dispatched > s.Dispatched || r.Dispatched < s.Dispatched-token) {
				t.Fatalf("attempt %d at %d: dispatched at %d, by the shaper at %d\n%s", i, c.Arrivals[i].At, r.Dispatched, s.Dispatched, c.YAML())
			}
		}
	})
}
