package measure

import (
	"cmp"
	"fmt"
	"slices"
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
				all[trial] = fmt.Sprint(values(tb, r), r.Shares(), r.ClientShares())
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
