package measure

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// referenceHalf computes the headline figures of one half of the span as if it was the
// span, and reports whether there are halves.
func (w *world) referenceHalf(part int) (fig map[string]float64, ok bool) {
	c := w.cfg
	first, last := (c.Start+c.Window-1)/c.Window, c.End/c.Window
	half, of := (last-first)/2, *w
	if half < 1 {
		return nil, false
	}
	if part == firstHalf {
		of.cfg.End = (first + half) * c.Window
	} else {
		of.cfg.Start, of.secondHalfOf = (last-half)*c.Window, &c
	}
	all, fig := map[string]float64{}, map[string]float64{}
	w.referenceBurst(all)
	if _, seen := all["burst_excess"]; seen {
		fig["burst_excess"] = 0
	}
	of.referenceBurst(fig)
	of.referenceWindows(fig)
	return fig, true
}

// TestHalvesAgainstReferenceModel compares the figures of both halves with those of
// their definition on random trials.
func TestHalvesAgainstReferenceModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt)
		w.cfg.Full = rapid.Bool().Draw(rt, "full")
		got := w.play(rapid.IntRange(1, 20).Draw(rt, "block")).Halves()
		for part := range got {
			want, ok := w.referenceHalf(part)
			for i, name := range catalog.Headline() {
				v := got[part][i]
				x, known := want[name]
				if v.Name != name || known != (v.Value.NoData == "") || math.Abs(v.Value.X-x) > 1e-9*(1+math.Abs(x)) {
					rt.Errorf("%s of half %d is %+v, want %v (%v)", name, part, v, x, known)
				}
				if !ok && v.Value.NoData != noHalves && v.Value.NoData != noTraffic {
					rt.Errorf("%s of a span without halves is %+v", name, v)
				}
			}
		}
	})
}

// TestHalves checks halves that are known: a limiter admits 150 of 100 a second at first,
// with a burst on an edge, and 100 later. The reference admits 100 throughout. Of seven
// seconds the fourth is in neither half.
func TestHalves(t *testing.T) {
	const s = int64(1e9)
	for _, kind := range []Kind{TokenBucket, SlidingLog, FixedWindow} {
		for _, full := range []bool{false, true} {
			for _, seconds := range []int64{6, 7} {
				var rows []row
				for i := range seconds {
					admitted := int64(100)
					if i < seconds/2 {
						admitted = 150
					}
					rows = append(rows, row{time: i*s + s/2, offered: 200, admitted: admitted, rejected: 200 - admitted, reference: 100})
				}
				if seconds == 7 {
					rows[3].admitted, rows[3].rejected = 190, 10
				}
				c := plain(100, s, 100, seconds*s)
				c.Kind, c.Full = kind, full
				r := NewRecorder(c)
				r.Flow(flow(rows))
				r.Close(c.End)
				got := r.Halves()
				for part, want := range [2]map[string]float64{
					{"over_limit_pct": 50, "over_admission_pct": 50, "under_admission_pct": 0, "burst_excess": map[Kind]float64{TokenBucket: 100, SlidingLog: 50, FixedWindow: 50}[kind]},
					{"over_limit_pct": 0, "over_admission_pct": 0, "under_admission_pct": 0, "burst_excess": 0},
				} {
					if seconds == 7 && part == 1 && kind == TokenBucket {
						want["burst_excess"] = 90 // what the fourth second admitted too much is not over yet
					} else if part == 1 && kind == TokenBucket {
						want["burst_excess"] = 50
					}
					for _, f := range got[part] {
						if f.Value.NoData != "" || f.Value.X != want[f.Name] {
							t.Errorf("kind %d, full %v, %d s: %s of half %d is %+v, want %v", kind, full, seconds, f.Name, part, f.Value, want[f.Name])
						}
					}
				}
			}
		}
	}
}
