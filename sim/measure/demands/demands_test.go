package demands

import (
	"maps"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

type pair struct{ key, flow int32 }

// collect returns all demands, and checks that keys and flows come in order.
func collect(t interface{ Fatalf(string, ...any) }, d *Demands) map[pair]int64 {
	all := map[pair]int64{}
	last := int32(-1)
	d.ByKey(func(key int32, flows []int32, demands []int64) {
		if key <= last || len(flows) == 0 || len(flows) != len(demands) {
			t.Fatalf("key %d comes after %d, with flows %v of %v", key, last, flows, demands)
		}
		last = key
		for i, flow := range flows {
			if _, twice := all[pair{key, flow}]; twice {
				t.Fatalf("flow %d of key %d comes twice", flow, key)
			}
			all[pair{key, flow}] = demands[i]
		}
	})
	return all
}

// setBounds replaces the bounds between the ways in which demands are kept, until the
// test ends.
func setBounds(t *testing.T, few int64, most int) {
	before, beforeMost := fewPairs, mostNumbers
	t.Cleanup(func() { fewPairs, mostNumbers = before, beforeMost })
	fewPairs, mostNumbers = few, most
}

// Demands are those of a map, in whatever way they are kept.
func TestDemandsAreMap(t *testing.T) {
	setBounds(t, fewPairs, mostNumbers)
	ways := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		fewPairs = rapid.SampledFrom([]int64{0, 1 << 18}).Draw(t, "few pairs")
		mostNumbers = rapid.SampledFrom([]int{8, 64, 1 << 10, 1 << 16}).Draw(t, "most numbers of a part")
		keys, flows := rapid.SampledFrom([]int{1, 3, 100, 1 << 11}).Draw(t, "keys"), rapid.SampledFrom([]int{1, 2, 23, 1 << 10}).Draw(t, "flows")
		busy := rapid.SampledFrom([]int{1, 7, 1 << 11}).Draw(t, "keys with requests")
		largest := rapid.SampledFrom([]int64{0, 1, 200, 1 << 14, 1 << 40}).Draw(t, "largest cost")
		draw := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		d, want := New(keys, flows, 1<<20), map[pair]int64{}
		for range rapid.IntRange(0, 20).Draw(t, "blocks") {
			var in, of []int32
			var costs []int64
			for range rapid.IntRange(0, 300).Draw(t, "rows") {
				p, cost := pair{int32(draw.IntN(min(keys, busy))), int32(draw.IntN(flows))}, draw.Int64N(largest+1)
				in, of, costs = append(in, p.key), append(of, p.flow), append(costs, cost)
				want[p] += cost
			}
			d.Add(in, of, costs)
			if rapid.Bool().Draw(t, "waits") {
				p := pair{int32(draw.IntN(keys)), int32(draw.IntN(flows))}
				d.Change(p.key, p.flow, 3)
				d.Change(p.key, p.flow, -1)
				want[p] += 2
			}
		}
		switch {
		case d.log != nil:
			ways["log"] = true
			for part, dense := range d.log.dense {
				ways["dense"] = ways["dense"] || dense != nil
				ways["rows beside dense ones"] = ways["rows beside dense ones"] || dense != nil && len(d.log.of(part)) > 0
			}
			ways["carried"] = ways["carried"] || d.table.used > 0
		case d.counts != nil:
			ways["counts"] = true
		case d.begun:
			ways["table"] = true
		}
		maps.DeleteFunc(want, func(_ pair, cost int64) bool { return cost == 0 })
		if got := collect(t, d); !maps.Equal(got, want) {
			t.Fatalf("%d keys and %d flows: %v, want %v", keys, flows, got, want)
		}
	})
	for _, way := range []string{"log", "dense", "rows beside dense ones", "carried", "counts", "table"} {
		if !ways[way] && !testing.Short() { // which draws few
			t.Errorf("no demands were kept in this way: %s", way)
		}
	}
}

// A part keeps rows while few pairs of it occur, whatever their number of requests, and
// becomes dense when many do.
func TestLogCompacts(t *testing.T) {
	setBounds(t, 0, 1<<10)
	for _, c := range []struct {
		flows int32
		dense bool
	}{{48, false}, {49, true}} { // a part of 1024 pairs has 64 rows
		d, want := New(1<<12, 1<<10, 1<<24), map[pair]int64{}
		for i := range int32(10_000) {
			p := pair{7, i % c.flows}
			d.Add([]int32{p.key}, []int32{p.flow}, []int64{1})
			want[p]++
		}
		if got := d.log.dense[7] != nil; got != c.dense {
			t.Errorf("%d flows: dense is %v, want %v", c.flows, got, c.dense)
		}
		if got := collect(t, d); !maps.Equal(got, want) {
			t.Errorf("%d flows: %v, want %v", c.flows, got, want)
		}
	}
}

// Demands are lost only if they need more memory than there is, which is stated.
func TestMemoryIsBounded(t *testing.T) {
	for _, c := range []struct {
		keys, carried int32
		lost          bool
	}{
		{1 << 15, 3 << 13, false}, // all pairs are in the table
		{1 << 15, 3<<13 + 1, true},
		{1 << 9, 3 << 12, false}, // the log may take 5/8
		{1 << 9, 3<<12 + 1, true},
	} {
		d := New(int(c.keys), 1<<10, 1<<20)
		for i := range c.carried {
			d.Add([]int32{i % c.keys}, []int32{i / c.keys}, []int64{1 << 16})
		}
		want := ""
		if c.lost {
			want = "needs more than 1 MiB of measure_memory"
		}
		if got := d.Reason(); got != want {
			t.Errorf("%d keys, %d pairs in the table: %q, want %q", c.keys, c.carried, got, want)
		}
		if !c.lost {
			if got := len(collect(t, d)); got != int(c.carried) {
				t.Errorf("%d keys, %d pairs in the table: %d are known", c.keys, c.carried, got)
			}
			continue
		}
		if d.Add([]int32{0}, []int32{0}, []int64{1}); d.log != nil || d.counts != nil || d.table.used > 0 {
			t.Errorf("%d keys, %d pairs in the table: demands that are lost take memory again", c.keys, c.carried)
		}
	}
}

// A Table behaves like a map.
func TestTableIsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Table
		want := map[int64]int64{}
		for i, pair := range rapid.SliceOf(rapid.Int64Range(0, 1<<40)).Draw(t, "pairs") {
			pair %= rapid.SampledFrom([]int64{9, 1 << 41}).Draw(t, "different pairs")
			*table.At(pair) += int64(i)
			want[pair] += int64(i)
		}
		got, last := map[int64]int64{}, int64(-1)
		for _, s := range table.sorted() {
			if s.pair-1 <= last {
				t.Fatalf("pair %d comes after %d", s.pair-1, last)
			}
			last, got[s.pair-1] = s.pair-1, s.value
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
