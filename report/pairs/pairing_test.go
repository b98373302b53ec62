package pairs

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

const effective = `version: 1
seed: 1
policies:
  tight: {limit: 1000/s, burst: 50, per: workspace}
topologies:
  fleet: {clients: 20, servers: 4, network: {lognormal: {p50: 1ms, p99: 15ms}}}
algorithms:
  fixed-window: {enforcement: central, counter: fixed-window}
  "odd: name": {enforcement: local, counter: gcra, interval: 100ms, order: debit}
scenarios:
  - name: "steady \"3x\""
    about: "three times the limit"
    seed: 1
    replications: 10
    duration: 30s
    metrics: basic
    measure_memory: 256MiB
    policy: tight
    topology: fleet
    traffic:
      - {name: "traffic[0]", pattern: poisson, rate: 3000/s, from: 0s}
      - {name: "traffic[1]", pattern: herd, count: 9}
    algorithms: [fixed-window, "odd: name"]
    expect:
      fixed-window:
        over_limit_pct: ["== 0"]
  - name: light
    seed: 1
    replications: 10
    policy: {limit: 5/s}
    topology: {clients: 1}
    traffic:
      - {name: "traffic[0]", pattern: constant, rate: 1/s}
    algorithms: [fixed-window]
`

func document(effective string) *results.Document {
	return &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp:         results.Stamp{Seed: 1, Scenario: effective, ScenarioSHA256: "aa"},
		Scenarios:     []results.Scenario{{Name: `steady "3x"`, Seed: 1, EndNs: 30e9}, {Name: "light", Seed: 1}},
		Input:         []results.Input{{Scenario: "light", Traffic: "traffic[0]", Rows: 10, Files: []string{"a.log"}}},
		Results: []results.Result{{Scenario: "light", Algorithm: "reference", Reference: true, Replications: 2,
			Metrics: map[string]results.Summary{"offered_requests": {Values: []*float64{new(float64), nil}}}}},
	}
}

// TestScenarios changes the second document in one way at a time and lists the
// differences that must be found.
func TestScenarios(t *testing.T) {
	replace := func(old, text string) func(*results.Document) {
		return func(d *results.Document) { d.Stamp.Scenario = strings.Replace(d.Stamp.Scenario, old, text, 1) }
	}
	for _, c := range []struct {
		name   string
		change func(*results.Document)
		want   []string
	}{
		{"nothing", func(*results.Document) {}, nil},
		{"rate", replace("rate: 3000/s", "rate: 3100/s"), []string{`scenario "steady \"3x\"": traffic: rate: 3000/s in the baseline, rate: 3100/s now`}},
		{"second entry", replace("count: 9", "count: 10"), []string{"count: 9 in the baseline, count: 10 now"}},
		{"one entry less", replace("      - {name: \"traffic[1]\", pattern: herd, count: 9}\n", ""), []string{"traffic"}},
		{"duration", replace("duration: 30s", "duration: 1m"), []string{`duration: 30s in the baseline, 1m now`}},
		{"a field more", replace("    duration: 30s\n", "    duration: 30s\n    warmup: 1s\n"), []string{"warmup: none in the baseline, 1s now"}},
		{"a field less", replace("    duration: 30s\n", ""), []string{"duration: 30s in the baseline, none now"}},
		{"policy's burst", replace("burst: 50", "burst: 60"), []string{`policy: burst: 50 in the baseline, burst: 60 now`}},
		{"topology", replace("clients: 20", "clients: 21"), []string{"topology: clients: 20"}},
		{"policy's name", func(d *results.Document) {
			d.Stamp.Scenario = strings.ReplaceAll(d.Stamp.Scenario, "tight", "narrow")
		}, nil},
		{"words", replace("three times", "3 x"), nil},
		{"expectation", replace(`"== 0"`, `"<= 1"`), nil},
		{"replications", replace("replications: 10", "replications: 20"), nil},
		{"algorithms", replace("algorithms: [fixed-window, ", "algorithms: ["), nil},
		{"an algorithm's option", replace("interval: 100ms", "interval: 200ms"), nil},
		{"span", func(d *results.Document) { d.Scenarios[0].EndNs = 31e9 }, []string{"end_ns: 30000000000 in the baseline, 31000000000 now"}},
		{"limit", func(d *results.Document) { d.Scenarios[0].Policy.Limit = 7 }, []string{"limit"}},
		{"recorded log", func(d *results.Document) { d.Input[0].Rows = 11 }, []string{`scenario "light": recorded log: traffic[0]: 10 rows`}},
		{"log's path", func(d *results.Document) { d.Input[0].Files = []string{"/b/a.log"} }, nil},
		{"no effective scenario, other hash", func(d *results.Document) { d.Stamp.Scenario, d.Stamp.ScenarioSHA256 = "", "bb" }, []string{"scenario file: sha256 aa in the baseline, sha256 bb now"}},
		{"no effective scenario, same hash", func(d *results.Document) { d.Stamp.Scenario = "" }, nil},
		{"not in our layout", func(d *results.Document) { d.Stamp.Scenario, d.Stamp.ScenarioSHA256 = "scenarios:\n        - x\n", "" }, []string{"scenario file: sha256 aa in the baseline, unknown now"}},
	} {
		base, now := document(effective), document(effective)
		c.change(now)
		got := Scenarios(base, now)
		if len(got) != len(c.want) {
			t.Errorf("%s: differences %v, want %q", c.name, got, c.want)
			continue
		}
		for i := range c.want {
			if !strings.Contains(got[i].String(), c.want[i]) {
				t.Errorf("%s: difference %q, want %q in it", c.name, got[i], c.want[i])
			}
		}
	}
}

