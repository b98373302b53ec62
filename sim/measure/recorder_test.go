package measure

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// TestAgainstReferenceModel compares every figure with its definition on random trials.
func TestAgainstReferenceModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt)
		got := values(t, w.play(rapid.IntRange(1, 20).Draw(rt, "block")))
		want := w.referenceModel()
		for name, v := range got {
			x, ok := want[name]
			switch {
			case v.NoData != "" && ok:
				rt.Errorf("%s: no data (%s), want %v", name, v.NoData, x)
			case v.NoData == "" && !ok:
				rt.Errorf("%s: %v, want no data", name, v.X)
			case v.NoData == "" && math.Abs(v.X-x) > tolerated(name)*(1+math.Abs(x)):
				rt.Errorf("%s: %v, want %v", name, v.X, x)
			}
			delete(want, name)
		}
		for name := range want {
			rt.Errorf("%s: not reported", name)
		}
	})
}

func tolerated(name string) float64 {
	if strings.Contains(name, "latency_p") || strings.Contains(name, "wait_p") {
		return 1.0 / 256 // of the histogram
	}
	if name == "over_limit_pct_equal_keys" {
		return 1e-5 // of the normal tail
	}
	return 1e-9
}

// TestConservation checks that every attempt that arrived in the span ends
// once, and that the totals per key and the windows together contain the whole
// cost of the flow.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt)
		r := w.play(7)
		v := values(t, r)
		for _, unit := range []string{"_requests", "_cost"} {
			ended := v["admitted"+unit].X + v["rejected"+unit].X + v["waiting"+unit].X
			if v["offered"+unit].X != ended {
				rt.Errorf("offered%s %v, but %v ended", unit, v["offered"+unit].X, ended)
			}
		}
		var fromShares int64
		for _, s := range r.Shares(strconv.Itoa) {
			fromShares += s.Admitted
		}
		var fromSeries int64
		for _, a := range r.Series().Admitted {
			fromSeries += a
		}
		all := int64(0)
		for key := int32(0); key < int32(w.cfg.Keys); key++ {
			in := func(r row) bool { return r.key == key && w.inSpan(r.time) }
			want := results.KeyTotals{Offered: w.sum(offered, in), Admitted: w.sum(admitted, in), Rejected: w.sum(rejected, in), Reference: w.sum(reference, in)}
			if got := r.KeyTotals(key); got != want {
				rt.Errorf("key %d: totals %+v, want %+v", key, got, want)
			}
			all += want.Admitted
		}
		if fromShares != all || fromSeries != all {
			rt.Errorf("admitted %d, in shares %d, in series %d", all, fromShares, fromSeries)
		}
	})
}

// TestWindowsReported checks that the reported windows are those that the
// metrics count.
func TestWindowsReported(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt)
		c := &w.cfg
		saturated := 0
		over := 0.0
		c.OnWindow = func(seen Window) {
			key, index, o, a, ref := seen.Key, seen.StartNs/c.Window, seen.Offered, seen.Admitted, seen.Reference
			in := func(r row) bool {
				return r.key == key && r.time/c.Window == index
			}
			if o != w.sum(offered, in) || a != w.sum(admitted, in) || ref != w.sum(reference, in) {
				rt.Errorf("key %d window %d: offered %d admitted %d reference %d", key, index, o, a, ref)
			}
			if seen.Saturated {
				saturated++
				limit := w.limitIn(index*c.Window, (index+1)*c.Window)
				over += 100 * float64(max(0, a-limit)) / float64(limit)
			}
		}
		v := values(t, w.play(5))["over_limit_pct"]
		if saturated == 0 {
			if v.NoData != "no saturated window" {
				rt.Errorf("over_limit_pct is %+v without a saturated window", v)
			}
			return
		}
		if want := over / float64(saturated); math.Abs(v.X-want) > 1e-9*(1+want) {
			rt.Errorf("over_limit_pct %v, from the windows reported %v", v.X, want)
		}
	})
}

// TestRegistry checks that every metric of the metric set occurs once, in order
// and documented, and that it has a reason if an empty trial gives no value.
func TestRegistry(t *testing.T) {
	names := map[string]bool{}
	for _, m := range Metrics() {
		if names[m.Name] {
			t.Errorf("%s is registered twice", m.Name)
		}
		names[m.Name] = true
		if m.Unit == "" || m.Formula == "" || m.Doc == "" {
			t.Errorf("%s is not documented: %+v", m.Name, m)
		}
	}
	for _, full := range []bool{false, true} {
		c := settled(TokenBucket, 1, 1e9, 1, 1e9)
		c.Full = full
		r := NewRecorder(c)
		r.Close(1e9)
		figures := r.Figures()
		i := 0
		for _, m := range Metrics() {
			if m.Full && !full || isOf(m.Name, failedMetrics, jobMetrics, answerMetrics(), excessMetrics, concurrencyMetrics) { // of real limiters, workers or deadlines alone
				continue
			}
			if i >= len(figures) || figures[i].Name != m.Name {
				t.Fatalf("full %v: figure %d is not %s", full, i, m.Name)
			}
			counts := strings.HasSuffix(m.Name, "_requests") || strings.HasSuffix(m.Name, "_cost")
			if none := figures[i].Value.NoData != ""; none == counts {
				t.Errorf("%s of an empty trial: %+v", m.Name, figures[i].Value)
			}
			i++
		}
		if i != len(figures) {
			t.Errorf("full %v: %d figures, %d registered", full, len(figures), i)
		}
	}
}

// ofWorkers reports whether a metric is one of workers and their jobs.
func isOf(name string, lists ...[]catalog.Metric) bool {
	return slices.ContainsFunc(slices.Concat(lists...), func(m catalog.Metric) bool { return m.Name == name })
}
