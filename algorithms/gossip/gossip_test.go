package gossip

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

const ms = int64(1e6)

func drop(nodes int) *Config {
	return &Config{Limit: counting.Limit{Count: 1000, Window: 1000 * ms, Burst: 100}, Nodes: nodes, Alive: nodes, Interval: 50 * ms,
		Weight: units.Fraction{Num: 1, Den: 10}}
}

func share(nodes int) *Config {
	c := drop(nodes)
	c.Shares = true
	return c
}

// fleet delivers the messages of a few limiters without delay.
type fleet struct {
	nodes []*Node
	coin  *rand.PCG
	now   int64 // of drive
}

func newFleet(c *Config) *fleet {
	f := &fleet{coin: rand.NewPCG(1, 2)}
	for i := range c.Nodes {
		f.nodes = append(f.nodes, NewNode(c, int32(i)))
	}
	return f
}

// tick runs one interval that ends at now: each limiter estimates, then all receive.
func (f *fleet) tick(now int64) {
	messages := make([]Message, len(f.nodes))
	c := f.nodes[0].config
	for i, n := range f.nodes {
		n.Tick(now, &messages[i])
	}
	for i := range messages {
		if len(messages[i].Rows) == 0 {
			continue
		}
		if c.Branching == 0 {
			for j, n := range f.nodes {
				if j != i {
					n.Receive(now, &messages[i])
				}
			}
			continue
		}
		for _, j := range rand.New(f.coin).Perm(len(f.nodes) - 1)[:c.Receivers()] {
			f.nodes[(i+1+j)%len(f.nodes)].Receive(now, &messages[i])
		}
	}
}

// dropping returns the share of a key's requests that a limiter drops now.
func dropping(n *Node, key int32) uint32 {
	n.settle(n.keys.At(key))
	return n.keys.Peek(key).drop
}

// After n intervals of twice the limit, every limiter drops a share of
// 1 - 1/(2*(1-0.9^n)) once that is above 0, wherever the demand is.
func TestRandomDropStep(t *testing.T) {
	f := newFleet(drop(4))
	for n := 1; n <= 60; n++ {
		for range 40 { // 10 an interval each are 800/s, and 40 more at limiter 0
			f.nodes[0].Decide(int64(n-1)*50*ms, 3, 0, 1, f.coin)
		}
		for _, node := range f.nodes {
			node.Decide(int64(n-1)*50*ms, 3, 0, 15, f.coin)
		}
		f.tick(int64(n) * 50 * ms)
		demand := 2 * (1 - math.Pow(0.9, float64(n)))
		want := max(0, 1-1/demand)
		for i, node := range f.nodes {
			if got := float64(dropping(node, 3)) / (1 << 32); math.Abs(got-want) > 1e-6 {
				t.Fatalf("after %d intervals limiter %d drops %.8f, want %.8f", n, i, got, want)
			}
		}
		if passes := 2 * (1 - want); n >= 30 && passes > 1.05 {
			t.Errorf("after %d intervals %.4f of the limit pass", n, passes)
		}
	}
}

// A limiter drops by its coin exactly the share that it computed.
func TestDropsByCoin(t *testing.T) {
	c := drop(1)
	c.Weight = units.Fraction{Num: 1, Den: 1}
	f := newFleet(c)
	f.nodes[0].Decide(0, 0, 0, 200, f.coin) // four times the limit of 50 an interval
	f.tick(50 * ms)
	admitted := 0
	for range 100_000 {
		if f.nodes[0].Decide(60*ms, 0, 0, 1, f.coin).Admitted() {
			admitted++
		}
	}
	if admitted < 24_300 || admitted > 25_700 {
		t.Errorf("%d of 100000 pass at four times the limit", admitted)
	}
}

// An idle key is forgotten after its last value has been sent once more.
func TestIdleKeysFallAsleep(t *testing.T) {
	for _, c := range []*Config{drop(3), share(3)} {
		f := newFleet(c)
		f.nodes[0].Decide(0, 0, 0, 1000, f.coin)
		n := 0
		for awake := true; awake; n++ {
			f.tick(int64(n+1) * 50 * ms)
			awake = f.nodes[0].Active() || f.nodes[1].Active()
			if n > 2000 {
				t.Fatal("still awake")
			}
		}
		k := f.nodes[0].keys.Peek(0)
		if other := f.nodes[1].keys.Peek(0); k.demand != 0 || other.others.total != 0 || dropping(f.nodes[1], 0) != 0 || len(f.nodes[0].flows.list) != 0 {
			t.Errorf("after %d ticks the estimate is %d, heard as %d, flows %v", n, k.demand, other.others.total, f.nodes[0].flows.list)
		}
	}
}

