package traffic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// settledRow is an arrival whose cost becomes known with the answer.
type settledRow struct {
	row
	estimate, answer int64
}

func collectSettled(t interface{ Fatalf(string, ...any) }, p *Plan) (rows []settledRow) {
	s := p.Open(1, 0)
	for b := NewBlock(); ; {
		s.Fill(b)
		if b.N == 0 {
			return rows
		}
		if (b.Estimate != nil) != p.Settles() || (b.Answer != nil) != p.Settles() {
			t.Fatalf("the plan settles: %v, and its blocks have %d estimates", p.Settles(), len(b.Estimate))
		}
		for i := range b.N {
			r := settledRow{row: row{b.Time[i], b.Key[i], b.Tenant[i], b.Client[i], b.Cost[i]}}
			if p.Settles() {
				r.estimate, r.answer = b.Estimate[i], b.Answer[i]
			}
			rows = append(rows, r)
		}
	}
}

func tokens(values ...int64) catalog.Choice {
	if len(values) == 1 {
		return choice("constant", catalog.Values{"value": value(values[0])})
	}
	return choice("uniform", catalog.Values{"min": value(values[0]), "max": value(values[1])})
}

func estimated(estimate, actual catalog.Choice, num, den int64) catalog.Choice {
	return choice("estimated", catalog.Values{
		"estimate": value(estimate), "actual": value(actual), "correlation": value(units.Fraction{Num: num, Den: den}),
	})
}

func perToken(each, base int64) catalog.Choice {
	return choice("per_token", catalog.Values{"per_token": value(each), "base": value(base)})
}

// TestEstimatesChangeNothingElse checks that times, keys, tenants, clients and costs of
// requests are the same with estimates and without, also for the other entries.
func TestEstimatesChangeNothingElse(t *testing.T) {
	plain := func(name string) scenarios.Traffic {
		e := entry("poisson", catalog.Values{"rate": rate(700, second)})
		e.Name, e.Keys, e.Tenants, e.Cost = name, zipf(50, 1.1), uniform(9), tokens(1, 500)
		e.Spread = choice("random", nil)
		return e
	}
	without := Config{Entries: []scenarios.Traffic{plain("a"), plain("b")}, Clients: 5, End: 10 * second}
	with := Config{Entries: []scenarios.Traffic{plain("a"), plain("b")}, Clients: 5, End: 10 * second}
	with.Entries[1].Cost = estimated(tokens(20, 90), tokens(1, 500), 1, 2)
	with.Entries[1].Answer = choice("exponential", catalog.Values{"p99": value(second)})

	want, got := collectSettled(t, prepare(t, without)), collectSettled(t, prepare(t, with))
	if len(want) != len(got) {
		t.Fatalf("%d arrivals with estimates, %d without", len(got), len(want))
	}
	var answered float64
	for i := range want {
		if got[i].row != want[i].row {
			t.Fatalf("arrival %d is %+v with estimates, %+v without", i, got[i].row, want[i].row)
		}
		answered += float64(got[i].answer)
	}
	mean := float64(second) / math.Log(100) / 2 // half of the arrivals are of the entry without an answer
	if math.Abs(answered/float64(len(got))/mean-1) > 0.05 {
		t.Errorf("answers take %.0f ns in the mean, want %.0f", answered/float64(len(got)), mean)
	}
}

// TestStreamsOfEstimates checks that estimates and answers have streams of their own.
func TestStreamsOfEstimates(t *testing.T) {
	e := constantAt("e", 100)
	e.Cost = estimated(tokens(1, 1000), tokens(1, 1000), 0, 1)
	e.Answer = choice("exponential", catalog.Values{"p99": value(second)})
	latency, err := random.NewLatency("exponential", 0, second, 0)
	if err != nil {
		t.Fatal(err)
	}
	costs, estimates, answers := random.New(1, 0, "e/costs"), random.New(1, 0, "e/estimates"), random.New(1, 0, "e/answers")
	for i, r := range collectSettled(t, prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 1, End: 10 * second})) {
		cost := 1 + int64(costs.Below(1000))
		estimates.Uint64() // whether it has the rank of the cost
		estimate, answer := 1+int64(estimates.Below(1000)), latency.Draw(&answers)
		if r.cost != cost || r.estimate != estimate || r.answer != answer {
			t.Fatalf("arrival %d is %+v, want cost %d, estimate %d, answer %d", i, r, cost, estimate, answer)
		}
	}
}

