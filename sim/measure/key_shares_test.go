package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Rows that count their demand together have the figures that they have alone.
func TestShareDemands(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.cfg.Full, w.cfg.ReferenceShapes = rapid.Bool().Draw(t, "full"), false
		var rows []row
		for _, r := range w.rows {
			if r.offered > 0 {
				rows = append(rows, r)
			}
		}
		block := rapid.IntRange(1, 20).Draw(t, "block")
		const trials = 3
		measured := func(recorders [trials]*Recorder) (all [trials]string) {
			for lo := 0; lo < len(rows); lo += block {
				for trial, r := range recorders {
					f := flow(rows[lo:min(lo+block, len(rows))])
					for i, cost := range f.Offered {
						f.Reference[i] = cost * int64(i%2)
						f.Admitted[i] = cost * int64((i+trial)/2%2)
					}
					f.Rejected = nil
					r.Flow(f)
				}
			}
			for _, r := range recorders {
				r.Close(w.cfg.End)
			}
			for trial, r := range recorders {
				all[trial] = fmt.Sprint(values(tb, r), r.Shares(strconv.Itoa), r.ClientShares())
			}
			return all
		}
		apart := measured([trials]*Recorder{w.newRecorder(), w.newRecorder(), w.newRecorder()})
		together := [trials]*Recorder{w.newRecorder(), w.newRecorder(), w.newRecorder()}
		ShareDemands(together[:])
		for trial, got := range measured(together) {
			if want := apart[trial]; got != want {
				t.Fatalf("trial %d: %s\nwant %s", trial, got, want)
			}
		}
	})
}

// If a row admits everything, the share of a flow is its demand, but under a key that it
// has for itself, where it is what the reference admits.
func TestSharesOfAllDemand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(most int, name string) int { return rapid.IntRange(0, most).Draw(t, name) }
		const keys, tenants = 3, 3
		var rows []row
		for range n(30, "requests") {
			cost := int64(n(3, "cost"))
			rows = append(rows, row{key: int32(n(keys-1, "key")), tenant: int32(n(tenants-1, "tenant")), offered: cost, admitted: cost, reference: cost})
		}
		if refused := n(30, "refused by the reference"); refused < len(rows) {
			rows[refused].reference = 0
		}
		var demand, reference [keys][tenants]int64
		for _, r := range rows {
			demand[r.key][r.tenant] += r.offered
			reference[r.key][r.tenant] += r.reference
		}
		var want [tenants]float64
		for key := range keys {
			with := 0
			for _, d := range demand[key] {
				with += int(min(d, 1))
			}
			for tenant := range tenants {
				if with == 1 {
					want[tenant] += float64(reference[key][tenant])
				} else {
					want[tenant] += float64(demand[key][tenant])
				}
			}
		}
		r := NewRecorder(Config{Policy: Policy{Limit: 100, Window: tick, Burst: 100}, Keys: keys, Tenants: tenants, Clients: 1, End: tick, Memory: 1 << 20})
		r.Flow(flow(rows))
		r.Close(tick)
		if got := r.tenants.divide().shares; len(rows) > 0 && !slices.Equal(got, want[:]) {
			t.Fatalf("%+v: shares are %v, want %v", rows, got, want)
		}
	})
}

// The key with the largest sizes come first, equal ones by number.
func TestRanking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOf(rapid.Int64Range(-1, 5)).Draw(t, "sizes")
		n := rapid.IntRange(1, 4).Draw(t, "n")
		var r ranking
		for key, size := range sizes {
			r.add(int32(key), size, n)
		}
		var got []int
		for _, k := range r {
			got = append(got, int(k.key))
		}
		var want []int
		for i, size := range sizes {
			if size > 0 {
				want = append(want, i)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
		want = want[:min(n, len(want))]
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("the %d largest of %v are %v, want %v", n, sizes, got, want)
		}
	})
}
