package batchreported_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/simtest"
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
	touched bool
	until   int64 // rejects before this time
	seen    []int64
}

func (c *tickClient) correct(now, taken, tokens, window int64) {
	if tokens > 0 || tokens < 0 && taken/window == now/window {
		c.hits += tokens
		c.touched = true
	}
}

func admittedByTicks(c *simtest.SettleCase, interval int64) []bool {
	admitted, held, gone := make([]bool, len(c.Requests)), make([]int64, len(c.Requests)), make([]bool, len(c.Requests))
	var clients [2]tickClient
	count := int64(0)
	for now := range c.End {
		if now%c.Window == 0 {
			count = 0
		}
		for _, answers := range []bool{true, false} { // then what expires
			for i, r := range c.Requests {
				client := &clients[i%2]
				if !admitted[i] || r.At >= now || c.Way == "none" {
					continue
				}
				switch {
				case answers && now == r.At+r.Answer:
					tokens := r.Cost
					if !gone[i] {
						tokens -= held[i]
					}
					gone[i] = true
					client.correct(now, r.At, tokens, c.Window)
					client.seen = append(client.seen, r.Cost)
				case !answers && c.Expires > 0 && held[i] > 0 && now == r.At+c.Expires && !gone[i]:
					gone[i] = true
					client.correct(now, r.At, -held[i], c.Window)
				}
			}
		}
		if now%interval == 0 {
			var asked []*tickClient
			for i := range clients {
				if client := &clients[i]; client.touched {
					count = max(0, count+client.hits)
					client.hits, client.touched = 0, false
					asked = append(asked, client)
				}
			}
			for _, client := range asked {
				client.until = 0
				if count >= c.Limit {
					client.until = (now/c.Window + 1) * c.Window
				}
			}
		}
		for i, r := range c.Requests {
			if r.At != now {
				continue
			}
			client := &clients[i%2]
			held[i] = c.Held(r, client.seen)
			if admitted[i] = now >= client.until; !admitted[i] {
				client.touched = true
				continue
			}
			client.hits += held[i]
			client.touched = client.touched || held[i] > 0
			if r.Answer == 0 && c.Way != "none" {
				gone[i] = true
				client.correct(now, now, r.Cost-held[i], c.Window)
				client.seen = append(client.seen, r.Cost)
			}
		}
	}
	return admitted
}
