package compare

import (
	"bytes"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/golden"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

var registry = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1},
	{Name: "burst_excess", Unit: "requests", Better: -1},
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
		Stamp:         results.Stamp{Version: "v1", Commit: "0123456789abcdef", Seed: seed},
		Results:       rows,
	}
	known := map[string]bool{}
	for _, r := range rows {
		if !known[r.Scenario] {
			known[r.Scenario] = true
			d.Scenarios = append(d.Scenarios, results.Scenario{Name: r.Scenario, Seed: seed, TrafficDigests: make([]string, 10)})
		}
	}
	return d
}

// before returns a document that covers, with after and elsewhere, every method of
// comparison.
func before() *results.Document {
	none := results.Summary{Reason: "no window was saturated", Values: make([]*float64, 8)}
	return document(1,
		row("steady", "reference", resultstest.Sample(0, 0, 0, 0, 0, 0, 0, 0), resultstest.Sample(0, 0, 0, 0, 0, 0, 0, 0)),
		row("steady", "batch", resultstest.Sample(base...), resultstest.Sample(base...)),
		row("steady", "debt", resultstest.Sample(base...), none),
		row("steady", "gone", resultstest.Sample(base...), resultstest.Sample(base...)),
		row("boundary", "reference", resultstest.Sample(0), resultstest.Sample(0)),
		row("boundary", "window", resultstest.Sample(0), resultstest.Sample(100)),
		row("boundary", "jitter", resultstest.Sample(5), resultstest.Sample(9.9)),
	)
}

func after() *results.Document {
	none := results.Summary{Reason: "no window was saturated", Values: make([]*float64, 8)}
	d := document(1,
		row("steady", "reference", resultstest.Sample(0, 0, 0, 0, 0, 0, 0, 0), resultstest.Sample(0, 0, 0, 0, 0, 0, 0, 0)),
		row("steady", "batch", resultstest.Sample(up...), resultstest.Sample(near...)),
		row("steady", "debt", resultstest.Sample(base[:5]...), none),
		row("boundary", "reference", resultstest.Sample(0), resultstest.Sample(0)),
		row("boundary", "window", resultstest.Sample(3), resultstest.Sample(90)),
		row("boundary", "jitter", resultstest.Sample(5), resultstest.Sample(base...)),
	)
	d.Results[5].Exact, d.Results[5].Replications = false, 8
	d.Results[5].Metrics["over_limit_pct"] = resultstest.Sample(5, 5, 5, 5, 5, 5, 5, 5)
	d.Stamp.Version = "v2"
	return d
}

func TestGolden(t *testing.T) {
	few := document(1, row("steady", "batch", resultstest.Sample(base[:3]...), resultstest.Sample(base[:3]...)))
	fewer := document(1, row("steady", "batch", resultstest.Sample(up[:3]...), resultstest.Sample(up[:3]...)))
	other := document(2, row("steady", "batch", resultstest.Sample(up...), resultstest.Sample(near...)))
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
		if c.o.Metrics == nil {
			c.o.Metrics = []string{"over_limit_pct", "burst_excess"}
		}
		tables, err := Tables(c.docs, c.names, c.o, registry)
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
		golden.Compare(t, filepath.Join("testdata", name+".txt"), got.Bytes())
	}
}

// TestJoinedColumns checks that the change and its p stay beside the figure that they are of
// where a table is divided.
func TestJoinedColumns(t *testing.T) {
	tables, err := Tables([]*results.Document{before(), after()}, []string{"before.json", "after.json"}, Options{Metrics: []string{"over_limit_pct"}}, registry)
	if err != nil {
		t.Fatal(err)
	}
	joined := 0
	for _, c := range tables[0].Columns {
		of := c.Header == "change" || c.Header == "p"
		if of != c.Joined || of && !c.Right {
			t.Errorf("column %q: joined %t, right %t", c.Header, c.Joined, c.Right)
		}
		if of {
			joined++
		}
	}
	if joined != 2 {
		t.Errorf("%d columns compare two files, want 2", joined)
	}
}

// TestPairsOfOneScenario checks that replications of a scenario are pairs if its own seed and
// its own traffic are the same, whatever else differs between the documents.
func TestPairsOfOneScenario(t *testing.T) {
	stamped := func(burst string, seed uint64) *results.Document {
		values := resultstest.Sample(base...)
		d := document(seed, row("first", "batch", values, values), row("second", "batch", values, values))
		d.Scenarios[1].Seed = 7
		d.Stamp.Scenario = "policies: {p: {limit: 1/s}, q: {limit: 1/s, burst: " + burst + "}}\nscenarios: [{name: first, policy: q}, {name: second, policy: p}]"
		return d
	}
	faster := stamped("5", 1)
	faster.Scenarios[0].TrafficDigests = slices.Repeat([]string{"faster"}, 10)
	for _, c := range []struct {
		now  *results.Document
		want string
	}{
		{stamped("5", 1), "paired"},
		{stamped("6", 1), "paired"},
		{faster, "unpaired (the same seed made other traffic)"},
		{stamped("5", 2), "unpaired (seed: 1 in a, 2 in b)"},
	} {
		tables, err := Tables([]*results.Document{stamped("5", 1), c.now}, []string{"a", "b"}, Options{Metrics: []string{"over_limit_pct"}}, registry)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{c.want, "paired"} {
			if got := tables[i].Notes[0]; !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q, want %q", tables[i].Title, got, want)
			}
		}
	}
}

// TestNullMarks checks that metrics of one distribution are marked as changed
// with at most the probability alpha, with the same seeds and with others.
func TestNullMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for seed, trials := range map[uint64]int{1: 1500, 2: 1500} {
		draw := func(seed uint64) *results.Document {
			values := make([]float64, 10)
			for i := range values {
				values[i] = 10 + r.NormFloat64()
			}
			return document(seed, row("s", "a", resultstest.Sample(values...), results.Summary{}))
		}
		changed := 0
		for range trials {
			tables, err := Tables([]*results.Document{draw(1), draw(seed)}, []string{"a", "b"}, Options{Metrics: []string{"over_limit_pct"}}, nil)
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

// TestUnits checks that a table counts in tokens only if its own requests have costs.
func TestUnits(t *testing.T) {
	one, seven := resultstest.Sample(1, 1), resultstest.Sample(7, 7)
	d := document(1, row("costly", "batch", one, seven), row("plain", "batch", one, seven))
	d.Results[0].Metrics["offered_cost"], d.Results[0].Metrics["offered_requests"] = seven, one
	tables, err := Tables([]*results.Document{d, d}, []string{"a", "b"}, Options{Metrics: []string{"burst_excess"}}, []catalog.Metric{{Name: "burst_excess", Unit: "tokens"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"burst excess tokens", "burst excess req"} {
		if got := tables[i].Rows[0][1]; got != want {
			t.Errorf("%s: %s, want %s", tables[i].Title, got, want)
		}
	}
}

// TestLeadingMetrics checks that each scenario is compared by the metrics with which its own
// table begins.
func TestLeadingMetrics(t *testing.T) {
	one, two := resultstest.Sample(1, 1), resultstest.Sample(2, 2)
	d := document(1, row("rates", "a", one, two), row("answers", "a", one, two))
	d.Results[1].Metrics["goodput_per_s"] = two
	tables, err := Tables([]*results.Document{d, d}, []string{"x", "y"}, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"over-limit %", "goodput/s"} {
		if got := tables[i].Rows[0][1]; got != want {
			t.Errorf("%s begins with %s, want %s", tables[i].Title, got, want)
		}
	}
}
