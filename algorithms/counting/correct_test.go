package counting

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// TestCorrectAgainstReferenceModels checks every counter that decides at once while
// costs are corrected after their requests: upwards and downwards, with and without
// debt, early and after what was taken has ceased to count.
func TestCorrectAgainstReferenceModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Count: rapid.Int64Range(1, 20).Draw(t, "count"), Window: rapid.Int64Range(1, 60).Draw(t, "window"), Burst: rapid.Int64Range(1, 20).Draw(t, "burst")}
		unit := int64(1)
		if rapid.IntRange(0, 9).Draw(t, "in ms") == 0 {
			unit = 1e6
		}
		limit.Window *= unit
		v := drawVariant(t, limit)
		if v.counter == "sliding-window-log" {
			delete(v.options, "count_rejected") // its log then keeps only what can still reject
		}
		table := v.table(t, limit, 1)
		model := newReferenceModel(t, v, limit)
		debt := rapid.Bool().Draw(t, "debt allowed")
		type charge struct{ at, cost int64 }
		var open []charge
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			now += rapid.SampledFrom([]int64{0, 0, unit, 2 * unit, 5 * unit, limit.Window / 2, limit.Window}).Draw(t, "gap")
			if len(open) > 0 && rapid.Bool().Draw(t, "correct") {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				c := open[i]
				open = append(open[:i], open[i+1:]...)
				tokens := rapid.Int64Range(-c.cost, 30).Draw(t, "tokens")
				table.Correct(0, now, c.at, tokens, debt)
				model.correct(now, c.at, tokens, debt)
				continue
			}
			cost := rapid.Int64Range(0, 8).Draw(t, "cost")
			got, want := table.Take(0, now, cost).Admitted(), model.take(now, cost)
			if got != want {
				t.Fatalf("%s at %d, cost %d: admitted %v, want %v", v.counter, now, cost, got, want)
			}
			if got {
				open = append(open, charge{now, cost})
			}
		}
	})
}

// TestCountsUntil checks that what a request took cannot be given back any more from
// the stated time on, and can be just before.
func TestCountsUntil(t *testing.T) {
	for _, name := range Deciding() {
		unit := unitOf(name)
		limit := Limit{Count: 10, Window: 100 * unit, Burst: 10}
		for _, taken := range []int64{0, unit, 99 * unit, 100 * unit, 250 * unit} {
			until := func() int64 { table, _ := New(name, limit, options(), 1); return table.CountsUntil(taken) }()
			if until == Never {
				continue
			}
			for _, now := range []int64{until - 1, until} {
				with, _ := New(name, limit, options(), 1)
				without, _ := New(name, limit, options(), 1)
				for _, table := range []Table{with, without} {
					table.Take(0, taken, 10)
				}
				with.Correct(0, now, taken, -10, true)
				if differs := with.Level(0, now) != without.Level(0, now); differs != (now < until) && !slices.Contains([]string{"sliding-window-counter", "haproxy-rate"}, name) {
					t.Errorf("%s: given back at %d what was taken at %d: differs %v", name, now, taken, differs)
				}
			}
		}
	}
}

// correct notes a further request, or one of negative cost.
func (w *listModel) correct(now, taken, tokens int64, debt bool) {
	w.last = max(w.last, now)
	left := new(big.Rat).Sub(rat(w.limit.Count), w.used(w.list, w.last, w.limit.Window))
	if tokens >= 0 {
		w.list = append(w.list, counted{w.last, cut(tokens, floor(left), debt)})
		return
	}
	// What counts together with the request is given back at most.
	sum := int64(0)
	for _, c := range w.list {
		if w.together(c.at, taken) {
			sum += c.cost
		}
	}
	w.list = append(w.list, counted{taken, -min(-tokens, sum)})
}

// together reports whether what was taken at two times is one number.
func (w *listModel) together(a, b int64) bool {
	switch {
	case w.log:
		return a == b
	case w.same != nil:
		return w.same(a, b, w.limit.Window)
	}
	return a/w.limit.Window == b/w.limit.Window
}

func floor(r *big.Rat) int64 {
	return new(big.Int).Div(r.Num(), r.Denom()).Int64()
}

func (b *bucketModel) correct(now, _, tokens int64, debt bool) {
	b.take(now, 0)
	b.level = corrected(b.level, b.limit.Burst, tokens, debt)
}

// corrected returns the level of a bucket after a correction.
func corrected(level *big.Rat, depth, tokens int64, debt bool) *big.Rat {
	after := new(big.Rat).Sub(level, rat(tokens))
	if !debt && tokens > 0 && after.Sign() < 0 {
		after = least(level, rat(0))
	}
	return least(after, rat(depth))
}

func (g *gcraModel) correct(now, _, tokens int64, debt bool) {
	g.last = max(g.last, now)
	interval := big.NewRat(g.limit.Window, g.limit.Count)
	backlog := new(big.Rat).Sub(g.tat, rat(g.last))
	if backlog.Sign() < 0 {
		backlog = new(big.Rat)
	}
	level := new(big.Rat).Sub(rat(g.limit.Burst), backlog.Quo(backlog, interval))
	level = corrected(level, g.limit.Burst, tokens, debt)
	backlog.Sub(rat(g.limit.Burst), level)
	g.tat = new(big.Rat).Add(rat(g.last), backlog.Mul(backlog, interval))
}

func (b *timerModel) correct(now, _, tokens int64, debt bool) {
	b.take(now, 0)
	b.level = corrected(b.level, b.limit.Burst, tokens, debt)
}

func (a *averageModel) correct(now, taken, tokens int64, _ bool) {
	a.last = max(a.last, now)
	now = a.last
	if tokens > 0 {
		n := len(a.samples)
		if n == 0 || a.gone(&a.samples[n-1], now) || now-a.samples[n-1].start >= a.options.Window {
			a.samples = append(a.samples, sample{start: now})
			n++
		}
		a.samples[n-1].value += tokens
		return
	}
	for i := len(a.samples) - 1; i >= 0; i-- {
		if s := &a.samples[i]; s.start <= taken {
			if !a.gone(s, now) {
				s.value -= min(-tokens, s.value)
			}
			return
		}
	}
}

func (w *rowModel) correct(_, _, tokens int64, debt bool) {
	if w.level == nil {
		return
	}
	if tokens > 0 {
		if !debt {
			tokens = min(tokens, max(floor(new(big.Rat).Add(w.level, rat(1))), 0))
		}
		w.level = new(big.Rat).Sub(w.level, rat(tokens))
		return
	}
	after := new(big.Rat).Sub(w.level, rat(tokens))
	if full := rat(w.limit.Burst); after.Cmp(full) > 0 {
		after = full
		if w.level.Cmp(full) > 0 {
			after = w.level
		}
	}
	w.level = after
}
