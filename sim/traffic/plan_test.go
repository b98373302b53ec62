package traffic

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func poissonAt(name string, perSecond int64) scenarios.Traffic {
	e := entry("poisson", catalog.Values{"rate": rate(perSecond, second)})
	e.Name = name
	return e
}

func constantAt(name string, perSecond int64) scenarios.Traffic {
	e := entry("constant", catalog.Values{"rate": rate(perSecond, second)})
	e.Name = name
	return e
}

// A merge equals a stable sort of all entries, for any entries.
func TestMergeIsAStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Config
		c.Clients, c.End = 3, second
		var naive []row
		largeBucket := entry("list", catalog.Values{"events": value([]any{
			catalog.Values{"at": value(400 * millisecond), "count": value(int64(2500))},
			catalog.Values{"at": value(600 * millisecond), "count": value(int64(100))},
		})})
		bursty := entry("bursty", catalog.Values{"rate_on": rate(100_000, second), "mean_on": value(20 * millisecond), "mean_off": value(100 * millisecond)})
		for i := range rapid.IntRange(0, 20).Draw(t, "entries") {
			e := rapid.SampledFrom([]scenarios.Traffic{
				poissonAt("", 3000), poissonAt("", 1), constantAt("", 1000), constantAt("", 500), constantAt("", 0), largeBucket, bursty,
			}).Draw(t, "entry")
			e.Name = fmt.Sprint("entry ", i)
			e.Keys = named(e.Name)
			if rapid.Bool().Draw(t, "late") {
				e.From = 500 * millisecond
			}
			c.Entries = append(c.Entries, e)
		}
		p, err := Prepare(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Entries {
			alone := Config{Entries: c.Entries[i : i+1], Clients: 3, End: second}
			single, err := Prepare(alone)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range collect(single.Open(5, 2), -1) {
				r.key, r.tenant = int32(i), int32(i)
				naive = append(naive, r)
			}
		}
		slices.SortStableFunc(naive, func(a, b row) int { return int(a.time - b.time) })
		if got := collect(p.Open(5, 2), -1); !slices.Equal(got, naive) {
			t.Fatalf("%d arrivals differ from the sorted %d", len(got), len(naive))
		}
	})
}

// Times that are years apart do not fit into the merge's words at once.
func TestMergeOverYears(t *testing.T) {
	const year = 365 * 86400 * second
	list := func(name string, at ...int64) scenarios.Traffic {
		var events []any
		for _, a := range at {
			events = append(events, catalog.Values{"at": value(a * year)})
		}
		e := entry("list", catalog.Values{"events": value(events)})
		e.Name = name
		return e
	}
	var entries []scenarios.Traffic
	for i := range 300 {
		entries = append(entries, list(fmt.Sprint(i), int64(i%7), int64(20+i%5)))
	}
	rows := collect(prepare(t, Config{Entries: entries, Clients: 1, End: 40 * year}).Open(1, 0), -1)
	if len(rows) != 600 || !slices.IsSortedFunc(rows, func(a, b row) int { return int((a.time - b.time) / second) }) {
		t.Errorf("%d arrivals, want 600 in order of time", len(rows))
	}
}

// Adding an entry, or changing the number of clients, does not change other
// entries.
func TestEntriesDoNotDisturbEachOther(t *testing.T) {
	a := poissonAt("a", 2000)
	a.Keys, a.Tenants = zipf(100, 1), uniform(7)
	a.Cost = choice("uniform", catalog.Values{"min": value(int64(1)), "max": value(int64(9))})
	b := poissonAt("b", 900)
	b.Keys, b.Tenants, b.Spread = hot(50, 1, 3), named("b's tenant"), choice("random", nil)
	of := func(clients int, tenant func(string) bool, entries ...scenarios.Traffic) []row {
		p := prepare(t, Config{Entries: entries, Clients: clients, End: second})
		var rows []row
		for _, r := range collect(p.Open(1, 0), -1) {
			if tenant(p.TenantName(int(r.tenant))) {
				r.client = 0
				rows = append(rows, r)
			}
		}
		return rows
	}
	notB := func(name string) bool { return name != "b's tenant" }
	alone := of(4, notB, a)
	if with := of(4, notB, a, b); !slices.Equal(alone, with) {
		t.Error("adding an entry changes another")
	}
	if more := of(9, notB, a); !slices.Equal(alone, more) {
		t.Error("more clients change times, keys, tenants or costs")
	}
	if len(alone) < 1800 {
		t.Errorf("only %d arrivals", len(alone))
	}
	p := prepare(t, Config{Entries: []scenarios.Traffic{a}, Clients: 4, End: second})
	if slices.Equal(collect(p.Open(1, 0), -1), collect(p.Open(1, 1), -1)) {
		t.Error("two replications are the same")
	}
	if !slices.Equal(collect(p.Open(1, 0), -1), collect(p.Open(1, 0), -1)) {
		t.Error("the same replication differs")
	}
}

