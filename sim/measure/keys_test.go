package measure

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// TestKeyIsSmall checks the memory per key, which determines the memory of a
// row.
func TestKeyIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(keyState{}); size != 32 {
		t.Errorf("a key takes %d bytes", size)
	}
}

// TestNothingWaits checks that a block with sums and without the column of
// rejected cost gives the same metrics as a block with that column and without
// sums.
func TestNothingWaits(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.cfg.Full = rapid.Bool().Draw(t, "full")
		var rows []row
		for _, r := range w.rows {
			if r.offered > 0 || r.reference > 0 {
				r.rejected = r.offered - r.admitted
				rows = append(rows, r)
			}
		}
		block := rapid.IntRange(1, 20).Draw(t, "block")
		measured := func(prepare func(*Flow)) map[string]Value {
			r := NewRecorder(w.cfg)
			for lo := 0; lo < len(rows); lo += block {
				f := flow(rows[lo:min(lo+block, len(rows))])
				prepare(f)
				r.Flow(f)
			}
			r.Close(w.cfg.End)
			return values(tb, r)
		}
		want := measured(func(*Flow) {})
		got := measured(func(f *Flow) {
			f.sum()
			f.Rejected = nil
		})
		same(t, got, want)
	})
}

// same checks that two sets of metrics are equal.
func same(t *rapid.T, got, want map[string]Value) {
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: %+v, want %+v", name, got[name], v)
		}
	}
}

// TestManyKeys checks that metrics do not depend on the number of other keys.
// With more than perkey.Many keys, the meters load the keys of a block in
// advance.
func TestManyKeys(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.cfg.TenantIsKey, w.cfg.Full = false, rapid.Bool().Draw(t, "full")
		w.cfg.Keys = max(2, w.cfg.Keys)
		few := values(tb, w.play(5))
		apart := int32(perkey.Many)
		w.cfg.Keys *= int(apart)
		for i := range w.rows {
			w.rows[i].key *= apart
		}
		same(t, values(tb, w.play(5)), few)
	})
}

// TestMetricSetsAgree checks that the metrics of the set basic have the same
// values in the set full, although full computes some of them in a different
// way.
func TestMetricSetsAgree(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		block := rapid.IntRange(1, 20).Draw(t, "block")
		full := values(tb, w.play(block))
		w.cfg.Full = false
		same(t, full, values(tb, w.play(block)))
	})
}

// TestBurstNearOverflow checks that the burst of a single key equals its burst
// with another key present, up to the largest value that fits.
func TestBurstNearOverflow(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int64{1, 7, 999_999_937}).Draw(t, "limit")
		window := rapid.SampledFrom([]int64{1e9, 86_400e9, 1 << 53}).Draw(t, "window")
		largest := rapid.Int64Range(1, rateOf(limit, window).maxCost).Draw(t, "largest")
		var rows []row
		for at, n := int64(0), rapid.IntRange(1, 8).Draw(t, "rows"); n > 0; n-- {
			at += rapid.Int64Range(0, 1<<58).Draw(t, "gap")
			cost := rapid.Int64Range(0, largest).Draw(t, "cost")
			rows = append(rows, row{time: at, offered: cost, admitted: cost})
		}
		measured := func(keys int) map[string]Value {
			r := NewRecorder(Config{Policy: Policy{Limit: limit, Window: window, Burst: 1, LargestCost: largest}, End: 1 << 62, Keys: keys, Tenants: 1, Clients: 1})
			for lo := 0; lo < len(rows); lo += 3 {
				r.Flow(flow(rows[lo:min(lo+3, len(rows))]))
			}
			r.Close(1 << 62)
			return values(tb, r)
		}
		one, two := measured(1), measured(2)
		for _, name := range []string{"burst_excess", "burst_excess_s", "accumulated_excess"} {
			if one[name] != two[name] {
				t.Errorf("%s is %+v, beside another key %+v", name, one[name], two[name])
			}
		}
	})
}
