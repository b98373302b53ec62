package counting

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// A change keeps the used part of each key's limit. The steps surround two
// changes of each counter: from 10 in 10 ns to 1, then to 100.
func TestChange(t *testing.T) {
	ten := Limit{Count: 10, Window: 10, Burst: 10}
	changes := []Change{{At: 105, Limit: Limit{Count: 1, Window: 10, Burst: 1}}, {At: 145, Limit: Limit{Count: 100, Window: 10, Burst: 100}}}
	for _, c := range []struct {
		counter string
		options catalog.Values
		steps   []step
	}{
		{"fixed-window", options(), []step{
			{100, 4, true, 0}, {105, 1, false, 0}, {110, 1, true, 0}, {111, 1, false, 0}, {141, 1, true, 0}, {144, 1, false, 0}, {145, 99, true, 0}, {146, 1, false, 0}}},
		{"sliding-window-log", options(), []step{
			{100, 4, true, 0}, {105, 1, false, 0}, {110, 1, true, 0}, {119, 1, false, 0}, {120, 1, true, 0}, {145, 100, true, 0}, {146, 1, false, 0}}},
		{"sliding-window-counter", options(), []step{
			{100, 10, true, 0}, {110, 1, false, 0}, {119, 1, false, 0}, {120, 1, true, 0}, {145, 100, true, 0}}},
		// 7 tokens are left and capped at 1. Then one token is earned in 10 ns,
		// and later 10 tokens per ns.
		{"token-bucket", options(), []step{
			{100, 3, true, 0}, {105, 2, false, 0}, {105, 1, true, 0}, {114, 1, false, 0}, {115, 1, true, 0}, {140, 1, true, 0}, {144, 1, false, 0}, {145, 1, false, 0}, {146, 11, false, 0}, {146, 10, true, 0}}},
		// The debt of 90 stays a debt in tokens: 90 - 4 - 4 at 145. Then 10
		// tokens per ns pay it.
		{"token-bucket", options("debt", true), []step{
			{101, 100, true, 0}, {144, 1, false, 0}, {145, 1, false, 0}, {153, 1, false, 0}, {154, 1, true, 0}}},
		{"token-bucket", options("burst", int64(10)), []step{
			{100, 3, true, 0}, {105, 10, true, 0}, {106, 1, false, 0}, {145, 4, true, 0}, {145, 1, false, 0}, {146, 10, true, 0}}},
		// Ten used at 100 end at 110, whatever the interval: 1 has a reach of 10 ns.
		{"gcra", options(), []step{
			{100, 10, true, 0}, {105, 1, false, 0}, {109, 1, false, 0}, {110, 1, true, 0}, {119, 1, false, 0}, {120, 1, true, 0}, {145, 100, true, 0}, {145, 1, false, 0}}},
		{"timer-bucket", options(), []step{
			{100, 3, true, 0}, {105, 2, false, 0}, {106, 1, true, 0}, {109, 1, false, 0}, {110, 1, true, 0}, {140, 1, true, 0}, {145, 1, false, 0}, {150, 100, true, 0}}},
		{"sampled-average", options("sample_window", int64(10), "samples", int64(2)), []step{
			{100, 10, true, 0}, {104, 1, true, 0}, {106, 1, false, 0}, {145, 100, true, 0}}},
		// The backlog of 8 at 105 needs 8 ns at the earlier rate. A request
		// that joins it is dispatched after 80 ns, at the new rate.
		{"leaky-bucket", options("burst", int64(20)), []step{
			{100, 12, true, 100}, {104, 1, true, 112}, {105, 1, true, 185}, {145, 1, true, 146}}},
	} {
		t.Run(c.counter, func(t *testing.T) {
			var decide func(st step) (bool, int64)
			if IsQueue(c.counter) {
				q, err := NewChangingQueue(c.counter, ten, changes, c.options, 1)
				if err != nil {
					t.Fatal(err)
				}
				decide = func(st step) (bool, int64) { v, at := q.Take(0, st.now, st.cost); return v.Admitted(), at }
			} else {
				table, err := NewChanging(c.counter, ten, changes, c.options, 1)
				if err != nil {
					t.Fatal(err)
				}
				decide = func(st step) (bool, int64) { return table.Take(0, st.now, st.cost).Admitted(), 0 }
			}
			for i, st := range c.steps {
				got, at := decide(st)
				if got != st.want || got && at != st.dispatch {
					t.Fatalf("step %d: cost %d at %d: admitted %v at %d, want %v at %d", i, st.cost, st.now, got, at, st.want, st.dispatch)
				}
			}
		})
	}
}

