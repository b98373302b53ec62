package counting

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func TestRegistry(t *testing.T) {
	limit := Limit{Count: 5, Window: 10 * milli, Burst: 5}
	for _, e := range Entries() {
		if e.Summary == "" || e.Idea == "" || e.Bound == "" || e.Source == "" {
			t.Errorf("%s: the entry has an empty text", e.Name)
		}
		_, tableErr := New(e.Name, limit, catalog.Values{}, 2)
		_, queueErr := NewQueue(e.Name, limit, catalog.Values{}, 2)
		if IsQueue(e.Name) != (queueErr == nil) || IsQueue(e.Name) != (tableErr != nil) {
			t.Errorf("%s: queue %v, New: %v, NewQueue: %v", e.Name, IsQueue(e.Name), tableErr, queueErr)
		}
	}
	for name, limit := range map[string]Limit{
		"fixed-window": {Count: 0, Window: 10},
		"gcra":         {Count: 1, Window: 10, Burst: 0},
		"token-bucket": {Count: 1, Window: maxSpan, Burst: 5},
		"no-such":      limit,
	} {
		if _, err := New(name, limit, catalog.Values{}, 1); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s of %v: error %v", name, limit, err)
		}
	}
}

// TestStatesAreDeclared checks that each counter declares the numbers of its state, in
// their order, with a unit and a meaning.
func TestStatesAreDeclared(t *testing.T) {
	limit := Limit{Count: 5, Window: 10 * milli, Burst: 5}
	for _, e := range Entries() {
		var state []StateField
		if e.Queues {
			q, _ := NewQueue(e.Name, limit, nil, 1)
			q.Take(0, 3, 1)
			state = q.State(0)
		} else {
			table, _ := New(e.Name, limit, nil, 1)
			table.Take(0, 3, 1)
			state = table.State(0)
		}
		var got, want []string
		for _, f := range state {
			got = append(got, f.Name)
		}
		for _, m := range e.State {
			want = append(want, m.Name)
			if m.Unit == "" || m.Doc == "" {
				t.Errorf("%s: the member %s has no unit or no meaning", e.Name, m.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the state has %v; the entry's State declares %v", e.Name, got, want)
		}
	}
}

// TestKeyBytes checks that a counter states what it allocates for a key.
func TestKeyBytes(t *testing.T) {
	const keys = 100_000
	allocated := func(name string, keys int) int64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		limit, err := Limit{Count: 5, Window: 10 * milli, Burst: 5}, error(nil)
		if IsQueue(name) {
			_, err = NewQueue(name, limit, nil, keys)
		} else {
			_, err = New(name, limit, nil, keys)
		}
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return int64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, e := range Entries() {
		bytes, ok := KeyBytes(e.Name)
		if took := allocated(e.Name, keys); !ok || took < bytes*keys || took > bytes*keys+keys {
			t.Errorf("%s: %d bytes a key, it states %d", e.Name, took/keys, bytes)
		}
	}
	if _, ok := KeyBytes("no-such"); ok {
		t.Error("no-such counter has bytes")
	}
}

// TestNewAppliesDefaults checks that a counter gets the defaults of its entry, for
// options that are not set, from every constructor.
func TestNewAppliesDefaults(t *testing.T) {
	var seen []catalog.Values
	whole := kinds
	defer func() { kinds = whole }()
	kinds = append(kinds[:len(kinds):len(kinds)], kind{
		entry: catalog.Entry{Name: "stranger", Fields: []catalog.Field{
			{Name: "strict", Kind: catalog.Bool, Default: "true"},
			{Name: "pause", Kind: catalog.Duration, Default: "3ms"},
			{Name: "depth", Kind: catalog.IntOrEnum, Enum: []string{"auto"}, Default: "auto"},
			{Name: "open", Kind: catalog.Int},
		}},
		make: func(limit Limit, v catalog.Values, keys int) (any, error) {
			seen = append(seen, v)
			return NewTokenBuckets(limit, TokenBucketOptions{Burst: limit.Burst}, keys), nil
		},
	})
	limit := Limit{Count: 5, Window: 10 * milli, Burst: 5}
	given := catalog.Values{"pause": {V: int64(7), Given: true}}
	for _, v := range []catalog.Values{nil, given} {
		if _, err := New("stranger", limit, v, 1); err != nil {
			t.Fatal(err)
		}
	}
	if v := seen[0]; !v.Bool("strict") || v.Duration("pause") != 3e6 || v.String("depth") != "auto" || v.Set("open") {
		t.Errorf("without options the counter gets %v", v)
	}
	if v := seen[1]; !v.Bool("strict") || v.Duration("pause") != 7 || len(given) != 1 {
		t.Errorf("with a pause of 7 ns the counter gets %v, the caller has %v", v, given)
	}
}
