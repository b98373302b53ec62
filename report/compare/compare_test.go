package compare

import (
	"bytes"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/stats"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

var registry = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1},
	{Name: "burst_excess", Unit: "requests", Better: -1},
}

func figures(values ...float64) results.Summary {
	i := stats.OfMean(values)
	if len(values) == 1 {
		i.Half = 0
	}
	lo, hi := i.Lo(), i.Hi()
	s := results.Summary{Mean: &i.Mean, Lo: &lo, Hi: &hi}
	for k := range values {
		s.Values = append(s.Values, &values[k])
	}
	return s
}

var (
	base = []float64{10, 11, 9, 10.5, 9.5, 10.2, 9.8, 10.1}
	up   = []float64{11.1, 12, 10.1, 11.4, 10.6, 11.2, 10.9, 11.1} // each about 1 more
	near = []float64{10.4, 10.8, 9.3, 10.1, 9.9, 10, 9.9, 9.7}     // now more, now less
)

// row is a row of two figures.
func row(scenario, algorithm string, over, burst results.Summary) results.Result {
	r := results.Result{
		Scenario: scenario, Policy: "p", Algorithm: algorithm, Reference: algorithm == "reference",
		Exact: len(over.Values) == 1, Replications: len(over.Values),
		Metrics: map[string]results.Summary{"over_limit_pct": over},
	}
	if burst.Values != nil {
		r.Metrics["burst_excess"] = burst
	}
	return r
}

func document(seed uint64, rows ...results.Result) *results.Document {
	d := &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp:         results.Stamp{Version: "v1", Commit: "0123456789abcdef", ScenarioSHA256: "aa", Seed: seed},
		Results:       rows,
	}
	known := map[string]bool{}
	for _, r := range rows {
		if !known[r.Scenario] {
			known[r.Scenario] = true
			d.Scenarios = append(d.Scenarios, results.Scenario{Name: r.Scenario, Seed: seed})
		}
	}
	return d
}

// before, after and elsewhere have between them every way of being compared.
func before() *results.Document {
	none := results.Summary{Reason: "no window was saturated", Values: make([]*float64, 8)}
	return document(1,
		row("steady", "reference", figures(0, 0, 0, 0, 0, 0, 0, 0), figures(0, 0, 0, 0, 0, 0, 0, 0)),
		row("steady", "batch", figures(base...), figures(base...)),
		row("steady", "debt", figures(base...), none),
		row("steady", "gone", figures(base...), figures(base...)),
		row("boundary", "reference", figures(0), figures(0)),
		row("boundary", "window", figures(0), figures(100)),
		row("boundary", "jitter", figures(5), figures(9.9)),
	)
}

func after() *results.Document {
	none := results.Summary{Reason: "no window was saturated", Values: make([]*float64, 8)}
	d := document(1,
		row("steady", "reference", figures(0, 0, 0, 0, 0, 0, 0, 0), figures(0, 0, 0, 0, 0, 0, 0, 0)),
		row("steady", "batch", figures(up...), figures(near...)),
		row("steady", "debt", figures(base[:5]...), none),
		row("boundary", "reference", figures(0), figures(0)),
		row("boundary", "window", figures(3), figures(90)),
		row("boundary", "jitter", figures(5), figures(base...)),
	)
	d.Results[5].Exact, d.Results[5].Replications = false, 8
	d.Results[5].Metrics["over_limit_pct"] = figures(5, 5, 5, 5, 5, 5, 5, 5)
	d.Stamp.Version = "v2"
	return d
}

