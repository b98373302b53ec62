package demands

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// The demand of seconds is that of maps, also of cost that waits. Readers of the same rows
// find the same places and seconds, however far behind they are.
func TestSecondsAreMaps(t *testing.T) {
	before := fewRows
	t.Cleanup(func() { fewRows = before })
	rapid.Check(t, func(t *rapid.T) {
		fewRows = rapid.SampledFrom([]int{1, 4, 64}).Draw(t, "few rows")
		keys, flows := rapid.SampledFrom([]int{1, 3, 1 << 15}).Draw(t, "keys"), rapid.IntRange(1, 5).Draw(t, "flows")
		shared := rapid.Bool().Draw(t, "shared")
		lead := NewSeconds(keys, flows, 1<<20)
		readers := []*Reader{lead}
		if shared {
			readers = append(readers, lead.Follow(), lead.Follow())
		}
		if rapid.Bool().Draw(t, "after many seconds") {
			lead.first = 1<<30 - 2
		}
		m := secondModel{demand: map[pair]int64{}, waits: map[pair]int64{}}
		draw := func() pair {
			return pair{rapid.Int32Range(0, min(int32(keys), 6)-1).Draw(t, "key"), rapid.Int32Range(0, int32(flows)-1).Draw(t, "flow")}
		}
		if !shared {
			for range rapid.IntRange(0, 3).Draw(t, "early rows") {
				p := draw()
				lead.Wait(p.key, p.flow, 2, true)
				m.row(p, 2)
				m.waits[p] += 2
			}
		}
		for range rapid.IntRange(1, 9).Draw(t, "blocks") {
			var later []func(r *Reader) // what the other readers do in this block
			both := func(f func(r *Reader)) {
				f(lead)
				later = append(later, f)
			}
			for range rapid.IntRange(1, 4).Draw(t, "parts") {
				var in, of []int32
				var offered, admitted, want []int64
				for range rapid.IntRange(0, 9).Draw(t, "rows") {
					p, cost, other := draw(), rapid.Int64Range(0, 2).Draw(t, "offered"), rapid.Int64Range(0, 1).Draw(t, "admitted")
					place := int64(-1)
					if cost+other > 0 {
						place = m.row(p, cost)
					}
					in, of, offered, admitted, want = append(in, p.key), append(of, p.flow), append(offered, cost), append(admitted, other), append(want, place)
					if !shared && rapid.Bool().Draw(t, "waits") && place >= 0 {
						m.waits[p] += cost
					}
				}
				both(func(r *Reader) {
					for i, place := range r.Places(in, of, offered, admitted, make([]int64, len(in))) {
						if int64(place) != want[i] {
							t.Fatalf("row %d: place %d, want %d", i, place, want[i])
						}
					}
				})
				for p, cost := range m.waits {
					lead.Wait(p.key, p.flow, cost-lead.waits[lead.pair(p.key, p.flow)], false)
				}
				if rapid.Bool().Draw(t, "turn") {
					want := m.turn()
					both(func(r *Reader) {
						got := map[placed]int64{}
						r.Turn().Each(func(place int, flows []int32, demands []int64) {
							for i, flow := range flows {
								got[placed{place, flow}] += demands[i]
							}
						})
						if !maps.Equal(got, want) {
							t.Fatalf("%v, want %v", got, want)
						}
					})
				}
			}
			for _, r := range readers[1:] {
				for _, f := range later {
					f(r)
				}
			}
		}
	})
}

type placed struct {
	place int
	flow  int32
}

// secondModel is the demand of a second by pair, with its pairs in the order of their
// first rows, and what waits.
type secondModel struct {
	pairs  []pair
	demand map[pair]int64
	waits  map[pair]int64
}

// row adds demand and returns the place of the key.
func (m *secondModel) row(p pair, cost int64) int64 {
	if _, ok := m.demand[p]; !ok {
		m.pairs = append(m.pairs, p)
	}
	m.demand[p] += cost
	return m.places()[p.key]
}

func (m *secondModel) places() map[int32]int64 {
	places := map[int32]int64{}
	for _, p := range m.pairs {
		if _, ok := places[p.key]; !ok {
			places[p.key] = int64(len(places))
		}
	}
	return places
}

// turn returns the demand, and begins the next second with what waits.
func (m *secondModel) turn() map[placed]int64 {
	all, places, before := map[placed]int64{}, m.places(), *m
	*m = secondModel{demand: map[pair]int64{}, waits: m.waits}
	for _, p := range before.pairs {
		if d := before.demand[p]; d > 0 {
			all[placed{int(places[p.key]), p.flow}] = d
		}
		if m.waits[p] > 0 {
			m.row(p, m.waits[p])
		}
	}
	return all
}

// Rows of pairs that occurred before are added up before the second ends. Seconds are lost
// only if one of them needs more memory than there is, which is stated.
func TestSecondsAreBounded(t *testing.T) {
	before := fewRows
	t.Cleanup(func() { fewRows = before })
	fewRows = 16
	for _, flows := range []int{26, 27} {
		r := NewSeconds(1000, flows, 26_500*secondBytes)
		for i := range int32(200_000) {
			r.Places([]int32{i % 1000}, []int32{i / 1000 % int32(flows)}, []int64{1}, []int64{0}, []int64{0})
		}
		want := ""
		if flows > 26 {
			want = "needs more than 1 MiB of measure_memory"
		}
		if got := r.Reason(); got != want {
			t.Errorf("%d pairs: %q, want %q", 1000*flows, got, want)
		}
		if n := len(r.Seconds.rows); n > 4*1000*flows {
			t.Errorf("%d rows of %d pairs", n, 1000*flows)
		}
	}
}
