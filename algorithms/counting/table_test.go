package counting

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestMain runs properties on more inputs than rapid's hundred.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "1500"); err != nil {
		panic(err)
	}
	m.Run()
}

// options returns bound fields from pairs of a name and a value.
func options(pairs ...any) catalog.Values {
	v := catalog.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = catalog.Value{V: pairs[i+1], Given: true}
	}
	return v
}

// step is one request and the expected result.
type step struct {
	now, cost int64
	want      bool
	dispatch  int64 // queues only, where admitted
}

// script is a limiter and its steps.
type script struct {
	name    string
	counter string
	limit   Limit
	options catalog.Values
	steps   []step
}

// play runs every limiter through its steps: one request at a time and, if the
// limiter decides blocks, as one block.
func play(t *testing.T, scripts []script) {
	t.Helper()
	for _, s := range scripts {
		t.Run(s.counter+"/"+s.name, func(t *testing.T) {
			if IsQueue(s.counter) {
				q, err := NewQueue(s.counter, s.limit, s.options, 1)
				if err != nil {
					t.Fatal(err)
				}
				for i, st := range s.steps {
					v, dispatch := q.Take(0, st.now, st.cost)
					if v.Admitted() != st.want {
						t.Fatalf("step %d: cost %d at %d: admitted %v, want %v; state %v", i, st.cost, st.now, v.Admitted(), st.want, q.State(0))
					}
					if st.want && dispatch != st.dispatch {
						t.Fatalf("step %d: cost %d at %d: dispatched at %d, want %d; state %v", i, st.cost, st.now, dispatch, st.dispatch, q.State(0))
					}
				}
				return
			}
			table, err := New(s.counter, s.limit, s.options, 1)
			if err != nil {
				t.Fatal(err)
			}
			block, _ := New(s.counter, s.limit, s.options, 1)
			var r requests
			for i, st := range s.steps {
				if got := table.Take(0, st.now, st.cost).Admitted(); got != st.want {
					t.Fatalf("step %d: cost %d at %d: admitted %v, want %v; state %v", i, st.cost, st.now, got, st.want, table.State(0))
				}
				r.add(0, st.now, st.cost)
			}
			for i, v := range r.decide(block) {
				if v.Admitted() != s.steps[i].want {
					t.Fatalf("step %d of the block: cost %d at %d: admitted %v", i, s.steps[i].cost, s.steps[i].now, v.Admitted())
				}
			}
		})
	}
}

// requests are the columns of a block.
type requests struct {
	key      []int32
	at, cost []int64
}

func (r *requests) add(key int32, at, cost int64) {
	r.key, r.at, r.cost = append(r.key, key), append(r.at, at), append(r.cost, cost)
}

func (r *requests) decide(table Table) []Verdict {
	verdicts := make([]Verdict, len(r.key))
	table.TakeBlock(r.key, r.at, r.cost, verdicts)
	return verdicts
}

func (r *requests) head(n int) *requests { return &requests{r.key[:n], r.at[:n], r.cost[:n]} }

// drawLimit prefers windows of a few nanoseconds, where many events coincide, and
// limits that are awkward fractions.
func drawLimit(t *rapid.T) Limit {
	limit := Limit{
		Count:  rapid.OneOf(rapid.Int64Range(1, 20), rapid.SampledFrom([]int64{100, 50_000, 3_000_000_007, maxSpan})).Draw(t, "count"),
		Window: rapid.OneOf(rapid.Int64Range(1, 40), rapid.SampledFrom([]int64{1e9, 6e10, 86_400e9, 999_999_937, maxSpan})).Draw(t, "window"),
	}
	_, p := limit.Rate()
	deepest := maxDepth/p - 1
	limit.Burst = rapid.OneOf(rapid.Int64Range(1, 12), rapid.Just(limit.Count), rapid.Just(deepest)).Draw(t, "burst")
	limit.Burst = min(limit.Burst, deepest)
	return limit
}

// drawRequests draws requests near the limit: gaps of about a token, a window or
// sometimes years; times that go backwards; costs around the burst.
func drawRequests(t *rapid.T, limit Limit, keys int32) *requests {
	r := &requests{}
	now := rapid.SampledFrom([]int64{0, 0, 7, 1_792_000_000_123_456_789}).Draw(t, "origin")
	token := min(limit.Window/limit.Count, 1e16) + 1
	window := min(limit.Window, 1e17)
	gap := rapid.OneOf(
		rapid.Just(int64(0)), rapid.Int64Range(0, 2*token), rapid.Int64Range(0, 8*token),
		rapid.Int64Range(window-1, window+1), rapid.SampledFrom([]int64{1, 2 * window, 3e17}))
	cost := rapid.OneOf(
		rapid.Just(int64(1)), rapid.Int64Range(0, 4),
		rapid.SampledFrom([]int64{0, limit.Burst, limit.Burst + 1, limit.Count, limit.Count + 1, limit.Count / 2, 1 << 61, Never}))
	for range rapid.IntRange(1, 60).Draw(t, "requests") {
		if now < 6e18 {
			now += gap.Draw(t, "gap")
		}
		at := now
		if rapid.IntRange(0, 9).Draw(t, "back") == 0 {
			at = max(now-gap.Draw(t, "by"), 0)
		}
		r.add(rapid.Int32Range(0, keys-1).Draw(t, "key"), at, cost.Draw(t, "cost"))
	}
	return r
}

