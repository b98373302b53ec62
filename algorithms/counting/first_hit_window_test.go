package counting

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func TestFirstHitWindow(t *testing.T) {
	ten := Limit{Count: 3, Window: 10}
	play(t, []script{
		{"the first hit opens a window", "first-hit-window", ten, options(), []step{
			{7, 1, true, 0}, {9, 1, true, 0}, {16, 1, true, 0}, {16, 1, false, 0}, {17, 3, true, 0}, {26, 1, false, 0}, {39, 1, true, 0}, {48, 2, true, 0}, {48, 1, false, 0}, {49, 3, true, 0}}},
		{"a rejected cost is counted, and opens a window", "first-hit-window", ten, options(), []step{
			{5, 4, false, 0}, {6, 1, false, 0}, {14, 0, true, 0}, {15, 2, true, 0}, {16, 2, false, 0}, {17, 1, false, 0}, {25, 1, true, 0}}},
		{"a rejected request is no hit", "first-hit-window", ten, options("count_rejected", false), []step{
			{5, 4, false, 0}, {6, 2, true, 0}, {14, 2, false, 0}, {15, 1, true, 0}, {16, 3, true, 0}}},
		{"EXPIRE on each hit", "first-hit-window", ten, options("expire", "each-hit"), []step{
			{0, 3, true, 0}, {9, 1, false, 0}, {18, 1, false, 0}, {27, 1, false, 0}, {37, 1, true, 0}, {46, 2, true, 0}, {55, 1, false, 0}, {65, 3, true, 0}}},
		{"EXPIRE on each admitted hit", "first-hit-window", ten, options("expire", "each-hit", "count_rejected", false), []step{
			{0, 1, true, 0}, {9, 2, true, 0}, {18, 1, false, 0}, {19, 1, true, 0}}},
		{"the EXPIRE of the second window is lost", "first-hit-window", ten, options("expire_lost_at", int64(2)), []step{
			{0, 3, true, 0}, {10, 2, true, 0}, {20, 1, true, 0}, {1 << 60, 1, false, 0}, {1<<63 - 2, 1, false, 0}}},
	})
}

// TestFirstHitWindowBound reaches the bound: 2L-1 in two nanoseconds, nowhere 2L in
// a window's length, and 2L in one nanosecond more.
func TestFirstHitWindowBound(t *testing.T) {
	const limit, width = 100, 1_000
	w := NewFirstHitWindows(Limit{Count: limit, Window: width}, FirstHitOptions{CountRejected: true}, 1)
	var admits []counted
	take := func(now int64) {
		if w.Take(0, now, 1).Admitted() {
			admits = append(admits, counted{now, 1})
		}
	}
	take(50)
	for now := int64(50 + width - 1); now < 3*width; now++ {
		for range 2 * limit {
			take(now)
		}
	}
	if got := inSpan(admits, 50+width, 2); got != 2*limit-1 {
		t.Errorf("admitted %d in 2 ns around the expiry, want %d", got, 2*limit-1)
	}
	if got := mostInSpan(admits, width); got != 2*limit-1 {
		t.Errorf("admitted at most %d in a period, want %d", got, 2*limit-1)
	}
	if got := mostInSpan(admits, width+1); got != 2*limit {
		t.Errorf("admitted at most %d in 1 ns more than a period, want %d", got, 2*limit)
	}
}

// TestFirstHitWindowsWrites checks the writes of clients that decide by themselves.
func TestFirstHitWindowsWrites(t *testing.T) {
	w := NewFirstHitWindows(Limit{Count: 5, Window: 10}, FirstHitOptions{}, 2)
	w.Add(1, 3, 4)
	w.Add(1, 12, 4)
	w.Set(0, 2, 7)
	w.Set(0, 9, 1)
	for _, c := range []struct {
		key       int32
		now, want int64
	}{{1, 12, 8}, {1, 13, 0}, {0, 11, 1}, {0, 12, 0}} {
		if got := w.Count(c.key, c.now); got != c.want {
			t.Errorf("count of key %d at %d is %d, want %d", c.key, c.now, got, c.want)
		}
	}
	w.Set(0, 20, 6) // the value of an expired window, written late
	if at := w.RetryAt(0, 21, 1); at != 30 || w.Level(0, 21) != 0 {
		t.Errorf("a count above the limit is over until %d, want 30", at)
	}
	w.Copy(1, w, 0)
	if w.Count(1, 21) != 6 {
		t.Error("a copied key has another count")
	}
}