func TestPrograms(t *testing.T) {
	now := document(strings.Replace(effective, "interval: 100ms", "interval: 200ms, phase: aligned", 1))
	got := Programs(document(effective), now)
	if len(got) != 1 || got[0] != (Difference{"algorithm odd: name", "interval: 100ms", "interval: 200ms, phase: aligned"}) {
		t.Errorf("algorithms that differ: %v", got)
	}
}

func TestSeedsAndTraffic(t *testing.T) {
	base, now := document(effective), document(effective)
	if got := Seeds(base, now); len(got) != 0 || !SameTraffic(base, now, "light") {
		t.Errorf("equal documents differ: %v", got)
	}
	now.Stamp.Seed, now.Scenarios[0].Seed, now.Scenarios[1].Seed = 2, 2, 3
	got := Seeds(base, now)
	if len(got) != 2 || got[0].String() != "seed: 1 in the baseline, 2 now" || got[1].What != `scenario "light": seed` {
		t.Errorf("other seeds: %v", got)
	}
	other := 5.0
	now.Results[0].Metrics["offered_requests"] = results.Summary{Values: []*float64{&other, nil}}
	if SameTraffic(base, now, "light") {
		t.Error("other requests offered, and yet the same traffic")
	}
}

// squeezed returns a text with one space for each run of white space within a line, as
// the program writes it: a message cannot show how many there were.
func squeezed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		body := strings.TrimLeft(line, " ")
		lines[i] = line[:len(line)-len(body)] + strings.Join(strings.Fields(body), " ")
	}
	return strings.Join(lines, "\n")
}

// FuzzWorld checks, for any stamps, that reported differences are real and that
// a document does not differ from itself.
func FuzzWorld(f *testing.F) {
	f.Add(effective, strings.Replace(effective, "3000", "1", 1))
	f.Add("scenarios:\n  - name: a\n    x: {\n      y", "scenarios:\n  - name: a\n    x: }")
	f.Add("scenarios:\n  - name: a\n    policy: {limit: 1/s}\n    policy:\n", "")
	f.Add("\"\\", ":")
	f.Fuzz(func(t *testing.T, a, b string) {
		base, now := document(squeezed(a)), document(squeezed(b))
		for _, d := range append(Scenarios(base, now), Programs(base, now)...) {
			if d.Base == d.Now && len(d.Base) < longest {
				t.Errorf("a difference without one: %+v", d)
			}
		}
		if got := Scenarios(base, base); len(got) != 0 {
			t.Errorf("a document differs from itself: %v", got)
		}
	})
}

// A part that differs is named with the mappings that it is in.
func TestDiffering(t *testing.T) {
	for _, c := range [][4]string{
		{"{limit: 5/s, reference: {sliding-log: {limit: 60/s}}}", "{limit: 5/s, reference: {sliding-log: {limit: 61/s}}}", "reference: sliding-log: limit: 60/s", "reference: sliding-log: limit: 61/s"},
		{"{limit: 5/s, reference: {sliding-log: {limit: 60/s}}}", "{limit: 5/s, reference: {fixed-window: {limit: 60/s}}}", "reference: sliding-log", "reference: fixed-window"},
		{"{limit: 5/s, burst: 1}", "{limit: 6/s, burst: 1}", "limit: 5/s", "limit: 6/s"},
		{`- {name: "a{b", keys: {one: {name: k}}, cost: 1}`, `- {name: "a{b", keys: {one: {name: k}}, cost: 2}`, "cost: 1", "cost: 2"},
		{"{limit: 5/s}", "{limit: 5/s, burst: 1}", "limit: 5/s", "limit: 5/s, burst: 1"},
	} {
		if x, y := differing(c[0], c[1]); x != c[2] || y != c[3] {
			t.Errorf("%s, %s: %q and %q", c[0], c[1], x, y)
		}
	}
}
