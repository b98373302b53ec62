package simtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// SettleCase is a small world of requests whose costs become known later, under a
// limiter that settles them. Times are in units of Unit ns.
type SettleCase struct {
	Algorithm string // enforcement and its options, as YAML
	Topology  string // as YAML
	Clients   int    // that send requests in turn; 0 means one
	Delay     int64  // one way from client to counter
	Unit      int64  // ns

	Counter, Way           string
	Limit, Window, Maximum int64
	Expires, End           int64
	Debt                   bool
	Requests               []SettleRequest
}

// SettleRequest is one request, and its answer that long after its dispatch.
type SettleRequest struct{ At, Estimate, Cost, Answer int64 }

// DrawSettlement draws a case for an algorithm, whose clients are this far from its
// counters.
func DrawSettlement(t *rapid.T, algorithm string, delay int64) *SettleCase {
	c := &SettleCase{
		Algorithm: algorithm, Delay: delay, Unit: 1,
		Counter: rapid.SampledFrom([]string{"fixed-window", "token-bucket"}).Draw(t, "counter"),
		Way:     rapid.SampledFrom([]string{"none", "check-then-deduct", "deduct-estimate-then-settle", "reserve-maximum-then-refund", "reserve-quantile-then-settle"}).Draw(t, "way"),
		Limit:   rapid.Int64Range(5, 12).Draw(t, "limit"), Window: rapid.Int64Range(5, 40).Draw(t, "window"),
		Debt: rapid.Bool().Draw(t, "debt"),
	}
	if rapid.Bool().Draw(t, "expires") {
		c.Expires = rapid.Int64Range(1, 30).Draw(t, "after")
	}
	at := int64(0)
	for range rapid.IntRange(10, 40).Draw(t, "requests") {
		at += rapid.SampledFrom([]int64{0, 1, 1, 2, 5}).Draw(t, "gap")
		r := SettleRequest{at, rapid.Int64Range(1, 5).Draw(t, "estimate"), rapid.Int64Range(1, 5).Draw(t, "cost"), rapid.SampledFrom([]int64{0, 1, 3, 10, 50}).Draw(t, "answer")}
		c.Requests = append(c.Requests, r)
		c.Maximum = max(c.Maximum, r.Estimate, r.Cost)
	}
	c.End = (at/c.Window+2)*c.Window + 2*delay
	return c
}

// Compare checks that the engine admits what the model admits.
func (c *SettleCase) Compare(t *rapid.T) {
	want, got := c.Model(), Outcomes(t, c.YAML(), "tested")
	for i, admitted := range want {
		if (got[i].Verdict == "admitted") != admitted {
			t.Fatalf("request %d at %d: %s, want admitted %v\n%s", i, c.Requests[i].At, got[i].Verdict, admitted, c.YAML())
		}
	}
}

// YAML returns the scenario file of the case. Its algorithm is named tested.
func (c *SettleCase) YAML() string {
	var b strings.Builder
	way := c.Way
	if way == "reserve-quantile-then-settle" {
		way = "{reserve-quantile-then-settle: {quantile: 50%, answers: 3}}"
	}
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {%s, counter: %s, settle: %s", c.End*c.Unit, c.Algorithm, c.Counter, way)
	fmt.Fprintf(&b, ", expires_after: %dns, settlement_debt: %v}\nscenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: %d}\n    topology: %s\n    algorithms: [tested]\n    traffic:\n",
		c.Expires*c.Unit, c.Debt, c.Limit, c.Window*c.Unit, c.Limit, cmp.Or(c.Topology, "{}"))
	for i, r := range c.Requests {
		fmt.Fprintf(&b, "      - {pattern: list, events: [{at: %dns, client: %d}], cost: {estimate: %d, actual: %d}, answer: %dns}\n", r.At*c.Unit, i%max(1, c.Clients), r.Estimate, r.Cost, r.Answer*c.Unit)
	}
	return b.String()
}

// Held returns what a request takes on arrival, after answers of these costs.
func (c *SettleCase) Held(r SettleRequest, seen []int64) int64 {
	switch c.Way {
	case "check-then-deduct":
		return 0
	case "reserve-maximum-then-refund":
		return c.Maximum
	case "reserve-quantile-then-settle": // the median of the last three
		last := slices.Clone(seen[max(0, len(seen)-3):])
		if len(last) == 0 {
			return c.Maximum
		}
		slices.Sort(last)
		return last[(len(last)+1)/2-1]
	}
	return r.Estimate
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
	for i, r := range c.Requests {
		plan(r.At+c.Delay, arrives, i)
	}
	admitted, held, gone := make([]bool, len(c.Requests)), make([]int64, len(c.Requests)), make([]bool, len(c.Requests))
	level, now := c.Limit*c.Window, int64(0) // what is left
	advance := func(to int64) {
		if c.Counter == "fixed-window" {
			if to/c.Window > now/c.Window {
				level = c.Limit * c.Window
			}
		} else {
			level = min(level+(to-now)*c.Limit, c.Limit*c.Window)
		}
		now = to
	}
	correct := func(taken, tokens int64) {
		switch {
		case tokens > 0 && !c.Debt:
			level = min(level, max(level-tokens*c.Window, 0))
		case tokens > 0:
			level -= tokens * c.Window
		case c.Counter != "fixed-window" || taken/c.Window == now/c.Window:
			level = min(level-tokens*c.Window, c.Limit*c.Window)
		}
	}
	var seen []int64
	for len(list) > 0 {
		e := slices.MinFunc(list, func(a, b settleEvent) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.class, b.class), cmp.Compare(a.order, b.order))
		})
		list = slices.DeleteFunc(list, func(f settleEvent) bool { return f == e })
		if e.at >= c.End {
			break
		}
		advance(e.at)
		r := c.Requests[e.i]
		switch e.class {
		case arrives:
			held[e.i] = c.Held(r, seen)
			if admitted[e.i] = level >= max(held[e.i], 1)*c.Window; !admitted[e.i] {
				continue
			}
			level -= held[e.i] * c.Window
			if c.Way == "none" {
				continue
			}
			plan(e.at+2*c.Delay+r.Answer, answers, e.i)
			if c.Expires > 0 && held[e.i] > 0 {
				plan(e.at+c.Expires, expires, e.i)
			}
		case expires:
			if !gone[e.i] {
				gone[e.i] = true
				correct(r.At+c.Delay, -held[e.i])
			}
		case answers:
			tokens := r.Cost
			if !gone[e.i] {
				tokens -= held[e.i]
			}
			gone[e.i] = true
			correct(r.At+c.Delay, tokens)
			seen = append(seen, r.Cost)
		}
	}
	return admitted
}