// Requests that wait through a change are dispatched at the new rate.
func TestChangingShaper(t *testing.T) {
	q, err := NewShaper(Limit{Count: 1, Window: 1, Burst: 2}, []Change{{At: 10, Limit: Limit{Count: 1, Window: 10, Burst: 1}}, {At: 40, Limit: Limit{Count: 1, Window: 1, Burst: 3}}}, Waiting{Time: Never}, 1)
	if err != nil {
		t.Fatal(err)
	}
	// At 9 the bucket is full. Four requests leave at 9, 9, 10 (1 ns of the old
	// rate, and a bucket of 1 from then on) and 20; then at 30 and, at the
	// original rate again, at 41.
	for i, st := range []step{{0, 2, true, 0}, {0, 1, true, 1}, {9, 1, true, 9}, {9, 1, true, 9}, {9, 1, true, 10}, {9, 1, true, 20}, {11, 1, true, 30}, {12, 1, true, 40}, {12, 1, true, 41}, {60, 3, true, 60}, {60, 1, true, 61}} {
		if _, at := q.Take(0, st.now, st.cost); at != st.dispatch {
			t.Errorf("step %d: cost %d at %d is dispatched at %d, want %d", i, st.cost, st.now, at, st.dispatch)
		}
	}
}

// A shaper with changes dispatches at the first nanosecond at which a bucket,
// advanced one nanosecond at a time, holds enough.
func TestChangingShaperEqualsReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Limit {
			return Limit{Count: rapid.Int64Range(1, 5).Draw(t, name), Window: rapid.Int64Range(1, 9).Draw(t, "window"), Burst: rapid.Int64Range(1, 6).Draw(t, "burst")}
		}
		base := draw("count")
		var changes []Change
		at := int64(0)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			at += rapid.Int64Range(1, 40).Draw(t, "after")
			changes = append(changes, Change{at, draw("new count")})
		}
		q, err := NewShaper(base, changes, Waiting{Time: Never}, 1)
		if err != nil {
			t.Fatal(err)
		}
		limit, level, clock, left := base, rat(base.Burst), int64(0), changes
		one := func() {
			clock++
			level.Add(level, tokens(limit, 1))
			// A change at this instant finds what the old rate has earned.
			level = lesser(level, new(big.Rat).Set(rat(max(limit.Burst, 0))))
			if len(left) > 0 && left[0].At == clock {
				limit, left = left[0].Limit, left[1:]
				level = lesser(level, rat(limit.Burst))
			}
		}
		now := int64(0)
		for range rapid.IntRange(1, 30).Draw(t, "requests") {
			now += rapid.Int64Range(0, 6).Draw(t, "gap")
			cost := rapid.Int64Range(1, 8).Draw(t, "cost")
			for clock < now {
				one()
			}
			// A full bucket admits a cost above its depth and goes into debt.
			for level.Cmp(rat(min(cost, limit.Burst))) < 0 {
				one()
			}
			level.Sub(level, rat(cost))
			if _, got := q.Take(0, now, cost); got != clock {
				t.Fatalf("%v %v: cost %d at %d is dispatched at %d, the reference model says %d", base, changes, cost, now, got, clock)
			}
		}
	})
}

func (w *listModel) change(_ int64, limit Limit) { w.limit = limit }

func (b *bucketModel) change(now int64, limit Limit) {
	if !b.seen {
		b.limit, b.level = limit, rat(limit.Burst)
		return
	}
	b.take(now, 0)
	b.limit, b.level = limit, lesser(b.level, rat(limit.Burst))
}

func (g *gcraModel) change(now int64, limit Limit) {
	g.limit, g.last = limit, max(g.last, now)
	reach := new(big.Rat).Mul(big.NewRat(limit.Window, limit.Count), rat(limit.Burst))
	g.tat = lesser(g.tat, reach.Add(reach, rat(g.last)))
}

// change needs no more than the limit: each call brings its own.
func (w *rowModel) change(_ int64, limit Limit) { w.limit = limit }

// change leaves tokens that did not fit the smaller bucket missing.
func (b *timerModel) change(now int64, limit Limit) {
	b.take(now, 0)
	b.level = lesser(b.level, rat(limit.Burst))
	b.limit, b.perFill = limit, rat(ceil(tokens(limit, b.interval)))
}

