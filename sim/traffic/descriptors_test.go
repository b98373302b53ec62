package traffic

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

func whole() units.Fraction { return units.Fraction{Num: 1, Den: 1} }

// descriptorsOf reads a stream's descriptors to its end.
func descriptorsOf(s Stream) (keys [][]int32, rows []row) {
	for b := NewBlock(); ; {
		s.Fill(b)
		if b.N == 0 {
			return keys, rows
		}
		for i := range b.N {
			keys = append(keys, slices.Clone(b.Descriptors.Of(i)))
			rows = append(rows, row{b.Time[i], b.Key[i], b.Tenant[i], b.Client[i], b.Cost[i]})
		}
	}
}

// Each request carries the required number of different keys of each policy, in
// the order of the policies. Its other values do not change. In a merge, each
// entry carries the same keys as without the others.
func TestDescriptors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policies := []scenarios.Policy{{Name: "a"}, {Name: "b", Shared: rapid.Bool().Draw(t, "b shared")}, {Name: "c"}}
		policies[0].Shared = rapid.Bool().Draw(t, "a shared")
		c := Config{Clients: 4, End: second, Policies: policies, Shared: policies[0].Shared}
		plain := Config{Clients: 4, End: second, Shared: c.Shared}
		for i := range rapid.IntRange(1, 4).Draw(t, "entries") {
			e := poissonAt(fmt.Sprint("entry ", i), 2000)
			e.Keys = rapid.SampledFrom([]catalog.Choice{
				named("x"), uniform(7), zipf(12, 1.1), hot(9, 1, 2),
			}).Draw(t, "keys")
			e.Spread = choice("hash", nil)
			plain.Entries = append(plain.Entries, e)
			for k := range policies {
				d := scenarios.Descriptor{Applies: whole(), Count: 1, Keys: e.Keys}
				if k > 0 {
					d.Keys = rapid.SampledFrom([]catalog.Choice{named("key-0"), named("y"), uniform(5), zipf(6, 1), hot(4, 1, 3), choice("first", nil)}).Draw(t, "keys")
				}
				d.Applies.Num = int64(rapid.IntRange(0, 2).Draw(t, "applies"))
				d.Applies.Den = 2
				if !policies[k].Shared && d.Keys.Name != "one" && !d.First() {
					d.Count = rapid.IntRange(1, 4).Draw(t, "count")
				}
				e.Descriptors = append(e.Descriptors, d)
			}
			c.Entries = append(c.Entries, e)
		}
		p, err := Prepare(c)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Prepare(plain)
		if err != nil {
			t.Fatal(err)
		}
		keys, rows := descriptorsOf(p.Open(3, 1))
		if bare := collect(q.Open(3, 1), -1); !slices.Equal(bare, rows) {
			t.Fatal("descriptors change the attempts")
		}
		var next []func() ([]int32, bool)
		for i := range c.Entries {
			next = append(next, reader(p.entrySources[i].open(3, 1)))
		}
		at := map[int]int{}
		heads := make([][]row, len(c.Entries))
		for i := range c.Entries {
			heads[i] = collect(p.entrySources[i].open(3, 1), -1)
		}
		for n, r := range rows {
			which := 0
			for i := range heads {
				if at[i] < len(heads[i]) && (at[which] >= len(heads[which]) || heads[i][at[i]].time < heads[which][at[which]].time) {
					which = i
				}
			}
			at[which]++
			alone, _ := next[which]()
			if !slices.Equal(alone, keys[n]) {
				t.Fatalf("request %d carries %v in the sum, %v alone", n, keys[n], alone)
			}
			rest := keys[n]
			for k := range policies {
				d := c.Entries[which].Descriptors[k]
				from, to := p.KeysOf(k)
				mine := 0
				for mine < len(rest) && rest[mine] >= from && rest[mine] < to {
					mine++
				}
				seen := slices.Clone(rest[:mine])
				slices.Sort(seen)
				if len(slices.Compact(seen)) != mine {
					t.Fatalf("request %d carries a key twice: %v", n, keys[n])
				}
				if full := d.Applies.Num == 2; full && mine != d.Count || !full && mine != 0 && mine != d.Count || d.Applies.Num == 0 && mine != 0 {
					t.Fatalf("request %d carries %d keys of policy %s: %+v", n, mine, policies[k].Name, d)
				}
				if k == 0 && mine > 0 && rest[0] != r.key {
					t.Fatalf("request %d's key is %d, its first descriptor %d", n, r.key, rest[0])
				}
				if d.First() && mine > 0 && !policies[0].Shared && !policies[k].Shared && p.KeyName(int(rest[0]))[1:] != p.KeyName(int(r.key))[1:] {
					t.Fatalf("request %d's key is %s, and %s under another policy", n, p.KeyName(int(r.key)), p.KeyName(int(rest[0])))
				}
				rest = rest[mine:]
			}
			if len(rest) > 0 {
				t.Fatalf("request %d carries keys out of order: %v", n, keys[n])
			}
		}
	})
}

