package rlqs

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

const s = int64(1e9)

// testConfig is a quota of 120/s, counted in tenths of a request.
func testConfig() *Config {
	return &Config{
		Divided: capacity.Divided{Scale: capacity.Scale{Window: s, Unit: 10}, Limit: 1200, Burst: 60}, Interval: s, LeastDemand: 10,
		TTL: 3 * s, Forget: 3 * s, ExpiredFor: never, Expired: Fallback{Action: Discard},
	}
}

// reported returns a server that has counted a second of these costs, one client
// after the other, and the clients' assignments after that, in order.
func reported(c *Config, costs ...int64) (*Server, []Capacity) {
	server, gets := NewServer(c), []Capacity(nil)
	for i, cost := range costs {
		server.Count(s, int32(i), &Usage{Allowed: cost / 2, Denied: cost - cost/2, Elapsed: s})
	}
	for i := range costs {
		a, _ := server.Assign(s, int32(i), 0)
		gets = append(gets, a.Rate)
	}
	return server, gets
}

// The division of 120 among clients that want 1000, 50 and 10, which Doorman's
// documentation divides too, and of the same quota among small demands.
func TestAllocations(t *testing.T) {
	for _, c := range []struct {
		change func(c *Config)
		much   string // 1000, 50 and 10
		little string // 60, 20 and 10
	}{
		{func(c *Config) {}, "[600 500 100]", "[700 300 200]"},
		{func(c *Config) { c.Allocation = Proportional }, "[1132 56 11]", "[800 266 133]"},
		{func(c *Config) { c.Allocation = Greedy }, "[1200 0 0]", "[600 200 100]"},
		{func(c *Config) { c.Allocation = Whole }, "[1200 1200 1200]", "[1200 1200 1200]"},
		{func(c *Config) { c.Conserves = true }, "[600 500 100]", "[700 300 200]"},
		{func(c *Config) { c.FillInterval = s }, "[600 500 100]", "[700 300 200]"},
		{func(c *Config) { c.FillInterval, c.Allocation = s, Proportional }, "[1130 50 10]", "[800 260 130]"},
	} {
		config := testConfig()
		c.change(config)
		_, much := reported(config, 1000, 50, 10)
		_, little := reported(config, 60, 20, 10)
		if fmt.Sprint(much) != c.much || fmt.Sprint(little) != c.little {
			t.Errorf("%+v: %v and %v, want %s and %s", config, much, little, c.much, c.little)
		}
	}
}

// Each of n clients that subscribe one after the other is assigned the whole quota
// divided by the number of clients so far, unless the server conserves.
func TestSubscribersAddUpToHarmonicSum(t *testing.T) {
	config := testConfig()
	server, sum := NewServer(config), Capacity(0)
	for i := range int32(4) {
		server.Count(0, i, &Usage{Allowed: 1})
		a, _ := server.Assign(0, i, 0)
		sum += a.Rate
	}
	if sum != 1200+600+400+300 {
		t.Errorf("four clients are assigned %d", sum)
	}
	config.Conserves = true
	server.Restart()
	for i := range int32(4) {
		server.Count(0, i, &Usage{Allowed: 1})
		if a, _ := server.Assign(0, i, 0); a.Rate != map[int32]Capacity{0: 1200}[i] {
			t.Errorf("client %d of a server that conserves is assigned %d", i, a.Rate)
		}
	}
}

// With any options, the assignments of one rebalance add up to the limit at most, with
// Greedy to all that is wanted of it, and no client that wants an even part gets less by
// max-min fairness.
func TestRebalanceKeepsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := testConfig()
		config.Rebalance = s
		config.Allocation = Allocation(rapid.IntRange(0, 2).Draw(t, "allocation"))
		wants := rapid.SliceOfN(rapid.Int64Range(1, 300), 1, 6).Draw(t, "wants")
		server, _ := reported(config, wants...)
		sum, wanted := Capacity(0), Capacity(0)
		server.Rebalance(s, func(a Assignment) {
			sum, wanted = sum+a.Rate, wanted+wants[a.Client]*10
			even := config.Limit / int64(len(wants))
			if config.Allocation == Fair && a.Rate < min(wants[a.Client]*10, even) {
				t.Fatalf("client %d of %v gets %d", a.Client, wants, a.Rate)
			}
		})
		if sum > config.Limit || config.Allocation == Greedy && sum != min(wanted, config.Limit) {
			t.Fatalf("%d of %d, %d wanted", sum, config.Limit, wanted)
		}
	})
}

// Each rebalance sends one assignment to every client of every key that has reported in
// time, whatever was sent before.
func TestRebalanceReachesSubscribers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := testConfig()
		config.Rebalance = s
		type pair struct{ client, key int32 }
		server, heard, order := NewServer(config), map[pair]int64{}, []int32(nil)
		for now := s; now < 10*s; now += s / 2 {
			for range rapid.SampledFrom([]int{0, 0, 0, 1, 3}).Draw(t, "reports") {
				p := pair{rapid.Int32Range(0, 2).Draw(t, "client"), rapid.Int32Range(0, 1).Draw(t, "key")}
				heard[p] = now
				if !slices.Contains(order, p.key) {
					order = append(order, p.key)
				}
				server.Count(now, p.client, &Usage{Key: p.key, Elapsed: s})
			}
			left, stays := map[pair]bool{}, map[int32]bool{}
			for p, at := range heard {
				if now-at < config.Forget {
					left[p], stays[p.key] = true, true
				}
			}
			order = slices.DeleteFunc(order, func(key int32) bool { return !stays[key] })
			server.Rebalance(now, func(a Assignment) {
				p := pair{a.Client, a.Key}
				if !left[p] {
					t.Fatalf("at %d: unwanted %+v", now, a)
				}
				delete(left, p)
			})
			if len(left) > 0 || !slices.Equal(server.active, order) {
				t.Fatalf("at %d: nothing for %v; keys %v, want %v", now, left, server.active, order)
			}
		}
	})
}

