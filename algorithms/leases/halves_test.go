package leases

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

const s = int64(1e9)

func testConfig() *Config {
	return &Config{Divided: capacity.Divided{Scale: capacity.Scale{Window: s, Unit: 10}, Limit: 1000, Burst: 50}, Lease: 10 * s, Refresh: s, Learning: 10 * s, Seconds: 3, FirstWants: 250, Idle: 3 * s}
}

// The estimate weights the last whole seconds, the newest most, and the first
// request for capacity uses the given guess.
func TestWants(t *testing.T) {
	c := testConfig()
	d := demand{}
	for _, at := range []int64{0, s, s + 1, 2 * s, 2*s + 1, 2*s + 2, 3*s - 1} {
		if at == 0 {
			if got := d.wants(at, c, 0); got != 250 {
				t.Errorf("first wants %d", got)
			}
		}
		d.count(at, 6, c)
	}
	for _, want := range []struct{ at, wants int64 }{
		{3 * s, 10 * (3*24 + 2*12 + 1*6) / 6}, // 24, 12 and 6 in three seconds
		{4 * s, 10 * (2*24 + 1*12) / 6},
		{9 * s, 0},
	} {
		if got := d.wants(want.at, c, 0); got != want.wants {
			t.Errorf("at %d s: wants %d, want %d", want.at/s, got, want.wants)
		}
	}
}

// The states of a lease in order: the guess, the grant, its end, the three
// options after it, and its return to the server when the key is idle.
func TestLease(t *testing.T) {
	for _, mode := range []struct {
		how  WithoutLease
		want int // of 100 requests at once, a second after the lease has run out
	}{{Safe, 25}, {Pessimistic, 0}, {Optimistic, 100}} {
		c := testConfig()
		c.WithoutLease = mode.how
		server, client := NewServer(c, 0), NewClient(c, 0)
		other := Question{Client: 1, Key: 3, Wants: 500}
		server.Decide(0, &other)

		v, ask := client.Decide(0, 0, 3, 1)
		if v.Admitted() || !ask {
			t.Fatalf("the first request: admitted %v, asks %v", v.Admitted(), ask)
		}
		q := client.Ask(0, 0, 3)
		a := server.Decide(0, &q)
		client.Apply(0, &a)
		if a.Gets != 250 || a.Until != 10*s || a.Safe != 500 {
			t.Fatalf("the first answer: %+v", a)
		}
		// 25 per second and a quarter of the burst, rounded up.
		if got := admitted(client, 0, 0, 100); got != 13 {
			t.Errorf("%d pass at first, want 13", got)
		}
		if got := admitted(client, 400e6, 400e6, 100); got != 10 {
			t.Errorf("%d pass 0.4 s later, want 10", got)
		}
		if q := client.Ask(s, s, 3); q.Has != 250 {
			t.Errorf("it says that it has %d", q.Has)
		}
		// The client's clock is 2 s ahead, so the lease ends at 8 s for it.
		if got := admitted(client, 8*s-1, 10*s-1, 100); got != 13 {
			t.Errorf("%d pass before the end, want 13", got)
		}
		if got := admitted(client, 9*s, 11*s, 100); got != mode.want {
			t.Errorf("without a lease, mode %d: %d pass", mode.how, got)
		}
		var asked []Question
		client.Refresh(11*s, 11*s, func(q Question) { asked = append(asked, q) })
		client.Refresh(12*s, 12*s, func(q Question) { asked = append(asked, q) })
		if len(asked) != 2 || asked[0].Release || asked[0].Has != 0 || !asked[1].Release || len(client.active) > 0 {
			t.Errorf("refreshes: %+v", asked)
		}
		a = server.Decide(12*s, &asked[1])
		if client.Apply(12*s, &a); client.keys.At(3).answered {
			t.Error("a lease that was given back has come back")
		}
	}
}

// admitted returns how many of n requests with one timestamp are admitted.
func admitted(c *Client, now, clock int64, n int) (passed int) {
	for range n {
		if v, _ := c.Decide(now, clock, 3, 1); v.Admitted() {
			passed++
		}
	}
	return passed
}

// A server removes leases that are over, and in learning mode grants the leases that
// clients report.
func TestServer(t *testing.T) {
	c := testConfig()
	server := NewServer(c, 0)
	decide := func(now int64, q Question) Capacity { return server.Decide(now, &q).Gets }
	if got := decide(0, Question{Client: 0, Wants: 1000}); got != 1000 {
		t.Errorf("alone it gets %d", got)
	}
	if got := decide(10*s, Question{Client: 1, Wants: 500}); got != 0 {
		t.Errorf("beside a lease of everything it gets %d", got)
	}
	if got := decide(10*s+1, Question{Client: 1, Wants: 500}); got != 500 {
		t.Errorf("when that is over it gets %d", got)
	}
	server.Restart(20 * s)
	if got := decide(21*s, Question{Client: 2, Has: 70, Wants: 500}); got != 70 {
		t.Errorf("in learning mode it gets %d", got)
	}
	if got := decide(22*s, Question{Client: 3, Wants: 500}); got != 0 {
		t.Errorf("in learning mode a new client gets %d", got)
	}
	if got := decide(30*s, Question{Client: 3, Wants: 500}); got != 500 {
		t.Errorf("after learning mode it gets %d", got)
	}
	server.Relimit(counting.Limit{Count: 50, Window: s})
	if got := decide(30*s, Question{Client: 3, Wants: 500}); got != 250 {
		t.Errorf("of half the limit it gets %d", got)
	}
}