// TestMergedEstimates compares the arrivals of many entries with those of each entry
// alone. An entry whose costs are known on arrival has them as estimates, and its own
// answer times.
func TestMergedEstimates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{Clients: 3, End: second}
		var naive []settledRow
		crowd := entry("list", catalog.Values{"events": value([]any{
			catalog.Values{"at": value(400 * millisecond), "count": value(int64(2500)), "estimate": value(int64(9)), "answer": value(int64(2))},
			catalog.Values{"at": value(600 * millisecond), "count": value(int64(100))},
		})})
		for i := range rapid.IntRange(1, 9).Draw(t, "entries") {
			e := rapid.SampledFrom([]scenarios.Traffic{poissonAt("", 3000), poissonAt("", 1), constantAt("", 500), crowd}).Draw(t, "entry")
			e.Name = fmt.Sprint("entry ", i)
			e.Keys = named(e.Name)
			e.Cost = rapid.SampledFrom([]catalog.Choice{tokens(5), tokens(1, 900), estimated(tokens(30, 60), tokens(1, 50), 1, 3)}).Draw(t, "cost")
			e.Answer = perToken(rapid.Int64Range(0, 9).Draw(t, "per token"), 100)
			c.Entries = append(c.Entries, e)
		}
		p, err := Prepare(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Entries {
			alone := c
			alone.Entries = c.Entries[i : i+1]
			single, err := Prepare(alone)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range collectSettled(t, single) {
				if r.key, r.tenant = int32(i), int32(i); !single.Settles() && p.Settles() {
					r.estimate, r.answer = r.cost, 100+r.cost*c.Entries[i].Answer.Values.Duration("per_token")
				}
				naive = append(naive, r)
			}
		}
		slices.SortStableFunc(naive, func(a, b settledRow) int { return cmp.Compare(a.time, b.time) })
		if got := collectSettled(t, p); !slices.Equal(got, naive) {
			t.Fatalf("%d arrivals differ from the sorted %d", len(got), len(naive))
		}
	})
}

func TestListBringsEstimates(t *testing.T) {
	e := entry("list", catalog.Values{"events": value([]any{
		catalog.Values{"at": value(int64(10)), "cost": value(int64(50)), "estimate": value(int64(20)), "answer": value(int64(7))},
		catalog.Values{"at": value(int64(20)), "cost": value(int64(3))},
		catalog.Values{"at": value(int64(30)), "estimate": value(int64(90))},
	})})
	e.Answer = perToken(1000, 1)
	p := prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 1, End: second})
	want := []settledRow{{row{10, 0, 0, 0, 50}, 20, 7}, {row{20, 0, 0, 0, 3}, 3, 3001}, {row{30, 0, 0, 0, 1}, 90, 1001}}
	if got := collectSettled(t, p); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if p.MaxCost() != 50 || p.MaxEstimate() != 90 || p.Random() || !e.Settles() {
		t.Errorf("largest cost %d, largest estimate %d, random %v, settles %v", p.MaxCost(), p.MaxEstimate(), p.Random(), e.Settles())
	}
	e.Cost = estimated(tokens(8), tokens(1, 5), 0, 1)
	for i, r := range collectSettled(t, prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 1, End: second})) {
		if w := want[i]; i == 0 && r != w || i == 1 && (r.cost != 3 || r.estimate != 8) || i == 2 && (r.cost > 5 || r.estimate != 90) {
			t.Errorf("event %d of an entry with estimates is %v", i, r)
		}
	}
}

func TestTraceBringsEstimates(t *testing.T) {
	const log = "time,key,prompt,output,took\n100,y,5,7,40\n100,x,2,1,-\n250,y,1,0,3\n"
	o := logs.Options{Asked: logs.Asked{Cost: []string{"prompt", "output"}, Estimate: []string{"prompt"}, Answer: "took", DurationUnit: "ns"}}
	e := entry("trace", catalog.Values{"estimate_fields": value([]any{"prompt"}), "estimate_plus": value(int64(10))})
	read := func(o logs.Options) *Plan {
		return prepare(t, Config{Entries: []scenarios.Traffic{e}, Clients: 1, Recordings: map[int]*logs.Recording{0: recording(t, log, o)}})
	}
	p := read(o)
	want := []settledRow{{row{100, 0, 0, 0, 12}, 15, 40}, {row{100, 1, 1, 0, 3}, 12, 0}, {row{250, 0, 0, 0, 1}, 11, 3}}
	if got := collectSettled(t, p); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if p.MaxCost() != 12 || p.MaxEstimate() != 15 || !e.Settles() {
		t.Errorf("largest cost %d, largest estimate %d, settles %v", p.MaxCost(), p.MaxEstimate(), e.Settles())
	}
	// Without a column for it, an answer takes time for each token of the output.
	o.Answer = ""
	e.Answer = perToken(1000, 1)
	e.Answer.Values["of"] = value("output")
	for i := range want {
		want[i].answer = 1 + 1000*[]int64{7, 1, 0}[i]
	}
	if got := collectSettled(t, read(o)); !slices.Equal(got, want) {
		t.Errorf("without answer times: got %v, want %v", got, want)
	}
}