func (a *averageModel) change(_ int64, limit Limit) { a.limit = limit }

func (m *firstHitModel) change(_ int64, limit Limit) { m.limit = limit }

func lesser(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// Under changing limits every counter decides as its reference model does, both
// by single requests and in blocks.
func TestChangingEqualsReferenceModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := Limit{Count: rapid.Int64Range(1, 12).Draw(t, "count"), Window: rapid.Int64Range(1, 40).Draw(t, "window"), Burst: rapid.Int64Range(1, 12).Draw(t, "burst")}
		v := variant{rapid.SampledFrom(Deciding()).Draw(t, "counter"), options()}
		unit := unitOf(v.counter)
		base.Window *= unit
		if v.counter == "sql-token-bucket" {
			v.options = options("clock", int64(1), "refusal_writes", rapid.Bool().Draw(t, "refusal_writes"),
				"rounding", rapid.SampledFrom([]string{"integer", "kept"}).Draw(t, "rounding"))
		}
		if v.counter == "token-bucket" && rapid.Bool().Draw(t, "debt") {
			v.options["debt"] = catalog.Value{V: true}
		}
		longer := Limit{Count: base.Count, Window: base.Window + unit, Burst: base.Burst}
		_, err := NewChanging(v.counter, base, []Change{{0, longer}}, v.options, 0)
		windowChanges := err == nil
		var changes []Change
		at := int64(0)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			at += unit * rapid.Int64Range(0, 60).Draw(t, "after")
			l := Limit{Count: rapid.Int64Range(1, 40).Draw(t, "new count"), Window: base.Window, Burst: rapid.Int64Range(1, 30).Draw(t, "new burst")}
			if windowChanges {
				l.Window = unit * rapid.Int64Range(1, 50).Draw(t, "new window")
			}
			changes = append(changes, Change{at, l})
		}
		r := &requests{}
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now += unit * rapid.Int64Range(0, 12).Draw(t, "gap")
			back := unit * rapid.SampledFrom([]int64{0, 0, 0, 0, 5}).Draw(t, "back")
			r.add(rapid.Int32Range(0, 1).Draw(t, "key"), max(now-back, 0), rapid.Int64Range(0, 6).Draw(t, "cost"))
		}
		one, err := NewChanging(v.counter, base, changes, v.options, 2)
		if err != nil {
			t.Fatal(err)
		}
		block, _ := NewChanging(v.counter, base, changes, v.options, 2)
		verdicts := r.decide(block)
		models := []referenceModel{newReferenceModel(t, v, base), newReferenceModel(t, v, base)}
		if v.counter == "token-bucket" {
			for _, tw := range models {
				tw.(*bucketModel).level = rat(base.Burst)
			}
		}
		for i := range r.key {
			for len(changes) > 0 && changes[0].At <= r.at[i] {
				for _, m := range models {
					m.change(changes[0].At, changes[0].Limit)
				}
				changes = changes[1:]
			}
			got, want := one.Take(r.key[i], r.at[i], r.cost[i]).Admitted(), models[r.key[i]].take(r.at[i], r.cost[i])
			if got != want || verdicts[i].Admitted() != want {
				t.Fatalf("%v %v: request %d of key %d (cost %d at %d): admitted %v, in a block %v, the reference model says %v; state %v",
					base, v, i, r.key[i], r.cost[i], r.at[i], got, verdicts[i].Admitted(), want, one.State(r.key[i]))
			}
		}
	})
}

func TestChangesThatCannotBe(t *testing.T) {
	limit := Limit{Count: 1000, Window: 1e9, Burst: 1000}
	for _, c := range []struct {
		counter string
		to      Limit
		want    string
	}{
		{"fixed-window", Limit{Count: 10, Window: 2e9}, "window cannot change"},
		{"token-bucket", Limit{Count: 999_999_937, Window: 1<<40 + 1, Burst: 1 << 15}, "no common unit"},
		{"gcra", Limit{Count: 10, Window: 1e9, Burst: 0}, "admits nothing"},
	} {
		_, err := NewChanging(c.counter, limit, []Change{{At: 1, Limit: c.to}}, options(), 1)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s to %+v: error %v, want %q", c.counter, c.to, err, c.want)
		}
	}
}
