package counter

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// named are the algorithms, by their names and options in scenario files.
var named = []struct {
	algorithm Algorithm
	name      string
	options   string // of gauge.As
}{
	{TokenBucket{}, "token-bucket", ""},
	{TokenBucket{}, "gcra", ""},
	{TokenBucket{Debt: true}, "token-bucket", "debt=true"},
	{FixedWindow{}, "fixed-window", ""},
	{FixedWindow{CountRejected: true}, "fixed-window", "count_rejected=true"},
	{SlidingWindowCounter{}, "sliding-window-counter", ""},
	{SlidingWindowCounter{CountRejected: true}, "sliding-window-counter", "count_rejected=true"},
	{SlidingWindowLog{}, "sliding-window-log", ""},
	{SlidingWindowLog{CountRejected: true}, "sliding-window-log", "count_rejected=true"},
}

// TestDecidesAsSimulated compares single counters, keyed ones that drop keys all the time
// and the simulator's tables on random calls of a few keys.
func TestDecidesAsSimulated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(named).Draw(t, "algorithm")
		limit := Limit{
			Count:  rapid.Int64Range(1, 20).Draw(t, "count"),
			Window: time.Duration(rapid.Int64Range(1, 100).Draw(t, "window")),
			Burst:  rapid.Int64Range(1, 20).Draw(t, "burst"),
		}
		options := catalog.Values{}
		if option, value, ok := strings.Cut(n.options, "="); ok {
			options = catalog.Values{option: {V: value == "true"}}
		}
		const keys = 5
		table, err := counting.New(n.name, limit.limit(), options, keys)
		if err != nil {
			t.Fatal(err)
		}
		keyed, err := NewKeyed[int](limit, n.algorithm, keys)
		if err != nil {
			t.Fatal(err)
		}
		var single [keys]*Counter
		for i := range single {
			if single[i], err = New(limit, n.algorithm); err != nil {
				t.Fatal(err)
			}
		}
		ns := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			ns += rapid.Int64Range(0, 60).Draw(t, "later")
			now := time.Unix(0, ns)
			key := rapid.IntRange(0, keys-1).Draw(t, "key")
			cost := rapid.Int64Range(0, 25).Draw(t, "cost")
			keyed.shards[0].sweep(keys, ns) // drops whatever it may
			want := fmt.Sprint(table.Level(int32(key), ns), waitOf(table.RetryAt(int32(key), ns, cost), ns))
			for _, got := range []string{
				fmt.Sprint(single[key].Level(now), single[key].RetryAfter(now, cost)),
				fmt.Sprint(keyed.Level(now, key), keyed.RetryAfter(now, key, cost)),
			} {
				if got != want {
					t.Fatalf("at %d ns key %d has level and wait %s, in the simulator %s", ns, key, got, want)
				}
			}
			admitted := table.Take(int32(key), ns, cost).Admitted()
			if single[key].Take(now, cost) != admitted || keyed.Take(now, key, cost) != admitted {
				t.Fatalf("at %d ns key %d, cost %d: the simulator admits: %v", ns, key, cost, admitted)
			}
		}
	})
}

func waitOf(at, now int64) time.Duration {
	if at == counting.Never {
		return never
	}
	return time.Duration(at - now)
}

