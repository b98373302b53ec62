package routing

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

const second = int64(1e9)

func TestOwnersAreSpreadEvenly(t *testing.T) {
	var counts [7]int
	for key := range int32(70_000) {
		counts[Owner(key, 7)]++
	}
	for server, n := range counts {
		if n < 9_500 || n > 10_500 {
			t.Errorf("server %d owns %d keys of 70000", server, n)
		}
	}
}

func ringOf(servers, nodes int) Config {
	return Config{Kind: ByRing, Servers: servers, VirtualNodes: nodes, Propagation: 2 * second}
}

// A ring equals its definition, evaluated without an index.
func TestRingIsTheNextPoint(t *testing.T) {
	for _, nodes := range []int{1, 3, 100} {
		r := New(ringOf(5, nodes))
		for key := range int32(5_000) {
			best, owner := uint64(math.MaxUint64), int32(-1)
			for server := range int32(5) {
				for i := range nodes {
					// Distance clockwise from the key to the point.
					if d := mix(mix(uint64(server))+uint64(i)) - Hash(key); d <= best {
						best, owner = d, server
					}
				}
			}
			if got := r.Owner(key); got != owner {
				t.Fatalf("%d nodes, key %d: server %d, not %d", nodes, key, got, owner)
			}
		}
	}
}

// The shares of a ring with v points per server have a coefficient of variation of
// about 1/sqrt(v); those of a hash are even.
func TestRingShares(t *testing.T) {
	for _, nodes := range []int{4, 100} {
		const servers, keys = 200, 400_000
		r := New(ringOf(servers, nodes))
		var counts [servers]float64
		for key := range int32(keys) {
			counts[r.Owner(key)]++
		}
		variance := 0.0
		for _, n := range counts {
			variance += math.Pow(n*servers/keys-1, 2) / servers
		}
		got, want := math.Sqrt(variance), 1/math.Sqrt(float64(nodes))
		if math.Abs(got/want-1) > 0.2 {
			t.Errorf("%d nodes: coefficient of variation %.3f, not about %.3f", nodes, got, want)
		}
	}
}

// A server that fails moves only its own keys, and all of them return with it.
func TestRingChurn(t *testing.T) {
	m := New(ringOf(10, 100))
	before := make([]int32, 10_000)
	for key := range before {
		before[key] = m.Owner(int32(key))
	}
	m.Fail(35*second, 3)
	m.Fail(36*second, 3)
	moved := 0
	for key, owner := range before {
		now := m.Owner(int32(key))
		if now == 3 || owner != 3 && now != owner {
			t.Fatalf("key %d went from %d to %d", key, owner, now)
		}
		if now != owner {
			moved++
		}
		if m.Known(int32(key), 37*second-1) != owner || m.Known(int32(key), 37*second) != now {
			t.Fatalf("key %d: clients must learn of the move two seconds after it", key)
		}
	}
	if moved < 700 || moved > 1300 {
		t.Errorf("%d of 10000 keys moved, not about a tenth", moved)
	}
	m.Recover(60*second, 3)
	for key, owner := range before {
		if m.Owner(int32(key)) != owner {
			t.Fatalf("key %d did not come back", key)
		}
	}
	if m.Version() != 3 {
		t.Errorf("%d assignments, not 3", m.Version())
	}
}

func slicesOf(servers, perServer int) Config {
	return Config{Kind: BySlices, Servers: servers, Propagation: second,
		Slices: Slicing{PerServer: perServer, Tolerance: units.Fraction{Num: 1, Den: 10}, Rebalance: 60 * second}}
}

// Until a slice moves, an autosharder is the plain hash.
func TestSlicesStartAsTheHash(t *testing.T) {
	m := New(slicesOf(7, 64))
	for key := range int32(10_000) {
		if got := m.Owner(key); got != Owner(key, 7) {
			t.Fatalf("key %d: %d, not %d", key, got, Owner(key, 7))
		}
	}
}

