package selectors

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// plainNames is a list of 50 names with this prefix.
type plainNames string

func (n plainNames) Count() int         { return 50 }
func (n plainNames) Name(id int) string { return fmt.Sprint(string(n), id) }

func shares(f ...units.Fraction) catalog.Choice {
	var list []any
	for _, x := range f {
		list = append(list, x)
	}
	return catalog.Choice{Name: "skewed", Values: catalog.Values{"shares": value(list)}}
}

func TestSpreads(t *testing.T) {
	spread := func(c catalog.Choice, clients int) Spread {
		t.Helper()
		s, err := NewSpread(c, clients, plainNames("key-"), plainNames("tenant-"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	column := make([]int32, 5)
	spread(catalog.Choice{Name: "even"}, 3).Fill(nil, 7, nil, nil, column)
	if fmt.Sprint(column) != "[1 2 0 1 2]" {
		t.Errorf("arrivals 7 to 11 go in turn to %v", column)
	}
	spread(catalog.Choice{Name: "even"}, 1).Fill(nil, 7, nil, nil, column)
	if fmt.Sprint(column) != "[0 0 0 0 0]" {
		t.Errorf("the only client is called %v", column)
	}
	keys, tenants := []int32{3, 9, 3, 49, 0}, []int32{7, 7, 0, 49, 1}
	spread(catalog.Choice{Name: "hash"}, 8).Fill(nil, 0, keys, tenants, column)
	for i, key := range keys {
		if want := int32(Hash(fmt.Sprintf("key-%d", key)) % 8); column[i] != want {
			t.Errorf("key-%d goes to client %d, want %d", key, column[i], want)
		}
	}
	spread(catalog.Choice{Name: "sticky"}, 8).Fill(nil, 0, keys, tenants, column)
	for i, tenant := range tenants {
		if want := int32(Hash(fmt.Sprintf("tenant-%d", tenant)) % 8); column[i] != want {
			t.Errorf("tenant-%d goes to client %d, want %d", tenant, column[i], want)
		}
	}
	// Published value of FNV-1a for "foobar" is 85944171f73967e8.
	if got, want := Hash("foobar"), uint64(0x85944171f73967e8^0x85944171); got != want {
		t.Errorf("hash of foobar is %x, want %x", got, want)
	}

	const n = 300_000
	filler := func(s Spread) func(*random.Stream, []int32) {
		return func(draws *random.Stream, column []int32) { s.Fill(draws, 0, nil, nil, column) }
	}
	skewed := shares(units.Fraction{Num: 7, Den: 10}, units.Fraction{Num: 0, Den: 1}, units.Fraction{Num: 1, Den: 4}, units.Fraction{Num: 1, Den: 20})
	fits(t, "skewed", frequencies(filler(spread(skewed, 5)), 5, n), []float64{0.7, 0, 0.25, 0.05, 0}, n)
	fits(t, "random", frequencies(filler(spread(catalog.Choice{Name: "random"}, 4)), 4, n), []float64{0.25, 0.25, 0.25, 0.25}, n)
}

func TestEvenSpreadCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clients := rapid.IntRange(1, 40).Draw(t, "clients")
		first := rapid.Int64Range(0, 1<<62).Draw(t, "first")
		column := make([]int32, rapid.IntRange(0, 100).Draw(t, "rows"))
		even{int32(clients)}.Fill(nil, first, nil, nil, column)
		for i, got := range column {
			if want := (first + int64(i)) % int64(clients); int64(got) != want {
				t.Fatalf("arrival %d goes to client %d of %d, want %d", first+int64(i), got, clients, want)
			}
		}
	})
}

func TestSpreadsThatCannotBe(t *testing.T) {
	half := units.Fraction{Num: 1, Den: 2}
	for _, c := range []catalog.Choice{shares(half), shares(half, half, half), shares(half, half, units.Fraction{Num: 0, Den: 1}, units.Fraction{Num: 0, Den: 1}), {Name: "nothing"}} {
		if _, err := NewSpread(c, 3, plainNames("key-"), plainNames("tenant-")); err == nil {
			t.Errorf("%v over 3 clients is accepted", c)
		}
	}
}

func TestCosts(t *testing.T) {
	const n = 300_000
	list := func(x ...int64) catalog.Value {
		var l []any
		for _, v := range x {
			l = append(l, v)
		}
		return value(l)
	}
	for _, c := range []struct {
		choice catalog.Choice
		max    int64
		p      []float64 // by cost
	}{
		{catalog.Choice{}, 1, []float64{0, 1}},
		{catalog.Choice{Name: "constant", Values: catalog.Values{"value": value(int64(4))}}, 4, []float64{0, 0, 0, 0, 1}},
		{catalog.Choice{Name: "uniform", Values: catalog.Values{"min": value(int64(2)), "max": value(int64(5))}}, 5, []float64{0, 0, 0.25, 0.25, 0.25, 0.25}},
		{catalog.Choice{Name: "choice", Values: catalog.Values{"values": list(1, 3, 9), "weights": list(3, 1, 0)}}, 3, []float64{0, 0.75, 0, 0.25}},
		{catalog.Choice{Name: "choice", Values: catalog.Values{"values": list(1, 2)}}, 2, []float64{0, 0.5, 0.5}},
	} {
		costs, err := NewCosts(c.choice, 97)
		if err != nil {
			t.Fatal(err)
		}
		if costs.Max() != c.max {
			t.Errorf("%v: largest cost is %d, want %d", c.choice, costs.Max(), c.max)
		}
		wide := make([]int64, 97)
		f := frequencies(func(s *random.Stream, column []int32) {
			costs.Fill(s, wide[:len(column)])
			for i := range column {
				column[i] = int32(wide[i])
			}
		}, len(c.p), n)
		if !costs.Random() {
			if f[c.max] != n {
				t.Errorf("%v: costs are %v", c.choice, f)
			}
			continue
		}
		fits(t, c.choice.Name, f, c.p, n)
	}
}