// reader returns a source's descriptors one request at a time.
func reader(l *source) func() ([]int32, bool) {
	b, at := newBlock(77), 0
	return func() ([]int32, bool) {
		if at == b.N {
			l.Fill(&b)
			at = 0
		}
		if b.N == 0 {
			return nil, false
		}
		at++
		return b.Descriptors.Of(at - 1), true
	}
}

// Shares and keys have the configured probabilities: 30 % of requests, each of
// 4 keys equally often, independent of the other policies.
func TestDescriptorShares(t *testing.T) {
	e := constantAt("entry", 100_000)
	e.Descriptors = []scenarios.Descriptor{
		{Applies: whole(), Count: 1}, {Applies: units.Fraction{Num: 3, Den: 10}, Count: 1, Keys: uniform(4)},
	}
	p := prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 1, End: second, Policies: []scenarios.Policy{{Name: "a"}, {Name: "b"}}})
	if p.Keys() != 5 || p.KeyName(0) != "a/key-0" || p.KeyName(4) != "b/key-3" {
		t.Fatalf("%d keys, %s to %s", p.Keys(), p.KeyName(0), p.KeyName(p.Keys()-1))
	}
	keys, _ := descriptorsOf(p.Open(1, 0))
	count := map[int32]int{}
	for _, row := range keys {
		for _, k := range row {
			count[k]++
		}
	}
	for k := int32(1); k < 5; k++ {
		if n := count[k]; n < 7200 || n > 7800 {
			t.Errorf("key %s: %d of 100000 requests, want about 7500", p.KeyName(int(k)), n)
		}
	}
	if count[0] != 100_000 || !p.Random() {
		t.Errorf("%d requests under the policy that always applies; random %v", count[0], p.Random())
	}
}

// A trace's fields are descriptors. A record without a value carries no key.
func TestDescriptorsOfATrace(t *testing.T) {
	field := catalog.Choice{Name: "field", Values: catalog.Values{"name": value("page")}}
	e := entry("trace", nil)
	e.Descriptors = []scenarios.Descriptor{{Applies: whole(), Count: 1}, {Applies: whole(), Count: 1, Keys: field}, {Applies: whole(), Count: 1}}
	r := recording(t, "time,key,page\n0,ann,/a\n5,bob,\n5,ann,/b\n9,ann,/a\n", logs.Options{Asked: logs.Asked{Fields: []string{"page"}}})
	p := prepare(t, Config{
		Entries: []scenarios.Traffic{e}, Clients: 1, Recordings: map[int]*logs.Recording{0: r},
		Policies: []scenarios.Policy{{Name: "users"}, {Name: "pages"}, {Name: "all", Shared: true}},
	})
	keys, _ := descriptorsOf(p.Open(1, 0))
	var got []string
	for _, row := range keys {
		names := ""
		for _, k := range row {
			names += p.KeyName(int(k)) + " "
		}
		got = append(got, names)
	}
	want := []string{"users/ann pages//a all/all ", "users/bob all/all ", "users/ann pages//b all/all ", "users/ann pages//a all/all "}
	if !slices.Equal(got, want) || p.Random() {
		t.Errorf("got %q, want %q", got, want)
	}
}