func TestSpacesOfNames(t *testing.T) {
	a, b, c := constantAt("a", 2), constantAt("b", 2), constantAt("c", 2)
	a.Keys, a.Tenants = uniform(5), uniform(3)
	b.Keys, b.Tenants = named("key-3"), named("tenant-9")
	c.Keys = named("key-7") // beyond the synthetic ones, and without tenants
	p := prepare(t, Config{Entries: []scenarios.Traffic{a, b, c}, Clients: 1, End: second})
	if p.Keys() != 6 || p.KeyName(3) != "key-3" || p.KeyName(5) != "key-7" || p.TenantIsKey() {
		t.Errorf("%d keys, 3 is %s, 5 is %s", p.Keys(), p.KeyName(3), p.KeyName(5))
	}
	seen := map[string]bool{}
	for _, r := range collect(p.Open(1, 0), -1) {
		seen[p.KeyName(int(r.key))+" of "+p.TenantName(int(r.tenant))] = true
	}
	for _, want := range []string{"key-3 of tenant-9", "key-7 of key-7"} {
		if !seen[want] {
			t.Errorf("no arrival at %s among %v", want, seen)
		}
	}

	p = prepare(t, Config{Entries: []scenarios.Traffic{c, b}, Clients: 1, End: second, Shared: true})
	if p.Keys() != 1 || p.TenantIsKey() {
		t.Errorf("a shared policy has %d keys", p.Keys())
	}
	c.Keys = choice("one", nil)
	p = prepare(t, Config{Entries: []scenarios.Traffic{c}, Clients: 1, End: second})
	if p.Keys() != 1 || p.KeyName(0) != "key-0" || !p.TenantIsKey() || p.TenantName(0) != "key-0" {
		t.Errorf("one key is called %s", p.KeyName(0))
	}
}

// Under a shared policy all requests have one key. The selected key becomes the
// tenant.
func TestSharedPolicy(t *testing.T) {
	a := poissonAt("a", 1000)
	a.Keys = uniform(10)
	own := prepare(t, Config{Entries: []scenarios.Traffic{a}, Clients: 1, End: second})
	shared := prepare(t, Config{Entries: []scenarios.Traffic{a}, Clients: 1, End: second, Shared: true})
	want := collect(own.Open(1, 0), -1)
	for i, r := range collect(shared.Open(1, 0), -1) {
		if r.key != 0 || r.tenant != want[i].key || r.time != want[i].time {
			t.Fatalf("arrival %d is %+v, where keys are apart %+v", i, r, want[i])
		}
	}
	if shared.Tenants() != 10 || shared.TenantName(4) != "key-4" || shared.KeyName(0) != SharedKey {
		t.Errorf("%d tenants, %s, key %s", shared.Tenants(), shared.TenantName(4), shared.KeyName(0))
	}
}

// A tenant's requests reach one client, for any key and entry. If no tenant is
// configured, the key is the tenant.
func TestStickySpread(t *testing.T) {
	a, b := poissonAt("a", 2000), constantAt("b", 300)
	a.Tenants, b.Keys = uniform(20), named("lone")
	a.Spread, b.Spread = choice("sticky", nil), choice("sticky", nil)
	p := prepare(t, Config{Entries: []scenarios.Traffic{a, b}, Clients: 5, End: second, Shared: true})
	client, used := map[int32]int32{}, map[int32]bool{}
	for _, r := range collect(p.Open(1, 0), -1) {
		first, seen := client[r.tenant]
		if seen && first != r.client {
			t.Fatalf("%s reaches clients %d and %d", p.TenantName(int(r.tenant)), first, r.client)
		}
		client[r.tenant], used[r.client] = r.client, true
	}
	if len(client) != 21 || len(used) != 5 {
		t.Errorf("%d tenants reach %d clients, want 21 and 5", len(client), len(used))
	}
	b.Tenants, a.Tenants, a.Keys = named("tenant-3"), catalog.Choice{}, uniform(20)
	p = prepare(t, Config{Entries: []scenarios.Traffic{a, b}, Clients: 5, End: second})
	a.Spread, b.Spread = choice("hash", nil), choice("hash", nil)
	hashed := collect(prepare(t, Config{Entries: []scenarios.Traffic{a, b}, Clients: 5, End: second}).Open(1, 0), -1)
	alone := map[string]bool{}
	for i, r := range collect(p.Open(1, 0), -1) {
		if name := p.TenantName(int(r.tenant)); name == "tenant-3" {
			alone[fmt.Sprint(r.client)] = true
			if r.client != client[3] {
				t.Fatalf("tenant-3 reaches client %d, and %d without the other entry's tenants", r.client, client[3])
			}
		} else if r.client != hashed[i].client {
			t.Fatalf("%s, which is its key too, reaches client %d, its key's is %d", name, r.client, hashed[i].client)
		}
	}
	if len(alone) != 1 {
		t.Errorf("tenant-3 reaches %v", alone)
	}
}