// drive offers each limiter requests per interval from this many equal flows and
// returns the parts of the limit that it then grants itself.
func drive(f *fleet, ticks int, requests, tenants []int) []float64 {
	for range ticks {
		for i, node := range f.nodes {
			for r := range requests[i] {
				at := f.now + int64(r)*50*ms/int64(requests[i])
				node.Decide(at, 0, int32(r%tenants[i]), 1, f.coin)
			}
		}
		f.now += 50 * ms
		f.tick(f.now)
	}
	var parts []float64
	for _, node := range f.nodes {
		parts = append(parts, float64(node.keys.Peek(0).bucket.share)/(1<<shareBits))
	}
	return parts
}

// If all limiters are short of tokens, the parts follow the numbers of flows.
func TestSaturatedSharesFollowFlows(t *testing.T) {
	parts := drive(newFleet(share(3)), 400, []int{200, 200, 200}, []int{1, 2, 5})
	for i, want := range []float64{1. / 8, 2. / 8, 5. / 8} {
		if math.Abs(parts[i]-want) > 0.02 {
			t.Errorf("limiter %d grants itself %.3f of the limit, want %.3f", i, parts[i], want)
		}
	}
}

// A limiter that is not short of tokens grants itself its demand, and the others
// share the rest: 50 requests per interval are the limit, and limiter 0 receives 10.
func TestUnsaturatedSharesFollowDemand(t *testing.T) {
	parts := drive(newFleet(share(3)), 400, []int{10, 200, 200}, []int{1, 1, 1})
	for i, want := range []float64{0.2, 0.4, 0.4} {
		if math.Abs(parts[i]-want) > 0.01 {
			t.Errorf("limiter %d grants itself %.3f of the limit, want %.3f", i, parts[i], want)
		}
	}
}

// A limiter with much demand and one flow gets no more than one flow's part, even if
// it had most of the limit before the others became active.
func TestNoMoreThanItsFlows(t *testing.T) {
	f := newFleet(share(2))
	drive(f, 100, []int{40, 0}, []int{1, 3})
	parts := drive(f, 400, []int{40, 200}, []int{1, 3})
	if math.Abs(parts[0]-0.25) > 0.01 || math.Abs(parts[1]-0.75) > 0.01 {
		t.Errorf("the limiters grant themselves %.3f of the limit, want a quarter and three", parts)
	}
}

// Limiters that are all below their part still divide the whole limit, so that none
// of them has all of it when demand rises.
func TestContentSharesAddUp(t *testing.T) {
	f := newFleet(share(3))
	drive(f, 400, []int{5, 10, 20}, []int{1, 1, 1})
	for range 20 {
		parts := drive(f, 1, []int{5, 10, 20}, []int{1, 1, 1})
		if sum := parts[0] + parts[1] + parts[2]; sum > 1.3 || sum < 0.9 {
			t.Errorf("the parts are %.3f, together %.3f", parts, sum)
		}
	}
}

// A limiter without demand loses its part. It recovers within a few ticks, from 0 or,
// after it has become inactive, from an even share.
func TestComesBack(t *testing.T) {
	for _, idle := range []int{90, 1500} {
		f := newFleet(share(2))
		drive(f, 100, []int{200, 200}, []int{1, 1})
		parts := drive(f, idle, []int{200, 0}, []int{1, 1})
		if math.Abs(parts[0]-1) > 0.02 {
			t.Fatalf("with one idle for %d ticks the parts are %v", idle, parts)
		}
		parts = drive(f, 100, []int{200, 200}, []int{1, 1})
		if math.Abs(parts[0]-0.5) > 0.02 || math.Abs(parts[1]-0.5) > 0.02 {
			t.Errorf("back after %d ticks the parts are %v", idle, parts)
		}
	}
}