// The weight of load halves in a half-life, and only ratios count.
func TestLoadsDecay(t *testing.T) {
	l := newLoads(3, 0)
	l.add(0, 0, 1_000_000)
	l.add(120*second, 1, 1_000_000)
	l.add(150*second, 2, 1_000_000)
	l.reach(300 * second)
	near := func(a, b uint64, want float64) {
		t.Helper()
		if got := float64(a) / float64(b); math.Abs(got/want-1) > 0.006 {
			t.Errorf("ratio %.4f, not %.4f", got, want)
		}
	}
	near(l.of[1], l.of[0], 2)
	near(l.of[2], l.of[1], math.Pow(2, 0.25))
	l.reach(math.MaxInt64)
	if l.of[2] != 0 {
		t.Error("load was remembered for ever")
	}
}

// The loads of slices have the ratios of sums in which cost counts half for each half-life,
// in steps of a 128th, from the latest time known when it was served until now. A time
// before the latest one counts as that.
func TestLoadsAreDecayedSums(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 2))
		start := rng.Int64N(1e15)
		l := newLoads(3, start)
		var want [3]float64
		latest := start
		for range 200 {
			now := latest + int64((rng.ExpFloat64()-0.2)*float64(20*second))
			latest = max(latest, now)
			slice, cost := rng.IntN(3), 1+rng.Int64N(1000)
			l.add(now, int32(slice), cost)
			want[slice] += float64(cost) * math.Exp2(float64((latest-start)/loadStep)/128)
		}
		for i := range want {
			got, want := float64(l.of[i])/float64(l.of[0]+l.of[1]+l.of[2]), want[i]/(want[0]+want[1]+want[2])
			if math.Abs(got-want) > 2e-4 {
				t.Errorf("seed %d: slice %d has %.5f of the load, not %.5f", seed, i, got, want)
			}
		}
	}
}

// For any load, a rebalance leaves each server within the tolerance, or without a
// slice whose move to the least loaded server would lower the higher of the two
// loads. It never increases the largest load.
func TestRebalance(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		servers := 1 + rng.IntN(8)
		m := New(slicesOf(servers, 1+rng.IntN(64))).(*autosharder)
		for i := range m.load.of {
			if rng.IntN(4) > 0 {
				m.load.of[i] = uint64(rng.ExpFloat64() * 1e6)
			}
		}
		if rng.IntN(3) == 0 {
			m.load.of[0] = 1e8
		}
		before := totals(m, servers)
		m.Step(m.Next())
		after := totals(m, servers)
		mean, most, least := uint64(0), uint64(0), uint64(math.MaxUint64)
		for i := range after {
			mean += after[i] / uint64(servers)
			most, least = max(most, after[i]), min(least, after[i])
		}
		sort.Slice(before, func(i, j int) bool { return before[i] > before[j] })
		if most > before[0] {
			t.Fatalf("seed %d: the most loaded server went from %d to %d", seed, before[0], most)
		}
		for slice, server := range *m.owners.newest() {
			total := after[server]
			if total > mean+mean/10+uint64(servers) && m.load.of[slice] > 0 && least+m.load.of[slice] < total {
				t.Fatalf("seed %d: server %d has %d with a mean of %d, and keeps a slice of %d while another has %d",
					seed, server, total, mean, m.load.of[slice], least)
			}
		}
		moved := m.Version()
		m.Step(m.Next())
		if m.Version() != moved {
			t.Fatalf("seed %d: the same load made slices move again", seed)
		}
	}
}

func totals(m *autosharder, servers int) []uint64 {
	sum := make([]uint64, servers)
	for slice, server := range *m.owners.newest() {
		sum[server] += m.load.of[slice]
	}
	return sum
}

// A server with a hot key gives its other slices away as far as the balance needs it.
func TestHotKeyIsLeftAlone(t *testing.T) {
	m := New(slicesOf(4, 64))
	for at := int64(0); at < 60*second; at += 10_000_000 {
		m.Served(at, 1, 40)
		m.Served(at, int32(at/10_000_000)%2000+2, 60)
	}
	hot := m.Owner(1)
	m.Step(60 * second)
	if m.Owner(1) != hot {
		t.Error("the hot key moved, and took its load along")
	}
	with := 0
	for key := int32(2); key < 2002; key++ {
		if m.Owner(key) == hot {
			with++
		}
	}
	if with > 20 {
		t.Errorf("%d of 2000 other keys stayed with a key of 40 %% of the load", with)
	}
}