// A server forgets a client that has not reported for long enough.
func TestForget(t *testing.T) {
	config := testConfig()
	server, _ := reported(config, 300, 300)
	server.Count(4*s-1, 0, &Usage{Allowed: 300, Elapsed: s})
	if a, _ := server.Assign(4*s-1, 0, 0); a.Rate != 600 {
		t.Errorf("beside a client that reported 3 s - 1 ns ago: %d", a.Rate)
	}
	server.Count(4*s, 0, &Usage{Allowed: 300, Elapsed: 1})
	if a, _ := server.Assign(4*s, 0, 0); a.Rate != 1200 {
		t.Errorf("after it has been forgotten: %d", a.Rate)
	}
}

// The states of an assignment in order, for each behaviour without one.
func TestAssignmentLife(t *testing.T) {
	limit := Fallback{Action: Limit, Rate: 20, Depth: 30}
	for _, c := range []struct {
		before, after Fallback
		lasts         int64
		first, at     int // admitted of 100 requests: before the first assignment, and 4 s after its expiry
	}{
		{Fallback{Action: Allow}, Fallback{Action: Discard}, never, 100, 100},
		{Fallback{Action: Deny}, Fallback{Action: Discard}, never, 0, 0},
		{limit, Fallback{Action: Discard}, never, 3, 3},
		{Fallback{Action: Deny}, Fallback{Action: Reuse}, never, 0, 5},
		{Fallback{Action: Deny}, Fallback{Action: Reuse}, 2 * s, 0, 0},
		{Fallback{Action: Allow}, Fallback{Action: Deny}, 2 * s, 100, 100},
		{Fallback{Action: Deny}, limit, 2 * s, 0, 0},
	} {
		config := testConfig()
		config.NoAssignment, config.Expired, config.ExpiredFor = c.before, c.after, c.lasts
		client := NewClient(config)
		if got := admitted(client, 0); got != c.first {
			t.Errorf("%+v: %d before the first assignment", c, got)
		}
		client.Apply(s, &Assignment{Sent: s, Rate: 100, Depth: 50, TTL: 3 * s})
		client.Apply(s, &Assignment{Sent: s - 1, Rate: 500, Depth: 500, TTL: 3 * s}) // overtaken by the one above
		if got := admitted(client, s); got != 5 {
			t.Errorf("%+v: %d of a new assignment", c, got)
		}
		if got := admitted(client, 4*s-1); got != 5 {
			t.Errorf("%+v: %d at the end of the assignment", c, got)
		}
		admitted(client, 5*s)
		if got := admitted(client, 8*s); got != c.at {
			t.Errorf("%+v: %d at 8 s", c, got)
		}
	}
}

// admitted returns how many of 100 requests with one timestamp are admitted.
func admitted(c *Client, now int64) (n int) {
	for range 100 {
		if v, _ := c.Decide(now, 0, 1); v.Admitted() {
			n++
		}
	}
	return n
}

// A changed assignment starts with a full bucket, or carries the tokens over; an
// equal one keeps them in any case.
func TestChangedAssignment(t *testing.T) {
	for carries, want := range map[bool]int{false: 6, true: 0} {
		config := testConfig()
		config.CarriesOver = carries
		client := NewClient(config)
		client.Decide(0, 0, 1)
		client.Apply(0, &Assignment{Rate: 100, Depth: 50, TTL: 3 * s})
		admitted(client, 0)
		client.Apply(0, &Assignment{Rate: 100, Depth: 50, TTL: 3 * s})
		if got := admitted(client, 0); got != 0 {
			t.Errorf("an equal assignment adds %d", got)
		}
		client.Apply(0, &Assignment{Rate: 110, Depth: 60, TTL: 3 * s})
		if got := admitted(client, 0); got != want {
			t.Errorf("carries over %v: another assignment adds %d, want %d", carries, got, want)
		}
		if got := client.RetryAt(0, 0, 1); !carries && got != 90909091 {
			t.Errorf("retry at %d", got)
		}
	}
}

// A report has the cost since the previous one, and a policy's change applies to the
// next assignments.
func TestReportAndRelimit(t *testing.T) {
	config := testConfig()
	client, server := NewClient(config), NewServer(config)
	client.Decide(0, 0, 3)
	if u := client.Subscribe(0, 0); fmt.Sprint(u) != "{0 3 0 0}" {
		t.Errorf("first report: %+v", u)
	}
	client.Apply(0, &Assignment{Rate: 10, Depth: 10, TTL: 3 * s})
	client.Decide(0, 0, 1)
	client.Decide(0, 0, 2)
	client.Report(2*s, func(u Usage) {
		if u != (Usage{Allowed: 1, Denied: 2, Elapsed: 2 * s}) {
			t.Errorf("second report: %+v", u)
		}
		server.Count(2*s, 7, &u)
	})
	server.Relimit(counting.Limit{Count: 60, Window: s})
	if a, _ := server.Assign(2*s, 7, 0); a.Rate != 600 || a.Depth != 300 {
		t.Errorf("of half the quota: %+v", a)
	}
}