// Limiters that become active together keep an even share until they have received
// each other's values.
func TestWakingTogether(t *testing.T) {
	f := newFleet(share(4))
	for tick := range 4 {
		for i, part := range drive(f, 1, []int{50, 50, 50, 50}, []int{1, 1, 1, 1}) {
			if math.Abs(part-0.25) > 0.01 {
				t.Errorf("after tick %d limiter %d grants itself %.3f of the limit", tick+1, i, part)
			}
		}
	}
}

// With a branching factor every limiter's estimate of the sum is close to the sum,
// and no part of the sum is lost.
func TestPushSum(t *testing.T) {
	c := drop(10)
	c.Branching, c.Weight = 2, units.Fraction{Num: 1, Den: 1}
	f := newFleet(c)
	for n := range 40 {
		for i, node := range f.nodes {
			node.Decide(int64(n)*50*ms, 0, 0, int64(1+i), f.coin)
		}
		f.tick(int64(n+1) * 50 * ms)
	}
	sum, mass := int64(0), int64(0)
	for i, node := range f.nodes {
		k := node.keys.Peek(0)
		sum, mass = sum+k.others.sum, mass+k.others.mass
		total := float64(k.demand+k.others.value(c)) / (1 << demandBits)
		if math.Abs(total-55) > 0.5 {
			t.Errorf("limiter %d estimates %.3f, want 55", i, total)
		}
	}
	if sum != 55<<demandBits || mass != 10<<massBits {
		t.Errorf("the parts add up to %d and %d, want %d and %d", sum, mass, int64(55)<<demandBits, int64(10)<<massBits)
	}
}

// A new limit takes effect at once on the dropped share and on the buckets' depths.
func TestRelimit(t *testing.T) {
	for _, shares := range []bool{false, true} {
		c := drop(1)
		c.Shares, c.Weight = shares, units.Fraction{Num: 1, Den: 1}
		f := newFleet(c)
		for range 100 {
			f.nodes[0].Decide(0, 0, 0, 1, f.coin) // twice the limit of 50 an interval, or the whole bucket
		}
		f.tick(50 * ms)
		f.nodes[0].Decide(100*ms, 0, 0, 0, f.coin)
		half := counting.Limit{Count: 500, Window: 1000 * ms, Burst: 10}
		f.nodes[0].Relimit(100*ms, half)
		c.Limit = half
		if got := float64(dropping(f.nodes[0], 0)) / (1 << 32); !shares && math.Abs(got-0.75) > 1e-6 {
			t.Errorf("%.6f is dropped, want three quarters", got)
		}
		if level, _, _ := f.nodes[0].Look(100*ms, 0, 1); shares && level != 10 {
			t.Errorf("the bucket of 10 holds %d", level)
		}
		if level, at, _ := f.nodes[0].Look(100*ms, 0, 11); shares && (level != 10 || at != math.MaxInt64) {
			t.Errorf("the bucket of 10 will hold 11 at %d", at)
		}
	}
}

// The values of a limiter that no longer exists are removed.
func TestForget(t *testing.T) {
	f := newFleet(drop(3))
	for _, n := range f.nodes {
		n.Decide(0, 0, 0, 500, f.coin)
	}
	f.tick(50 * ms)
	n := f.nodes[0]
	total, drop := n.keys.Peek(0).others.total, dropping(n, 0)
	n.Forget(2)
	if left := n.keys.Peek(0).others.total; left*2 != total || dropping(n, 0) >= drop || dropping(n, 0) == 0 {
		t.Errorf("of %d and a drop of %d are left %d and %d", total, drop, left, dropping(n, 0))
	}
}

// A late message changes nothing.
func TestLateMessages(t *testing.T) {
	n := NewNode(drop(2), 0)
	n.Receive(100, &Message{From: 1, SentAt: 90, Rows: []Row{{Key: 0, Value: 7}}})
	n.Receive(101, &Message{From: 1, SentAt: 40, Rows: []Row{{Key: 0, Value: 9}}})
	if got := n.keys.Peek(0).others.total; got != 7 {
		t.Errorf("the others' demand is %d, want 7", got)
	}
}

