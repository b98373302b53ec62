package central_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/samedraws"
	"github.com/limitgauge/limitgauge/internal/simtest"
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

// settleCase is a small world of requests whose costs become known later.
type settleCase struct {
	counter, way           string
	limit, window, maximum int64
	expires, end           int64
	debt                   bool
	requests               []settleRequest
}

type settleRequest struct{ at, estimate, cost, answer int64 }

// TestSettlementAgainstOneList compares every way of settlement with a naive model.
func TestSettlementAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &settleCase{
			counter: rapid.SampledFrom([]string{"fixed-window", "token-bucket"}).Draw(t, "counter"),
			way:     rapid.SampledFrom([]string{"none", "check-then-deduct", "deduct-estimate-then-settle", "reserve-maximum-then-refund", "reserve-quantile-then-settle"}).Draw(t, "way"),
			limit:   rapid.Int64Range(5, 12).Draw(t, "limit"), window: rapid.Int64Range(5, 40).Draw(t, "window"),
			debt: rapid.Bool().Draw(t, "debt"),
		}
		if rapid.Bool().Draw(t, "expires") {
			c.expires = rapid.Int64Range(1, 30).Draw(t, "after")
		}
		at := int64(0)
		for range rapid.IntRange(10, 40).Draw(t, "requests") {
			at += rapid.SampledFrom([]int64{0, 1, 1, 2, 5}).Draw(t, "gap")
			r := settleRequest{at, rapid.Int64Range(1, 5).Draw(t, "estimate"), rapid.Int64Range(1, 5).Draw(t, "cost"), rapid.SampledFrom([]int64{0, 1, 3, 10, 50}).Draw(t, "answer")}
			c.requests = append(c.requests, r)
			c.maximum = max(c.maximum, r.estimate, r.cost)
		}
		c.end = (at/c.window + 2) * c.window
		want, got := c.model(), simtest.Outcomes(t, c.yaml(), "tested")
		for i, admitted := range want {
			if (got[i].Verdict == "admitted") != admitted {
				t.Fatalf("request %d at %d: %s, want admitted %v\n%s", i, c.requests[i].at, got[i].Verdict, admitted, c.yaml())
			}
		}
	})
}

func (c *settleCase) yaml() string {
	var b strings.Builder
	way := c.way
	if way == "reserve-quantile-then-settle" {
		way = "{reserve-quantile-then-settle: {quantile: 50%, answers: 3}}"
	}
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {enforcement: central, counter: %s, settle: %s", c.end, c.counter, way)
	fmt.Fprintf(&b, ", expires_after: %dns, settlement_debt: %v}\nscenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: %d}\n    algorithms: [tested]\n    traffic:\n",
		c.expires, c.debt, c.limit, c.window, c.limit)
	for _, r := range c.requests {
		fmt.Fprintf(&b, "      - {pattern: list, events: [{at: %dns}], cost: {estimate: %d, actual: %d}, answer: %dns}\n", r.at, r.estimate, r.cost, r.answer)
	}
	return b.String()
}

// settleEvent happens to request i. Events of an instant run in the order of class.
type settleEvent struct {
	at           int64
	class, order int
	i            int
}

const (
	answers = iota
	expires
	arrives
)

// model decides the requests one event at a time. The level of a bucket is in
// 1/window of a token.
func (c *settleCase) model() []bool {
	var list []settleEvent
	order := 0
	plan := func(at int64, class, i int) {
		order++
		list = append(list, settleEvent{at, class, order, i})
	}
	for i, r := range c.requests {
		plan(r.at, arrives, i)
	}
	admitted, held, gone := make([]bool, len(c.requests)), make([]int64, len(c.requests)), make([]bool, len(c.requests))
	level, now := c.limit*c.window, int64(0) // what is left
	advance := func(to int64) {
		if c.counter == "fixed-window" {
			if to/c.window > now/c.window {
				level = c.limit * c.window
			}
		} else {
			level = min(level+(to-now)*c.limit, c.limit*c.window)
		}
		now = to
	}
	correct := func(taken, tokens int64) {
		switch {
		case tokens > 0 && !c.debt:
			level = min(level, max(level-tokens*c.window, 0))
		case tokens > 0:
			level -= tokens * c.window
		case c.counter != "fixed-window" || taken/c.window == now/c.window:
			level = min(level-tokens*c.window, c.limit*c.window)
		}
	}
	var seen []int64
	for len(list) > 0 {
		e := slices.MinFunc(list, func(a, b settleEvent) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.class, b.class), cmp.Compare(a.order, b.order))
		})
		list = slices.DeleteFunc(list, func(f settleEvent) bool { return f == e })
		if e.at >= c.end {
			break
		}
		advance(e.at)
		r := c.requests[e.i]
		switch e.class {
		case arrives:
			switch c.way {
			case "none", "deduct-estimate-then-settle":
				held[e.i] = r.estimate
			case "reserve-maximum-then-refund":
				held[e.i] = c.maximum
			case "reserve-quantile-then-settle":
				held[e.i] = c.maximum
				if last := slices.Clone(seen[max(0, len(seen)-3):]); len(last) > 0 {
					slices.Sort(last)
					held[e.i] = last[(len(last)+1)/2-1]
				}
			}
			if admitted[e.i] = level >= max(held[e.i], 1)*c.window; !admitted[e.i] {
				continue
			}
			level -= held[e.i] * c.window
			if c.way == "none" {
				continue
			}
			plan(e.at+r.answer, answers, e.i)
			if c.expires > 0 && held[e.i] > 0 {
				plan(e.at+c.expires, expires, e.i)
			}
		case expires:
			if !gone[e.i] {
				gone[e.i] = true
				correct(r.at, -held[e.i])
			}
		case answers:
			tokens := r.cost
			if !gone[e.i] {
				tokens -= held[e.i]
			}
			gone[e.i] = true
			correct(r.at, tokens)
			seen = append(seen, r.cost)
		}
	}
	return admitted
}