// variant is a counter with options.
type variant struct {
	counter string
	options catalog.Values
}

func (v variant) table(t *rapid.T, limit Limit, keys int32) Table {
	table, err := New(v.counter, limit, v.options, int(keys))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// drawVariant draws one of the counters that decide blocks, with options.
func drawVariant(t *rapid.T, limit Limit) variant {
	var names []string
	for _, e := range Entries() {
		if _, err := New(e.Name, limit, nil, 0); err == nil {
			names = append(names, e.Name)
		}
	}
	v := variant{rapid.SampledFrom(names).Draw(t, "counter"), options()}
	for _, f := range catalog.Find(Entries(), v.counter).Fields {
		if otherLimits[f.Name] || f.Default == "" && rapid.Bool().Draw(t, f.Name+" not set") {
			continue
		}
		v.options[f.Name] = catalog.Value{V: drawOption(t, &f, limit.withBurst(burstOf(limit, v.options)))}
	}
	return v
}

// unitOf returns the ns of which the windows of a counter are whole numbers.
func unitOf(counter string) int64 {
	if counter == haproxyRateKind.entry.Name {
		return milli
	}
	return 1
}

// otherLimits holds the options that state a limit in place of the policy's. Their
// counter's own tests cover them.
var otherLimits = map[string]bool{"refill": true, "window": true}

// drawOption draws a value of any option, so that new options are tested as well: near
// the limit's own numbers, and small where an option bounds a list.
func drawOption(t *rapid.T, f *catalog.Field, limit Limit) any {
	switch f.Kind {
	case catalog.Bool:
		return rapid.Bool().Draw(t, f.Name)
	case catalog.Enum:
		return rapid.SampledFrom(f.Enum).Draw(t, f.Name)
	case catalog.Int:
		least := max(1, parsed(f, f.Min))
		return rapid.OneOf(rapid.Int64Range(least, least+3), rapid.Just(max(least, min(limit.Burst, parsed(f, f.Max))))).Draw(t, f.Name)
	case catalog.IntOrEnum:
		if rapid.Bool().Draw(t, f.Name+" in words") {
			return rapid.SampledFrom(f.Enum).Draw(t, f.Name)
		}
		return limit.Burst / 2
	case catalog.Duration:
		least := max(1, parsed(f, f.Min)/1000)
		return rapid.OneOf(rapid.Int64Range(least, least+20), rapid.Just(min(limit.Window, 1e13)), rapid.Int64Range(1, 2*min(limit.Window, 1e13))).Draw(t, f.Name)
	}
	t.Fatalf("option %s has a kind that drawOption does not draw: add it, so that the counter is compared with its reference model", f.Name)
	return nil
}

// parsed returns the value of a bound of a field, or a large number if it has none.
func parsed(f *catalog.Field, bound string) int64 {
	if bound == "" {
		return 1 << 40
	}
	v, err := catalog.Parsers[f.Kind](bound)
	if err != nil {
		panic(err)
	}
	return v.(int64)
}

// TakeBlock decides as Take does, however the requests are divided into blocks.
func TestTakeIsTakeBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		keys := rapid.SampledFrom([]int32{1, 3}).Draw(t, "keys")
		v := drawVariant(t, limit)
		r := drawRequests(t, limit, keys)
		one, block, cut := v.table(t, limit, keys), v.table(t, limit, keys), v.table(t, limit, keys)
		verdicts := r.decide(block)
		n := rapid.IntRange(0, len(r.key)).Draw(t, "cut")
		parts := r.head(n).decide(cut)
		parts = append(parts, (&requests{r.key[n:], r.at[n:], r.cost[n:]}).decide(cut)...)
		for i := range r.key {
			if got := one.Take(r.key[i], r.at[i], r.cost[i]); got != verdicts[i] || got != parts[i] {
				t.Fatalf("%v: request %d (cost %d at %d): Take %v, TakeBlock %v, in two blocks %v", v, i, r.cost[i], r.at[i], got, verdicts[i], parts[i])
			}
		}
		for key := range keys {
			if a, b := one.State(key), block.State(key); !slices.Equal(a, b) {
				t.Fatalf("%v: state after Take %v, after TakeBlock %v", v, a, b)
			}
		}
	})
}

