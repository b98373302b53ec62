package central_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestOneLargeAnswer checks one answer of 1200 tokens under 1000 a minute: a limiter
// that asks and deducts later lets 200 too many through, and is then closed until its
// window ends.
func TestOneLargeAnswer(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 2min
algorithms:
  check: {enforcement: central, counter: fixed-window, settle: check-then-deduct}
scenarios:
  - name: large
    policy: {limit: 1000/min, reference: fixed-window}
    traffic:
      - {pattern: list, events: [{at: 0s}], cost: {estimate: 1, actual: 1200}, answer: 5s}
      - {pattern: list, events: [{at: 4s}, {at: 6s}, {at: 59s}, {at: 60s}], cost: 1}
    algorithms: [check]
`)
	simtest.Exactly(t, d, "large", "check", "burst_excess", 201) // with the request at 4 s
	simtest.Exactly(t, d, "large", "check", "admitted_requests", 3)
	simtest.Exactly(t, d, "large", "check", "rejected_requests", 2)
}

// TestOverspendInFlight checks the worst case of a limiter that deducts after the
// answer: with one token left, everything that is in flight before the first answer goes
// beyond the limit.
func TestOverspendInFlight(t *testing.T) {
	for _, inFlight := range []int{1, 7, 40} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1min
algorithms:
  check: {enforcement: central, counter: fixed-window, settle: check-then-deduct}
scenarios:
  - name: worst
    policy: {limit: 1000/min, reference: fixed-window}
    traffic:
      - {pattern: list, events: [{at: 0s}], cost: {estimate: 1, actual: 999}, answer: 1s}
      - {pattern: list, events: [{at: 2s, count: %d}, {at: 9s, count: 5}], cost: {estimate: 1, actual: 400}, answer: 3s}
    algorithms: [check]
`, inFlight))
		simtest.Exactly(t, d, "worst", "check", "burst_excess", float64(inFlight*400-1))
	}
}

// TestReservedMaximum checks that reserving the maximum never goes over the limit, and
// what it strands: by Little's law the requests in flight, times the difference between
// the maximum and the mean cost.
func TestReservedMaximum(t *testing.T) {
	const rate, p99, largest = 50.0, 4.0, 100
	d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 2100s
warmup: 100s
replications: 10
algorithms:
  maximum: {enforcement: central, counter: token-bucket, settle: reserve-maximum-then-refund}
scenarios:
  - name: stranded
    policy: {limit: 1000000/s}
    traffic: [{pattern: poisson, rate: %v/s, cost: {estimate: 1, actual: {uniform: {min: 1, max: %d}}}, answer: {exponential: {p99: %vs}}}]
    algorithms: [maximum]
  - name: tight
    policy: {limit: 1000/s, burst: 1000}
    traffic: [{pattern: poisson, rate: %v/s, cost: {estimate: 1, actual: {uniform: {min: 1, max: %d}}}, answer: {exponential: {p99: %vs}}}]
    algorithms: [maximum]
`, rate, largest, p99, rate, largest, p99))
	inFlight := rate * p99 / math.Log(100)
	mean := (1.0 + largest) / 2
	simtest.About(t, d, "stranded", "maximum", "stranded_cost_mean", inFlight*(largest-mean), 0.01)
	simtest.About(t, d, "stranded", "maximum", "stranded_requests_mean", inFlight*(largest-1)/largest, 0.01)
	simtest.Exactly(t, d, "tight", "maximum", "burst_excess", 0)
}

// TestSettlementAgainstOneList compares every way of settlement with a naive model, also
// through a sidecar, which learns of an answer half of a hop after its gateway.
func TestSettlementAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hop := rapid.Int64Range(0, 9).Draw(t, "half of a hop")
		simtest.DrawSettlement(t, fmt.Sprintf("enforcement: central, sidecar: %dns", 2*hop), hop).Compare(t)
	})
}

// TestOverspendIsBounded checks that a limiter that deducts after the answer is never
// further over the limit than the requests in flight times the largest cost.
func TestOverspendIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := simtest.DrawSettlement(t, "enforcement: central", 0)
		c.Counter, c.Way, c.Debt = "fixed-window", "check-then-deduct", true
		largest := int64(0)
		for _, r := range c.Requests {
			largest = max(largest, r.Cost)
		}
		outcomes := simtest.Outcomes(t, c.YAML(), "tested")
		// What is charged in a window by the end of the last request that it admits is
		// below the limit before that request; the rest of the admitted is in flight.
		for i, r := range c.Requests {
			if outcomes[i].Verdict != "admitted" {
				continue
			}
			window, flying, admitted := r.At/c.Window, int64(0), int64(0)
			for j, before := range c.Requests[:i+1] {
				if outcomes[j].Verdict != "admitted" {
					continue
				}
				if before.At/c.Window == window {
					admitted += before.Cost
				}
				if before.At+before.Answer > r.At || j == i {
					flying++
				}
			}
			if over := admitted - c.Limit; over > flying*largest-1 {
				t.Fatalf("request %d at %d: %d over with %d in flight of at most %d\n%s", i, r.At, over, flying, largest, c.YAML())
			}
		}
	})
}

// TestReservedMaximumNeverOverspends checks in random worlds that no window admits more
// than the limit if every request reserves the largest cost.
func TestReservedMaximumNeverOverspends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := simtest.DrawSettlement(t, "enforcement: central", 0)
		c.Counter, c.Way, c.Expires = "fixed-window", "reserve-maximum-then-refund", 0
		admitted := map[int64]int64{}
		for i, o := range simtest.Outcomes(t, c.YAML(), "tested") {
			if o.Verdict == "admitted" {
				admitted[c.Requests[i].At/c.Window] += c.Requests[i].Cost
			}
		}
		for window, cost := range admitted {
			if cost > c.Limit {
				t.Fatalf("window %d admits %d of %d\n%s", window, cost, c.Limit, c.YAML())
			}
		}
	})
}

// TestMeanOverspend checks the mean overspend of a limiter that deducts after answers of
// exponential times. Departures of an M/M/∞ queue that starts empty are independent of
// the requests in flight, so that what is in flight when the budget is spent is
// what is in flight at any time: the rate times the mean answer time.
func TestMeanOverspend(t *testing.T) {
	const rate, p99 = 1000.0, 2.0
	d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1min
replications: 100
algorithms:
  check: {enforcement: central, counter: fixed-window, settle: check-then-deduct}
scenarios:
  - name: mean
    policy: {limit: 10000/min, reference: fixed-window}
    traffic: [{pattern: poisson, rate: %v/s, cost: {estimate: 1, actual: 1}, answer: {exponential: {p99: %vs}}}]
    algorithms: [check]
`, rate, p99))
	simtest.About(t, d, "mean", "check", "burst_excess", rate*p99/math.Log(100), 0.01)
}