// A bucket with a part of the limit refills exactly that part, however time is
// divided; with the whole limit it is a token bucket of the limit.
func TestBucketIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		limit := counting.Limit{Count: 1 + random.Int64N(2000), Window: 1 + random.Int64N(1e9), Burst: 1 + random.Int64N(20)}
		if random.IntN(4) == 0 {
			limit.Count = 1 + random.Int64N(1<<40) // may earn many requests a nanosecond
		}
		r := rate{burst: limit.Burst}
		r.n, r.p = limit.Rate()
		share := 1 + random.Uint64N(1<<shareBits)
		if random.IntN(3) == 0 {
			share = 1 << shareBits
		}
		b := bucket{share: share, level: r.depth(share)}
		level := new(big.Rat).SetInt64(b.level)
		whole := counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: limit.Burst})
		whole.Take(0, 0)
		now, last := int64(0), int64(0)
		token := int64(float64(limit.Window) / float64(limit.Count) * (1 << shareBits) / float64(share))
		for range 100 {
			now += random.Int64N(2*token + 2)
			cost := random.Int64N(3)
			earned := big.NewRat(now-last, 1<<shareBits)
			earned.Mul(earned, new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(r.n), new(big.Int).SetUint64(share))))
			if level.Add(level, earned); level.Cmp(new(big.Rat).SetInt64(r.depth(share))) > 0 {
				level.SetInt64(r.depth(share))
			}
			last = now
			at := b.retryAt(&r, now, cost)
			want := level.Cmp(new(big.Rat).SetInt64(cost*r.p)) >= 0
			if (at == now) != want {
				t.Fatalf("cost %d at %d: retry at %d, want it to pass: %v", cost, now, at, want)
			}
			if before, then := b, b; !want && at < 1<<60 && (before.take(&r, at-1, cost) || !then.take(&r, at, cost)) {
				t.Fatalf("cost %d at %d does not begin to pass at %d", cost, now, at)
			}
			got := b.take(&r, now, cost)
			if got != want {
				t.Fatalf("cost %d at %d: %v, want %v", cost, now, got, want)
			}
			if got {
				level.Sub(level, new(big.Rat).SetInt64(cost*r.p))
			}
			if share == 1<<shareBits && whole.Take(now, cost).Admitted() != got {
				t.Fatalf("cost %d at %d: %v, unlike a token bucket", cost, now, got)
			}
		}
	}
}

// Fractions of a unit are not lost, however often the bucket is read.
func TestBucketCarries(t *testing.T) {
	r := rate{n: 1, p: 1, burst: 10}
	b := bucket{share: 1 << (shareBits - 2)}
	for now := int64(1); now <= 8; now++ {
		if got := b.take(&r, now, 1); got != (now%4 == 0) {
			t.Errorf("at %d a quarter of a request per ns lets one through: %v", now, got)
		}
	}
}

// A bucket whose part shrinks loses what no longer fits.
func TestGrant(t *testing.T) {
	r := rate{n: 1, p: 10, burst: 8}
	b := bucket{share: 1 << shareBits, level: 80}
	b.grant(&r, 0, 1<<(shareBits-2))
	if b.level != 20 {
		t.Errorf("a quarter of the bucket holds %d, want 20", b.level)
	}
	b.grant(&r, 0, 1<<shareBits)
	if b.take(&r, 59, 8) || !b.take(&r, 60, 8) {
		t.Error("after 60 ns at the full rate the bucket does not hold just 8")
	}
}

func TestAverageComesDown(t *testing.T) {
	estimate := int64(1) << 60
	tenth := units.Fraction{Num: 1, Den: 10}
	n := 0
	for ; estimate != 0; n++ {
		estimate = average(estimate, 0, tenth)
	}
	if n > 450 {
		t.Errorf("0 after %d steps", n)
	}
	if got := average(100, 200, tenth); got != 110 {
		t.Errorf("from 100 towards 200: %d", got)
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"interval":  func(c *Config) { c.Interval = 0 },
		"0 limit":   func(c *Config) { c.Nodes = 0 },
		"alive":     func(c *Config) { c.Alive = 3 },
		"weight":    func(c *Config) { c.Weight.Num = 0 },
		"branching": func(c *Config) { c.Branching = -1 },
		"burst 0":   func(c *Config) { c.Shares, c.Limit.Burst = true, 0 },
		"above":     func(c *Config) { c.Limit.Count = 1 << 50 },
		"below":     func(c *Config) { c.Interval, c.Limit.Count, c.Limit.Window = 1, 1, 1<<40 },
	} {
		c := drop(2)
		change(c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if c := drop(1000); c.CheckMemory(16) != nil || c.CheckMemory(17) == nil {
		t.Error("a thousand limiters remember each other's values of 16 keys")
	}
}
