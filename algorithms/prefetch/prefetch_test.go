package prefetch

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

func drawConfig(t *rapid.T) *Config {
	c := &Config{
		Limit:     counting.Limit{Count: rapid.Int64Range(1, 20).Draw(t, "count"), Window: rapid.Int64Range(1, 30).Draw(t, "window")},
		LeaseSize: rapid.Int64Range(1, 6).Draw(t, "lease"),
		LowWater:  rapid.Int64Range(0, 4).Draw(t, "low water"),
		Expiry:    rapid.Int64Range(0, 12).Draw(t, "expiry"),
		Forgetful: rapid.Bool().Draw(t, "forgetful"),
	}
	if rapid.Bool().Draw(t, "bucket") {
		c.Limit.Burst = rapid.Int64Range(1, 20).Draw(t, "burst")
		c.Bucket = &counting.TokenBucketOptions{}
	}
	return c
}

// Every token that a server grants is spent, held or lost, exactly once. A
// client never spends an expired token, and fetches when its tokens are few, no fetch is in
// flight and the server has not told it to wait.
func TestTokensAreConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t)
		server := NewServer(c, 1)
		clients := []*Client{NewClient(c), NewClient(c)}
		type held struct{ tokens, until int64 }
		naive := make([][]held, len(clients)) // by client, oldest first
		pending, refused, answered := make([]*Answer, len(clients)), make([]int64, len(clients)), make([]bool, len(clients))
		now := int64(0)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.Int64Range(0, 4).Draw(t, "gap")
			i := rapid.IntRange(0, len(clients)-1).Draw(t, "client")
			if pending[i] != nil && rapid.Bool().Draw(t, "answered") {
				answered[i], refused[i] = true, 0
				if pending[i].Granted < pending[i].Asked && !c.Forgetful {
					refused[i] = pending[i].RetryAt
				}
				clients[i].Apply(now, pending[i])
				if pending[i].Granted > pending[i].Asked {
					t.Fatalf("asked %d, granted %d", pending[i].Asked, pending[i].Granted)
				}
				until := never
				if c.Expiry > 0 {
					until = now + c.Expiry
				}
				naive[i], pending[i] = append(naive[i], held{pending[i].Granted, until}), nil
			} else if pending[i] != nil && rapid.Bool().Draw(t, "failed") {
				clients[i].Failed(0)
				pending[i] = nil
			}
			sum := int64(0)
			for _, h := range naive[i] {
				if now < h.until {
					sum += h.tokens
				}
			}
			cost := rapid.Int64Range(0, 4).Draw(t, "cost")
			spends := rapid.Bool().Draw(t, "spends")
			if got := spends && clients[i].Spend(now, 0, cost); got != (spends && cost <= sum) {
				t.Fatalf("client %d at %d: spends %d of %d: %v", i, now, cost, sum, got)
			} else if got {
				for j := range naive[i] {
					if h := &naive[i][j]; now < h.until {
						part := min(cost, h.tokens)
						h.tokens, cost, sum = h.tokens-part, cost-part, sum-part
					}
				}
			}
			if got := clients[i].Held(now, 0); got != sum {
				t.Fatalf("client %d at %d holds %d, want %d", i, now, got, sum)
			}
			needed, want := rapid.SampledFrom([]int64{0, 0, 1, 9}).Draw(t, "needed"), int64(0)
			if pending[i] == nil && (needed > 0 || sum <= c.LowWater) && now >= refused[i] {
				want = max(c.LeaseSize, needed-sum)
			}
			asked := clients[i].Fetch(now, 0, needed)
			if asked != want || clients[i].Starting(0) == answered[i] || clients[i].RefusedUntil(0) != refused[i] {
				t.Fatalf("client %d at %d asks for %d, want %d; starting %v, refused until %d, want %d",
					i, now, asked, want, clients[i].Starting(0), clients[i].RefusedUntil(0), refused[i])
			}
			if asked > 0 {
				answer := server.Grant(now, 0, asked)
				pending[i] = &answer
			}
		}
	})
}

// A server grants no more than its counter would admit, and returns when there will be
// more.
func TestServer(t *testing.T) {
	window := NewServer(&Config{Limit: counting.Limit{Count: 10, Window: 100}, LeaseSize: 4}, 1)
	bucket := NewServer(&Config{Limit: counting.Limit{Count: 10, Window: 100, Burst: 10}, LeaseSize: 4, Bucket: &counting.TokenBucketOptions{}}, 1)
	for _, c := range []struct {
		name   string
		server *Server
		now    int64
		asked  int64
		want   Answer
	}{
		{"window", window, 0, 4, Answer{Asked: 4, Granted: 4}},
		{"window", window, 1, 8, Answer{Asked: 8, Granted: 6, RetryAt: 100}},
		{"bucket", bucket, 0, 12, Answer{Asked: 12, Granted: 10, RetryAt: 40}},
		{"bucket", bucket, 25, 4, Answer{Asked: 4, Granted: 2, RetryAt: 60}},
	} {
		if got := c.server.Grant(c.now, 0, c.asked); got != c.want {
			t.Errorf("%s at %d, %d asked: %+v, want %+v", c.name, c.now, c.asked, got, c.want)
		}
	}
	window.Grant(100, 0, 10)
	window.Relimit(100, counting.Limit{Count: 12, Window: 100})
	if got := window.Grant(100, 0, 20).Granted; got != 2 {
		t.Errorf("limit raised by 2, %d granted", got)
	}
}

// After a grant of fewer tokens than it asked for, the client asks for none until the
// time that the server returned, unless it forgets that.
func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		granted   int64
		forgetful bool
		want      string
	}{
		{3, false, "true 0 10"},
		{3, true, "true 10 0"}, // the second fetch is under way
		{10, false, "true 10 0"},
	} {
		client := NewClient(&Config{LeaseSize: 10, Forgetful: c.forgetful})
		client.Fetch(0, 0, 1)
		client.Apply(5, &Answer{Asked: 10, Granted: c.granted, RetryAt: 50})
		if got := fmt.Sprint(client.Spend(6, 0, 3), client.Fetch(49, 0, 1), client.Fetch(50, 0, 1)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