// The slices of a failed server go to the others in even shares, and it gets slices
// again at the first rebalance after its recovery.
func TestSlicesAfterACrash(t *testing.T) {
	m := New(slicesOf(4, 32))
	serve := func(from, to int64) {
		for at := from; at < to; at += 5_000_000 {
			m.Served(at, int32(at/5_000_000)%3000, 1)
		}
	}
	owned := func() (counts [4]int) {
		for key := range int32(3000) {
			counts[m.Owner(key)]++
		}
		return counts
	}
	serve(0, 10*second)
	m.Fail(40*second, 2)
	counts := owned()
	if counts[2] != 0 || min(counts[0], counts[1], counts[3]) < 900 {
		t.Fatalf("after the crash the servers own %v", counts)
	}
	m.Recover(50*second, 2)
	if owned()[2] != 0 {
		t.Fatal("a server came back before a rebalance")
	}
	m.Step(60 * second)
	// The others keep up to 1.1 times the mean, which leaves it 0.7.
	if counts = owned(); min(counts[0], counts[1], counts[3]) < 750 || counts[2] < 500 {
		t.Fatalf("after the rebalance the servers own %v", counts)
	}
}

// Old assignments are removed when no client uses them any more.
func TestHistoryIsBounded(t *testing.T) {
	h := history[int]{delay: 10}
	for now := range int64(1000) {
		h.add(now, int(now))
		if want := max(0, int(now)-10); *h.known(now) != want {
			t.Fatalf("at %d clients know %d", now, *h.known(now))
		}
	}
	if len(h.kept) > 12 {
		t.Errorf("%d assignments are kept", len(h.kept))
	}
}

func TestRefusedConfigs(t *testing.T) {
	for name, c := range map[string]Config{
		"no server":  {},
		"no node":    {Kind: ByRing, Servers: 1},
		"points":     ringOf(10_000, 10_000),
		"no slice":   slicesOf(3, 0),
		"no balance": {Kind: BySlices, Servers: 1, Slices: Slicing{PerServer: 1}},
	} {
		if c.Check() == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

// TestBounds tries the values at both sides of each bound.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		set         func(c *Config, x int64)
		least, most int64
	}{
		"servers":       {func(c *Config, x int64) { c.Kind, c.Servers = ByHash, int(x) }, 1, maxPoints},
		"propagation":   {func(c *Config, x int64) { c.Propagation = x }, 0, 1 << 60},
		"virtual nodes": {func(c *Config, x int64) { c.Kind, c.VirtualNodes = ByRing, int(x) }, 1, maxPoints / 3},
		"slices":        {func(c *Config, x int64) { c.Slices.PerServer = int(x) }, 1, maxPoints / 3},
		"rebalance":     {func(c *Config, x int64) { c.Slices.Rebalance = x }, 1, 1 << 60},
		"tolerance":     {func(c *Config, x int64) { c.Slices.Tolerance = units.Fraction{Num: x, Den: 1} }, 0, 100},
	} {
		for _, x := range []int64{c.least - 1, c.least, c.most, c.most + 1} {
			config := slicesOf(3, 64)
			c.set(&config, x)
			if got, want := config.Check() == nil, x >= c.least && (x <= c.most || c.most == 1<<60 || name == "servers"); got != want {
				t.Errorf("%s %d: accepted %v, want %v", name, x, got, want)
			}
		}
	}
}

func BenchmarkOwner(b *testing.B) {
	for name, c := range map[string]Config{"hash": {Servers: 20}, "modulo": {Kind: ByModulo, Servers: 20}, "ring": ringOf(20, 100), "slices": slicesOf(20, 64)} {
		m := New(c)
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				m.Known(int32(i), int64(i))
			}
		})
	}
}
