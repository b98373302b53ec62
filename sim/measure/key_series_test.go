package measure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/results"
)

// The series of a key holds the cost of the key's rows, by bins of time.
func TestKeySeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		whole := w.play(1).Series()
		for key := range int32(w.cfg.Keys) {
			w.cfg.Follow = append(w.cfg.Follow, key)
		}
		r := w.play(rapid.IntRange(1, 10).Draw(t, "block"))
		for key := range int32(w.cfg.Keys) {
			want := results.Series{StartNs: whole.StartNs, BinNs: whole.BinNs, Offered: make([]int64, len(whole.Offered)), Admitted: make([]int64, len(whole.Offered))}
			for _, row := range w.rows {
				if row.key == key && w.inSpan(row.time) {
					bin := (row.time - want.StartNs) / want.BinNs
					want.Offered[bin] += row.offered
					want.Admitted[bin] += row.admitted
				}
			}
			if diff := cmp.Diff(want, r.KeySeries(key)); diff != "" {
				t.Fatalf("key %d (-want +got):\n%s", key, diff)
			}
		}
	})
}
