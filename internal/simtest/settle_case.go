package simtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// SettleCase is a small world of requests whose costs become known later, under a
// limiter that settles them. Times are in ns.
type SettleCase struct {
	Algorithm string // enforcement and its options, as YAML
	Topology  string // as YAML
	Delay     int64  // one way from client to counter

	counter, way           string
	limit, window, maximum int64
	expires, end           int64
	debt                   bool
	requests               []SettleRequest
}

// SettleRequest is one request, and its answer that long after its dispatch.
type SettleRequest struct{ at, estimate, cost, answer int64 }

// DrawSettlement draws a case for an algorithm, whose clients are this far from its
// counters.
func DrawSettlement(t *rapid.T, algorithm string, delay int64) *SettleCase {
	c := &SettleCase{
		Algorithm: algorithm, Delay: delay,
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
		r := SettleRequest{at, rapid.Int64Range(1, 5).Draw(t, "estimate"), rapid.Int64Range(1, 5).Draw(t, "cost"), rapid.SampledFrom([]int64{0, 1, 3, 10, 50}).Draw(t, "answer")}
		c.requests = append(c.requests, r)
		c.maximum = max(c.maximum, r.estimate, r.cost)
	}
	c.end = (at/c.window+2)*c.window + 2*delay
	return c
}

// Compare checks that the engine admits what the model admits.
func (c *SettleCase) Compare(t *rapid.T) {
	want, got := c.Model(), Outcomes(t, c.YAML(), "tested")
	for i, admitted := range want {
		if (got[i].Verdict == "admitted") != admitted {
			t.Fatalf("request %d at %d: %s, want admitted %v\n%s", i, c.requests[i].at, got[i].Verdict, admitted, c.YAML())
		}
	}
}

// YAML returns the scenario file of the case. Its algorithm is named tested.
func (c *SettleCase) YAML() string {
	var b strings.Builder
	way := c.way
	if way == "reserve-quantile-then-settle" {
		way = "{reserve-quantile-then-settle: {quantile: 50%, answers: 3}}"
	}
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {%s, counter: %s, settle: %s", c.end, c.Algorithm, c.counter, way)
	fmt.Fprintf(&b, ", expires_after: %dns, settlement_debt: %v}\nscenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: %d}\n    topology: %s\n    algorithms: [tested]\n    traffic:\n",
		c.expires, c.debt, c.limit, c.window, c.limit, cmp.Or(c.Topology, "{}"))
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

// Model decides the requests one event at a time. The level of a bucket is in
// 1/window of a token.
func (c *SettleCase) Model() []bool {
	var list []settleEvent
	order := 0
	plan := func(at int64, class, i int) {
		order++
		list = append(list, settleEvent{at, class, order, i})
	}
	for i, r := range c.requests {
		plan(r.at+c.Delay, arrives, i)
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
			plan(e.at+2*c.Delay+r.answer, answers, e.i)
			if c.expires > 0 && held[e.i] > 0 {
				plan(e.at+c.expires, expires, e.i)
			}
		case expires:
			if !gone[e.i] {
				gone[e.i] = true
				correct(r.at+c.Delay, -held[e.i])
			}
		case answers:
			tokens := r.cost
			if !gone[e.i] {
				tokens -= held[e.i]
			}
			gone[e.i] = true
			correct(r.at+c.Delay, tokens)
			seen = append(seen, r.cost)
		}
	}
	return admitted
}