func TestListBringsItsOwn(t *testing.T) {
	e := entry("list", catalog.Values{"events": value([]any{
		catalog.Values{"at": value(int64(10)), "count": value(int64(3))},
		catalog.Values{"at": value(int64(10)), "key": value("vip"), "client": value(int64(2)), "cost": value(int64(50))},
		catalog.Values{"at": value(int64(20))},
	})})
	p := prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 3, End: second})
	want := []row{{10, 1, 1, 0, 1}, {10, 1, 1, 1, 1}, {10, 1, 1, 2, 1}, {10, 0, 0, 2, 50}, {20, 1, 1, 1, 1}}
	if got := collect(p.Open(1, 0), -1); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if p.KeyName(0) != "vip" || p.KeyName(1) != "key-0" || p.MaxCost() != 50 || p.Random() {
		t.Errorf("keys %s, %s; largest cost %d; random %v", p.KeyName(0), p.KeyName(1), p.MaxCost(), p.Random())
	}
}

// recording reads a CSV log whose times are ns since its start.
func recording(t *testing.T, text string, o logs.Options) *logs.Recording {
	t.Helper()
	o.Files, o.Stdin, o.TimeFormat = []string{"-"}, strings.NewReader(text), "relative-ns"
	r, err := logs.Read(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestTraceBringsItsOwn(t *testing.T) {
	const log = "time,key,client,cost\n100,y,a,5\n100,x,b,2\n250,y,c,1\n900,y,d,70\n"
	rec := recording(t, log, logs.Options{Asked: logs.Asked{Client: "client", Cost: []string{"cost"}}})
	e := entry("trace", nil)
	recorded := func(e scenarios.Traffic) *Plan {
		return prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 3, Recordings: map[int]*logs.Recording{0: rec}})
	}
	p := recorded(e)
	want := []row{{100, 0, 0, 0, 5}, {100, 1, 1, 1, 2}, {250, 0, 0, 2, 1}, {900, 0, 0, 0, 70}}
	if got := collect(p.Open(1, 0), -1); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if p.First() != 100 || p.Last() != 900 || p.MaxCost() != 70 || p.Random() {
		t.Errorf("first %d, last %d, largest cost %d, random %v", p.First(), p.Last(), p.MaxCost(), p.Random())
	}
	e.From, e.To = 101, 900
	e.Keys, e.Cost = named("z"), choice("constant", catalog.Values{"value": value(int64(3))})
	p = recorded(e)
	if got := collect(p.Open(1, 0), -1); !slices.Equal(got, []row{{250, 0, 0, 2, 3}}) || p.KeyName(0) != "z" || p.MaxCost() != 3 {
		t.Errorf("cut and with a key and a cost given: %v", got)
	}
	rec, e.Cost = recording(t, log, logs.Options{}), catalog.Choice{}
	if got := collect(recorded(e).Open(1, 0), -1); !slices.Equal(got, []row{{250, 0, 0, 0, 1}}) {
		t.Errorf("without recorded clients and costs: %v", got)
	}
}

func TestConfigsThatCannotBe(t *testing.T) {
	ok := constantAt("a", 1)
	bad := ok
	bad.Keys = choice("some", catalog.Values{"count": value(int64(3))})
	traced := entry("trace", nil)
	client := entry("list", catalog.Values{"events": value([]any{catalog.Values{"at": value(int64(0)), "client": value(int64(2))}})})
	for _, c := range []struct {
		config Config
		says   string
	}{
		{Config{Entries: []scenarios.Traffic{ok}, End: 5}, "clients"},
		{Config{Entries: []scenarios.Traffic{ok}, Clients: 1}, "has no end"},
		{Config{Entries: []scenarios.Traffic{bad}, Clients: 1, End: 5}, "a (constant): keys: there is no choice"},
		{Config{Entries: []scenarios.Traffic{traced}, Clients: 1}, "not been read"},
		{Config{Entries: []scenarios.Traffic{client}, Clients: 2, End: 5}, "client 2"},
	} {
		if _, err := Prepare(c.config); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error is %v, want one about %q", err, c.says)
		}
	}
}

func TestStepsAreInOrder(t *testing.T) {
	step := func(name string, at int64) scenarios.Traffic {
		e := entry("step", catalog.Values{"rate": rate(2, second), "to_rate": rate(7, 3*second), "at": value(at)})
		e.Name = name
		return e
	}
	p := prepare(t, Config{Entries: []scenarios.Traffic{step("a", 50), step("b", 20)}, Clients: 1, End: second})
	steps := p.Steps()
	if len(steps) != 2 || steps[0].At != 20 || steps[1].At != 50 {
		t.Fatalf("steps are %v", steps)
	}
	if got := steps[0].After; got.Count != 7 || got.Per != 3*second {
		t.Errorf("the rate after a step is %v, want 7 per 3 s", got)
	}
}

func TestFillDoesNotAllocate(t *testing.T) {
	e := poissonAt("a", 100_000)
	e.Keys, e.Tenants, e.Spread = zipf(1000, 1.1), hot(10, 1, 2), choice("random", nil)
	for _, entries := range [][]scenarios.Traffic{{e}, {e, poissonAt("b", 5000), constantAt("c", 40)}} {
		s, b := prepare(t, Config{Entries: entries, Clients: 3, End: 100 * second}).Open(1, 0), NewBlock()
		if n := testing.AllocsPerRun(50, func() { s.Fill(b) }); n != 0 {
			t.Errorf("a block of %d entries allocates %g times", len(entries), n)
		}
	}
}
