package measure

import (
	"math/rand/v2"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"pgregory.net/rapid"
)

// drawAdmissions draws a longer trial of which only the flow matters. The
// traffic is steady, random or in bursts, also at a single instant, so that
// sums over intervals are nearly constant, rise and fall.
func drawAdmissions(t *rapid.T) *world {
	n := func(lo, hi int, name string) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	w := &world{}
	c := &w.cfg
	c.Window = int64(rapid.SampledFrom([]int{100, 1000, 30_000}).Draw(t, "window"))
	c.Limit, c.Burst = int64(n(1, 40, "limit")), int64(n(1, 40, "burst"))
	c.Keys, c.Tenants, c.Clients, c.Full = n(1, 3, "keys"), 1, 1, true
	c.Memory = int64(rapid.SampledFrom([]int{1 << 20, 1000, 2 * 16 * 64, 2 * 24 * 64, 2 * 16 * 192, 2 * 24 * 192, 30_000}).Draw(t, "memory"))
	c.Start = c.Window * int64(n(0, 3, "warmup"))
	gap, kind := int64(n(1, 2000, "gap")), n(0, 3, "kind")
	largest := int64(rapid.SampledFrom([]int{1, 2, 9}).Draw(t, "largest cost"))
	draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	at := int64(0)
	for range n(1, 400, "rows") {
		switch {
		case kind == 0:
			at += gap
		case kind == 1:
			at += int64(draw.ExpFloat64() * float64(gap))
		case draw.IntN(20) == 0:
			at += draw.Int64N(30 * gap)
		case kind == 2:
			at += draw.Int64N(1 + gap/5)
		}
		r := row{time: at, key: int32(draw.IntN(c.Keys)), offered: 1 + draw.Int64N(largest)}
		r.reference = r.offered * draw.Int64N(2)
		if r.admitted = r.offered; draw.IntN(5) == 0 {
			r.admitted, r.rejected = 0, r.offered
		}
		c.LargestCost = max(c.LargestCost, r.offered)
		w.rows = append(w.rows, r)
	}
	c.End = at + 1
	c.Start = min(c.Start, at)
	for at, k := int64(0), n(-3, 3, "changes"); k > 0; k-- {
		at += 1 + draw.Int64N(c.End)
		c.Changes = append(c.Changes, counting.Change{At: at, Limit: counting.Limit{Count: int64(n(1, 40, "new limit")), Burst: int64(n(0, 40, "new burst"))}})
	}
	return w
}

// held returns the reason why a queue does not fit into the given number of
// chunks, or "" if it fits. Each element has the given size and is held for
// span ns. counts reports whether a row that follows another one is an element
// of its own. A chunk is held until its last element is released.
func (w *world) held(span, size, chunks, elements int64, counts func(row, *row) bool) string {
	most, full := memoryNeed{span: span}, false
	var before *row
	var times []int64
	for i, r := range w.rows {
		if r.admitted == 0 || !counts(r, before) {
			continue
		}
		before = &w.rows[i]
		n := int64(len(times))
		if live := int64(0); n%elements == 0 {
			for last := elements - 1; last < n; last += elements {
				if times[last] > r.time-span {
					live++
				}
			}
			full = full || live >= chunks
		}
		times = append(times, r.time)
		both := int64(0)
		for _, t := range times {
			if t/span >= r.time/span-1 {
				both++
			}
		}
		most.most = max(most.most, both)
	}
	if !full {
		return ""
	}
	return most.reason(size)
}

// TestAdmittedAgainstReferenceModel compares the meters of admitted cost with
// their definitions, for any blocks, and checks that they use no more memory
// than the definition allows.
func TestAdmittedAgainstReferenceModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawAdmissions(rt)
		got := values(t, w.play(rapid.IntRange(1, 150).Draw(rt, "block")))
		want := map[string]float64{}
		w.referenceSliding(want)
		w.referenceLead(want)
		none := map[string]string{}
		rows, instants := newRing[admission](w.cfg.Memory/2), newRing[instant](w.cfg.Memory/2)
		instantsHeld := func(span int64) string {
			return w.held(span, 16, instants.most, 1<<instants.bits, func(r row, before *row) bool { return before == nil || before.time != r.time })
		}
		sliding := w.held(w.cfg.Window, 24, rows.most, 1<<rows.bits, func(row, *row) bool { return true })
		if w.cfg.Keys == 1 && len(w.cfg.Changes) == 0 {
			sliding = instantsHeld(w.cfg.Window)
		}
		if sliding != "" {
			none["worst_sliding_pct"] = sliding
		}
		for name, x := range want {
			v := got[name]
			if reason := none[name]; v.NoData != reason {
				rt.Errorf("%s: no data (%s), want (%s)", name, v.NoData, reason)
			} else if reason == "" && !near(v.X, x) {
				rt.Errorf("%s: %v, want %v", name, v.X, x)
			}
		}
	})
}

func near(a, b float64) bool { return a-b < 1e-9*(1+b) && b-a < 1e-9*(1+b) }

// BenchmarkSlidingOfOne measures the time per admitted request: if sums are far
// below the largest one, if they are close to it, and if in addition requests have
// different costs.
func BenchmarkSlidingOfOne(b *testing.B) {
	const n, all, mean = 1024, 1 << 18, 20_000
	draw := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name    string
		gap     func() int64 // ns until the next request
		late    int64        // ns, at most, by which each comes later
		largest int64        // cost
	}{
		{"random", func() int64 { return int64(mean * draw.ExpFloat64()) }, 1, 1},
		{"paced", func() int64 { return mean }, mean, 1},
		{"costs", func() int64 { return mean }, mean, 9},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := newSlidingOfOne(&Config{Policy: Policy{Limit: 50_000, Window: 1e9, Burst: 1, LargestCost: 1},
				Memory: 1 << 28, End: 1 << 62, Keys: 1, Tenants: 1, Clients: 1, Full: true,
			})
			times, costs, at := make([]int64, all), make([]int64, all), int64(0)
			for i := range times {
				at += c.gap()
				times[i] = at + draw.Int64N(c.late)
				costs[i] = 1 + draw.Int64N(c.largest)
			}
			period := times[all-1] + mean
			b.ReportAllocs()
			b.ResetTimer()
			for done := 0; done < b.N; done += n {
				part := times[done%all:][:n]
				m.Flow(&Flow{Time: part, Admitted: costs[done%all:][:n]})
				for i := range part {
					part[i] += period
				}
			}
		})
	}
}