func TestGolden(t *testing.T) {
	few := document(1, row("steady", "batch", figures(base[:3]...), figures(base[:3]...)))
	fewer := document(1, row("steady", "batch", figures(up[:3]...), figures(up[:3]...)))
	other := document(2, row("steady", "batch", figures(up...), figures(near...)))
	for name, c := range map[string]struct {
		docs  []*results.Document
		names []string
		o     Options
	}{
		"two-files":        {[]*results.Document{before(), after()}, []string{"before.json", "after.json"}, Options{}},
		"three-files":      {[]*results.Document{before(), after(), other}, []string{"runs/before.json", "runs/after.json", "runs/other.json"}, Options{Metrics: []string{"over_limit_pct"}}},
		"algorithms":       {[]*results.Document{before()}, []string{"before.json"}, Options{}},
		"against":          {[]*results.Document{before()}, []string{"before.json"}, Options{Base: "batch"}},
		"metrics":          {[]*results.Document{before()}, []string{"before.json"}, Options{Col: []Field{Metric}}},
		"other-seeds":      {[]*results.Document{before(), other}, []string{"seed1", "seed2"}, Options{Tables: []Field{Metric}, Rows: []Field{Scenario, Algorithm}}},
		"few-replications": {[]*results.Document{few, fewer}, []string{"same", "same"}, Options{}},
	} {
		c.o.Registry = registry
		if c.o.Metrics == nil {
			c.o.Metrics = []string{"over_limit_pct", "burst_excess"}
		}
		tables, err := Tables(c.docs, c.names, c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got bytes.Buffer
		for i, one := range tables {
			if i > 0 {
				got.WriteByte('\n')
			}
			if err := table.Text(&got, one); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.MkdirAll("testdata", 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"too few fields", Options{Rows: []Field{Scenario}, Tables: []Field{Metric}, Col: []Field{File}}, "add algorithm to the rows"},
		{"a field twice", Options{Rows: []Field{Metric}, Col: []Field{Metric}}, "field metric is used twice"},
		{"two columns", Options{Col: []Field{Metric, File}}, "by one field"},
		{"no such base", Options{Col: []Field{Algorithm}, Rows: []Field{Metric, File}, Base: "nope"}, `no algorithm is called "nope": there are reference, batch`},
		{"alpha", Options{Alpha: 2}, "alpha is 2"},
	} {
		_, err := Tables([]*results.Document{before(), after()}, []string{"a", "b"}, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
	if _, err := Tables(nil, nil, Options{}); err == nil {
		t.Error("no documents are compared")
	}
	if _, err := Tables([]*results.Document{{}}, []string{"a"}, Options{}); err == nil {
		t.Error("an empty document is compared")
	}
	if _, err := ParseFields([]string{"scenario", "policy"}); err == nil || !strings.Contains(err.Error(), "one of scenario, algorithm, metric, file") {
		t.Errorf("an unknown field: error %v", err)
	}
	if got, err := ParseFields([]string{"file", "metric"}); err != nil || len(got) != 2 || got[0] != File || got[1] != Metric {
		t.Errorf("fields %v, %v", got, err)
	}
}

// TestNullMarks: figures of one distribution are marked as changed at most as
// often as alpha says, with the same seeds and with others.
func TestNullMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for seed, trials := range map[uint64]int{1: 1500, 2: 1500} {
		draw := func(seed uint64) *results.Document {
			values := make([]float64, 10)
			for i := range values {
				values[i] = 10 + r.NormFloat64()
			}
			return document(seed, row("s", "a", figures(values...), results.Summary{}))
		}
		changed := 0
		for range trials {
			tables, err := Tables([]*results.Document{draw(1), draw(seed)}, []string{"a", "b"}, Options{Metrics: []string{"over_limit_pct"}})
			if err != nil {
				t.Fatal(err)
			}
			if tables[0].Rows[0][4] != "~" {
				changed++
			}
		}
		rate := 0.05 * float64(trials)
		if most := rate + 4*math.Sqrt(rate*0.95); float64(changed) > most || changed == 0 {
			t.Errorf("seed 1 against %d: %d of %d null comparisons marked as changed, want about %.0f, at most %.0f", seed, changed, trials, rate, most)
		}
	}
}