// Every counter decides as its reference model does.
func TestTablesEqualReferenceModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		v := drawVariant(t, limit)
		r := drawRequests(t, limit, 2)
		table := v.table(t, limit, 2)
		models := []referenceModel{newReferenceModel(t, v, limit), newReferenceModel(t, v, limit)}
		for i := range r.key {
			got := table.Take(r.key[i], r.at[i], r.cost[i]).Admitted()
			if want := models[r.key[i]].take(r.at[i], r.cost[i]); got != want {
				t.Fatalf("%v %v: request %d of key %d (cost %d at %d): admitted %v, the reference model says %v; state %v",
					limit, v, i, r.key[i], r.cost[i], r.at[i], got, want, table.State(r.key[i]))
			}
		}
	})
}

// RetryAt returns the first time that admits, Level how many requests of cost 1
// are admitted one after the other and, but for debt and averages, the largest
// cost that is. Neither changes the state.
func TestRetryAtAndLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		v := drawVariant(t, limit)
		r := drawRequests(t, limit, 1)
		after := func() Table {
			table := v.table(t, limit, 1)
			r.decide(table)
			return table
		}
		if v.counter == "sampled-average" && limit.Count > 1<<50 {
			t.Skip("the sum of its samples is cut at 2^63-1, which is below its limit")
		}
		admits := func(at, cost int64) bool { return after().Take(0, at, cost).Admitted() }

		table := after()
		before := fmt.Sprint(table.State(0))
		now := max(r.at[len(r.at)-1]+rapid.Int64Range(-3, limit.Window/2+3).Draw(t, "later"), 0)
		cost := rapid.OneOf(rapid.Int64Range(0, 12), rapid.SampledFrom([]int64{limit.Count, limit.Burst, Never})).Draw(t, "cost")
		at, level := table.RetryAt(0, now, cost), table.Level(0, now)
		if got := fmt.Sprint(table.State(0)); got != before {
			t.Fatalf("%v: reading changed the state from %s to %s", v, before, got)
		}

		if at < now {
			t.Fatalf("%v: RetryAt(%d, cost %d) = %d, earlier than now", v, now, cost, at)
		}
		if at > now && admits(at-1, cost) {
			t.Fatalf("%v %v: cost %d is admitted at %d already, RetryAt(%d) says %d; state %s", limit, v, cost, at-1, now, at, before)
		}
		if at < Never && !admits(at, cost) {
			t.Fatalf("%v %v: cost %d is refused at %d, which RetryAt(%d) names; state %s", limit, v, cost, at, now, before)
		}

		one := after()
		for i := range min(max(level, 0), 100) {
			if !one.Take(0, now, 1).Admitted() {
				t.Fatalf("%v %v: level %d at %d, but admits only %d requests; state %s", limit, v, level, now, i, before)
			}
		}
		if level <= 100 && one.Take(0, now, 1).Admitted() {
			t.Fatalf("%v %v: level %d at %d, but admits one request more; state %s", limit, v, level, now, before)
		}
		if v.options.Bool("debt") || v.counter == "sampled-average" {
			big := rapid.Int64Range(1, 1000).Draw(t, "big")
			if possible := table.RetryAt(0, now, big) < Never; possible && admits(now, big) != (level > 0) {
				t.Fatalf("%v: level %d at %d, admits %d: %v; state %s", v, level, now, big, admits(now, big), before)
			}
			return
		}
		if !admits(now, level) || level < Never && admits(now, level+1) {
			t.Fatalf("%v %v: level %d at %d, but admits that: %v, and one more: %v; state %s",
				limit, v, level, now, admits(now, level), admits(now, level+1), before)
		}
	})
}

// The types for one key decide as tables do.
func TestValuesAreTables(t *testing.T) {
	type counter interface {
		Take(now, cost int64) Verdict
		Level(now int64) int64
		RetryAt(now, cost int64) int64
	}
	limit := Limit{Count: 7, Window: 10, Burst: 5}
	for name, one := range map[string]counter{
		"fixed-window":       NewFixedWindow(limit, WindowOptions{}),
		"sliding-window-log": NewSlidingLog(limit, WindowOptions{}),
		"token-bucket":       NewTokenBucket(limit, TokenBucketOptions{Burst: limit.Burst}),
	} {
		table, err := New(name, limit, options(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range int64(200) {
			now, cost := i*i%7+i, i%4
			if a, b := one.RetryAt(now, cost), table.RetryAt(0, now, cost); a != b {
				t.Fatalf("%s: step %d: RetryAt %d, in a table %d", name, i, a, b)
			}
			if a, b := one.Take(now, cost), table.Take(0, now, cost); a != b {
				t.Fatalf("%s: step %d: %v, in a table %v", name, i, a, b)
			}
			if a, b := one.Level(now), table.Level(0, now); a != b {
				t.Fatalf("%s: step %d: level %d, in a table %d", name, i, a, b)
			}
		}
	}
}