// TestJudged has gauge judge each algorithm, keyed by strings.
func TestJudged(t *testing.T) {
	for _, n := range named {
		options := strings.Fields(n.options)
		t.Run(n.name+n.options, func(t *testing.T) {
			gauge.Conform(t, gauge.Use("mine", func(p gauge.Policy) *Keyed[string] {
				k, err := NewKeyed[string](Limit{p.Limit, p.Window, p.Burst}, n.algorithm, 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				return k
			}, gauge.As(n.name, options...)))
		})
	}
}

// TestBound sends more active keys than there is room for, then lets them become idle.
func TestBound(t *testing.T) {
	for _, maxKeys := range []int{1, 10, 5000} {
		k, err := NewKeyed[int](Limit{Count: 1, Window: time.Second}, TokenBucket{}, maxKeys)
		if err != nil {
			t.Fatal(err)
		}
		now, admitted := time.Unix(1000, 0), 0
		for key := range 3 * maxKeys {
			if k.Take(now, key, 1) {
				admitted++
			}
		}
		got, shards := k.Stats(), len(k.shards)
		if got.Keys > maxKeys || got.Keys < maxKeys*9/10 {
			t.Errorf("%d keys are held, of at most %d", got.Keys, maxKeys)
		}
		if int64(got.Keys)+got.Shared != int64(3*maxKeys) {
			t.Errorf("%d keys and %d requests without room are not %d requests", got.Keys, got.Shared, 3*maxKeys)
		}
		if admitted < got.Keys+1 || admitted > got.Keys+shards {
			t.Errorf("%d requests of %d keys are admitted, and those without room share %d counters", admitted, got.Keys, shards)
		}
		now = now.Add(2 * time.Second)          // every bucket is full again
		for key := range max(1, maxKeys*8/10) { // chance fills shards unevenly
			if !k.Take(now, -1-key, 1) {
				t.Fatalf("new key %d of %d finds no room among idle ones", key, maxKeys)
			}
		}
		if after := k.Stats(); after.Keys > maxKeys || after.Shared > got.Shared {
			t.Errorf("%d keys of at most %d, and %d more without room", after.Keys, maxKeys, after.Shared-got.Shared)
		}
	}
}

// TestKeysThatEqualNothing sends keys that no map finds again. They share a counter, and take
// no room from others.
func TestKeysThatEqualNothing(t *testing.T) {
	for _, most := range []int{10, 10_000} { // in one shard, and in several
		k, err := NewKeyed[float64](Limit{Count: 1, Window: time.Second}, TokenBucket{}, most)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Unix(100, 0)
		for i := range 100 {
			if admitted := k.Take(now, math.NaN(), 1); admitted != (i == 0) {
				t.Errorf("NaN %d is admitted: %v", i, admitted)
			}
		}
		if wait := k.RetryAfter(now, math.NaN(), 1); wait != time.Second || k.Level(now, math.NaN()) != 0 {
			t.Errorf("the next NaN waits for %v at a level of %d", wait, k.Level(now, math.NaN()))
		}
		for key := range 10 {
			if !k.Take(now, float64(key), 1) {
				t.Errorf("key %d finds no room", key)
			}
		}
		if got := k.Stats(); got != (Stats{Keys: 10, Shared: 100}) {
			t.Errorf("%+v, want 10 keys and 100 requests without room", got)
		}
	}
}

// TestMemoryFollowsActiveKeys sends one request each of many keys, of which few are
// active at a time.
func TestMemoryFollowsActiveKeys(t *testing.T) {
	k, err := NewKeyed[int](Limit{Count: 1, Window: time.Second}, TokenBucket{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for key := range 200_000 { // 1000 a second, each busy for a second
		k.Take(time.Unix(0, int64(key)*1e6), key, 1)
		most = max(most, k.Stats().Keys)
	}
	if most > 2000 {
		t.Errorf("%d keys are held although 1000 are active at a time", most)
	}
	slots := 0
	for i := range k.shards {
		slots += len(k.shards[i].keys)
	}
	if slots > 2*most {
		t.Errorf("%d slots for %d keys", slots, most)
	}
}

// TestLateCaller drops a key that has used its window up when the next one begins. Callers
// that read the clock before gain nothing, and a clock that is set back stops no new key.
func TestLateCaller(t *testing.T) {
	k, err := NewKeyed[string](Limit{Count: 2, Window: time.Second}, FixedWindow{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		ms   int64
		key  string
		want bool
	}{
		{500_500, "a", true}, {500_500, "a", true}, {500_999, "a", false},
		{501_000, "b", true}, {501_000, "c", true}, // these drop a
		{500_999, "a", true}, {500_999, "a", true}, {500_999, "a", false}, {501_999, "a", false}, // of the new window
		{502_000, "a", true},
		{400_000, "d", true}, {400_000, "d", true}, {400_000, "d", false}, {401_000, "d", true},
	} {
		if got := k.Take(time.UnixMilli(step.ms), step.key, 1); got != step.want {
			t.Errorf("step %d: %s is admitted at %d ms: %v", i+1, step.key, step.ms, got)
		}
	}
}

// TestHostile passes what no program should.
func TestHostile(t *testing.T) {
	type hostile struct {
		limit     Limit
		algorithm Algorithm
	}
	for _, h := range []hostile{
		{}, {limit: Limit{1, time.Second, 1}}, {Limit{1, time.Second, 1}, (*TokenBucket)(nil)},
		{Limit{0, time.Second, 1}, TokenBucket{}}, {Limit{-1, time.Second, 1}, FixedWindow{}}, {Limit{1, 0, 1}, SlidingWindowLog{}},
		{Limit{1, -time.Second, 1}, SlidingWindowCounter{}}, {Limit{1, time.Second, -1}, TokenBucket{}},
		{Limit{math.MaxInt64, time.Second, 1}, FixedWindow{}}, {Limit{1, math.MaxInt64, 1}, FixedWindow{}},
		{Limit{1, 24 * time.Hour, math.MaxInt64}, TokenBucket{Debt: true}},
		{Limit{1_000_003, 24 * time.Hour, 53_376}, TokenBucket{}},
	} {
		if _, err := New(h.limit, h.algorithm); err == nil {
			t.Errorf("%+v with %T is accepted", h.limit, h.algorithm)
		}
		if _, err := NewKeyed[string](h.limit, h.algorithm, 10); err == nil {
			t.Errorf("%+v with %T is accepted for keys", h.limit, h.algorithm)
		}
	}
	for _, maxKeys := range []int{0, -1, math.MaxInt} {
		if _, err := NewKeyed[string](Limit{1, 1, 1}, TokenBucket{}, maxKeys); err == nil {
			t.Errorf("a bound of %d keys is accepted", maxKeys)
		}
	}
	times := []time.Time{{}, time.Unix(0, 0), time.Unix(math.MaxInt32, 5), time.Unix(math.MaxInt64, 0), time.Unix(math.MinInt64, 0), time.Unix(1_800_000_000, 1)}
	for _, n := range named {
		for _, limit := range []Limit{{1, 1, 1}, {1_000_000, 24 * time.Hour, 50}, {1_000_003, 24 * time.Hour, 53_375}, {1 << 60, 1 << 60, 1}, {1, 1 << 60, 4}, {1 << 60, 1, 1 << 60}} {
			k, err := NewKeyed[string](limit, n.algorithm, 3)
			if err != nil {
				t.Fatalf("%+v: %v", limit, err)
			}
			for _, now := range times {
				for _, cost := range []int64{math.MinInt64, -1, 0, 1, limit.Count, math.MaxInt64 - 1, math.MaxInt64} {
					level := k.Level(now, "a")
					wait, admitted := k.RetryAfter(now, "a", cost), k.Take(now, "a", cost)
					if admitted != (wait == 0) || cost < 0 && admitted || cost == 0 && !admitted || wait < never {
						t.Fatalf("%s%s %+v at %v, cost %d: admitted %v with a wait of %d ns", n.name, n.options, limit, now, cost, admitted, wait)
					}
					if cost < 0 && k.Level(now, "a") != level {
						t.Fatalf("a cost of %d changes the level", cost)
					}
				}
			}
		}
	}
	if got := new(Keyed[int]).Stats(); got != (Stats{}) {
		t.Errorf("a zero Keyed holds %+v", got)
	}
	for name, f := range map[string]func(){
		"New": func() { new(Counter).Take(time.Time{}, 1) }, "NewKeyed": func() { new(Keyed[int]).Take(time.Time{}, 1, 1) },
	} {
		func() {
			defer func() {
				if r := recover(); !strings.Contains(fmt.Sprint(r), "is made with "+name) {
					t.Errorf("a zero value says %v", r)
				}
			}()
			f()
		}()
	}
}

// TestLargestDebt checks the largest cost that a bucket with debt takes, under a limit whose
// tokens have many units: all of a day.
func TestLargestDebt(t *testing.T) {
	for _, c := range []struct {
		cost int64
		want bool
	}{{26_688, false}, {26_687, true}} { // 2^61 / 8.64e13 is 26687.998
		k, err := New(Limit{Count: 1_000_003, Window: 24 * time.Hour, Burst: 1}, TokenBucket{Debt: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Take(time.Unix(10, 0), c.cost); got != c.want || (k.RetryAfter(time.Unix(10, 0), c.cost) < 0) == c.want {
			t.Errorf("cost %d: %t", c.cost, got)
		}
	}
}

// TestConcurrentUse takes from many goroutines; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	k, err := NewKeyed[int](Limit{Count: 100, Window: time.Hour}, FixedWindow{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var admitted atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 5000 {
				if k.Take(time.Unix(10, 0), i%10, 1) {
					admitted.Add(1)
				}
				k.Level(time.Unix(10, 0), i)
				k.Stats()
			}
		})
	}
	wg.Wait()
	if admitted.Load() != 1000 {
		t.Errorf("%d requests of ten keys with a limit of 100 each are admitted", admitted.Load())
	}
}