func init() {
	referenceModels["first-hit-window"] = func(v variant, limit Limit) referenceModel {
		return &firstHitModel{limit: limit, options: v.options}
	}
}

// firstHitModel keeps all hits, and plays them again for each decision.
type firstHitModel struct {
	limit   Limit
	options catalog.Values
	hits    []counted
}

// used returns the cost in the window that is open at now.
func (m *firstHitModel) used(now int64) *big.Rat {
	open, end, windows, first := false, rat(0), int64(0), 0
	play := func(i int, at int64) {
		if !open || rat(at).Cmp(end) >= 0 {
			open, first, end = true, i, rat(at)
			end.Add(end, rat(m.limit.Window))
			windows++
			return
		}
		if later := rat(at); m.options.String("expire") == "each-hit" && later.Add(later, rat(m.limit.Window)).Cmp(end) > 0 {
			end = later
		}
	}
	for i, h := range m.hits {
		if h.cost < 0 { // given back
			continue
		}
		// After the lost EXPIRE everything belongs to one window.
		if windows == 0 || windows != m.options.Int("expire_lost_at") {
			play(i, h.at)
		}
	}
	sum := new(big.Rat)
	if windows > 0 && (windows == m.options.Int("expire_lost_at") || rat(now).Cmp(end) < 0) {
		for _, h := range m.hits[first:] {
			sum.Add(sum, rat(h.cost))
		}
	}
	return sum
}

func (m *firstHitModel) take(now, cost int64) bool {
	if cost == 0 {
		return true
	}
	sum := m.used(now)
	sum.Add(sum, rat(cost))
	admitted := sum.Cmp(rat(m.limit.Count)) <= 0
	if admitted || m.options.Bool("count_rejected") {
		m.hits = append(m.hits, counted{now, cost})
	}
	return admitted
}

// TestFirstHitWindowChanges checks that a change of the limit keeps counts and
// expiries, and that the period cannot change.
func TestFirstHitWindowChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 30).Draw(t, "window")}
		o := options("expire", rapid.SampledFrom([]string{"first-hit", "each-hit"}).Draw(t, "expire"),
			"count_rejected", rapid.Bool().Draw(t, "count_rejected"), "expire_lost_at", rapid.Int64Range(0, 3).Draw(t, "lost"))
		at, count := rapid.Int64Range(0, 60).Draw(t, "at"), rapid.Int64Range(1, 20).Draw(t, "new count")
		table, err := NewChanging("first-hit-window", limit, []Change{{at, Limit{Count: count, Window: limit.Window}}}, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		model, now := &firstHitModel{limit: limit, options: o}, int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			now += rapid.Int64Range(0, 8).Draw(t, "gap")
			cost := rapid.Int64Range(0, 4).Draw(t, "cost")
			if now >= at {
				model.limit.Count = count
			}
			if got, want := table.Take(0, now, cost).Admitted(), model.take(now, cost); got != want {
				t.Fatalf("%v %v: cost %d at %d: admitted %v, the reference model says %v; state %v", limit, o, cost, now, got, want, table.State(0))
			}
		}
	})
	if _, err := NewChanging("first-hit-window", Limit{Count: 1, Window: 10}, []Change{{1, Limit{Count: 1, Window: 11}}}, nil, 1); err == nil {
		t.Error("the period can change")
	}
}

func (m *firstHitModel) correct(now, _, tokens int64, debt bool) {
	used := floor(m.used(now))
	switch {
	case tokens > 0:
		m.hits = append(m.hits, counted{now, cut(tokens, m.limit.Count-used, debt)})
	case tokens < 0 && used > 0:
		m.hits = append(m.hits, counted{now, -min(-tokens, used)})
	}
}
