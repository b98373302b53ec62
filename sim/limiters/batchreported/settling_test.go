package batchreported_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestSettlementAgainstTicks compares two clients that settle costs with a naive model
// that looks at every nanosecond: clients report together, without delay, to one fixed
// window.
func TestSettlementAgainstTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		interval := rapid.Int64Range(1, 9).Draw(t, "interval")
		c := simtest.DrawSettlement(t, fmt.Sprintf("enforcement: batch-reported, interval: %dus, phase: aligned", interval), 0)
		c.Counter, c.Clients, c.Topology = "fixed-window", 2, "{clients: 2}"
		c.Unit = 1000
		want, got := admittedByTicks(c, interval), simtest.Outcomes(t, c.YAML(), "tested")
		for i, admitted := range want {
			if (got[i].Verdict == "admitted") != admitted {
				t.Fatalf("request %d at %d: %s, want admitted %v\n%s", i, c.Requests[i].At, got[i].Verdict, admitted, c.YAML())
			}
		}
	})
}

// tickClient is a client of the naive model.
type tickClient struct {
	hits    int64
	back    []given // to take from the next report
	touched int     // order of the first touch since the last report; 0 without
	rows    bool    // has something to report
	until   int64   // rejects before this time
	seen    []int64
}

// given is what was given back, and the number of its window.
type given struct{ tokens, window int64 }

func (c *tickClient) correct(now, taken, tokens, window int64) {
	switch {
	case tokens > 0:
		c.hits += tokens
	case tokens < 0 && taken/window == now/window:
		c.back = append(c.back, given{-tokens, now / window})
	default:
		return
	}
	c.rows = true
}

// report returns the hits to report. What was given back in an earlier window takes
// nothing from the present one.
func (c *tickClient) report(window int64) int64 {
	hits := c.hits
	for _, b := range c.back {
		if b.window < window {
			hits = max(0, hits-b.tokens)
		}
	}
	for _, b := range c.back {
		if b.window == window {
			hits -= b.tokens
		}
	}
	c.hits, c.back, c.rows = 0, nil, false
	return hits
}

// tickWorld is the naive model. Reports of one instant are sent in the order in which
// their clients had something to do.
type tickWorld struct {
	c              *simtest.SettleCase
	admitted, gone []bool
	held           []int64
	clients        [2]tickClient
	touches        int
}

func (w *tickWorld) touch(c *tickClient) {
	if c.touched == 0 {
		w.touches++
		c.touched = w.touches
	}
}

// correct changes what request i took.
func (w *tickWorld) correct(now int64, i int, tokens int64) {
	client := &w.clients[i%2]
	w.gone[i] = true
	if tokens != 0 {
		w.touch(client)
		client.correct(now, w.c.Requests[i].At, tokens, w.c.Window)
	}
}

// settle runs the answer to request i.
func (w *tickWorld) settle(now int64, i int) {
	tokens := w.c.Requests[i].Cost
	if !w.gone[i] {
		tokens -= w.held[i]
	}
	w.correct(now, i, tokens)
	client := &w.clients[i%2]
	client.seen = append(client.seen, w.c.Requests[i].Cost)
}

func (w *tickWorld) arrive(now int64, i int) {
	r, client := w.c.Requests[i], &w.clients[i%2]
	w.held[i] = w.c.Held(r, client.seen)
	w.admitted[i] = now >= client.until
	w.touch(client)
	if !w.admitted[i] {
		client.rows = true
		return
	}
	client.hits += w.held[i]
	client.rows = client.rows || w.held[i] > 0
	if r.Answer == 0 && w.c.Way != "none" {
		w.settle(now, i)
	}
}

// tick sends the reports and returns the count of the window.
func (w *tickWorld) tick(now, count int64) int64 {
	var asked []*tickClient
	for i := range w.clients {
		if client := &w.clients[i]; client.touched > 0 {
			asked = append(asked, client)
		}
	}
	slices.SortFunc(asked, func(a, b *tickClient) int { return a.touched - b.touched })
	asked = slices.DeleteFunc(asked, func(c *tickClient) bool { c.touched = 0; return !c.rows })
	for _, client := range asked {
		count = max(0, count+client.report(now/w.c.Window))
	}
	for _, client := range asked {
		client.until = 0
		if count >= w.c.Limit {
			client.until = (now/w.c.Window + 1) * w.c.Window
		}
	}
	return count
}

func admittedByTicks(c *simtest.SettleCase, interval int64) []bool {
	n := len(c.Requests)
	w := &tickWorld{c: c, admitted: make([]bool, n), gone: make([]bool, n), held: make([]int64, n)}
	count := int64(0)
	for now := range c.End {
		if now%c.Window == 0 {
			count = 0
		}
		for _, i := range w.due(func(r simtest.SettleRequest) int64 { return r.At + r.Answer }, now) {
			w.settle(now, i)
		}
		for _, i := range w.due(func(r simtest.SettleRequest) int64 { return r.At + c.Expires }, now) {
			if c.Expires > 0 && w.held[i] > 0 && !w.gone[i] {
				w.correct(now, i, -w.held[i])
			}
		}
		if now%interval == 0 {
			count = w.tick(now, count)
		}
		for i, r := range c.Requests {
			if r.At == now {
				w.arrive(now, i)
			}
		}
	}
	return w.admitted
}

// due returns the admitted requests for which a later time is now, in the order of their
// arrivals.
func (w *tickWorld) due(at func(simtest.SettleRequest) int64, now int64) (list []int) {
	for i, r := range w.c.Requests {
		if w.admitted[i] && r.At < now && at(r) == now && w.c.Way != "none" {
			list = append(list, i)
		}
	}
	return list
}
