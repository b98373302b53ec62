package pairs

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

const effective = `version: 1
seed: 1
policies:
  tight: {limit: 1000/s, burst: 50, per: workspace}
  wide: {limit: 9/s, burst: 50, per: workspace}
  loose: {limit: 7/s}
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
    policies: [wide, loose]
    topology: {clients: 1}
    traffic:
      - {name: "traffic[0]", pattern: constant, rate: 1/s}
    algorithms: [fixed-window]
`

func document(effective string) *results.Document {
	return &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp:         results.Stamp{Seed: 1, Scenario: effective},
		Scenarios:     []results.Scenario{{Name: `steady "3x"`, Seed: 1}, {Name: "light", Seed: 1, TrafficDigests: []string{"a", "b"}}},
		Input:         []results.Input{{Scenario: "light", Traffic: "traffic[0]", Rows: 10, Files: []string{"a.log"}}},
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
		{"rate", replace("rate: 3000/s", "rate: 3100/s"), []string{`scenario "steady \"3x\"": traffic[0]: rate: 3000/s in the baseline, 3100/s now`}},
		{"second entry", replace("count: 9", "count: 10"), []string{"traffic[1]: count: 9 in the baseline, 10 now"}},
		{"one entry less", replace("      - {name: \"traffic[1]\", pattern: herd, count: 9}\n", ""), []string{`traffic[1]: {name: "traffic[1]", pattern: herd, count: 9} in the baseline, none now`}},
		{"duration", replace("duration: 30s", "duration: 1m"), []string{`duration: 30s in the baseline, 1m now`}},
		{"a field more", replace("    duration: 30s\n", "    duration: 30s\n    warmup: 1s\n"), []string{"warmup: none in the baseline, 1s now"}},
		{"a field less", replace("    duration: 30s\n", ""), []string{"duration: 30s in the baseline, none now"}},
		{"policy's burst", replace("burst: 50", "burst: 60"), []string{`policy: burst: 50 in the baseline, 60 now`}},
		{"two options", replace("1000/s, burst: 50", "900/s, burst: 60"), []string{`policy: burst: 50`, `policy: limit: 1000/s in the baseline, 900/s now`}},
		{"one policy of several", replace("limit: 7/s", "limit: 8/s"), []string{`scenario "light": policy loose: limit: 7/s in the baseline, 8/s now`}},
		{"a policy in place of another", replace("[wide, loose]", "[wide, wide]"), []string{`policies[1]: loose in the baseline, wide now`, `policy loose: {limit: 7/s} in the baseline, none now`}},
		{"policies in another order", replace("[wide, loose]", "[loose, wide]"), []string{`policies[0]: wide in the baseline, loose now`}},
		{"topology", replace("p99: 15ms", "p99: 16ms"), []string{"topology: network: lognormal: p99: 15ms in the baseline, 16ms now"}},
		{"policy's name", func(d *results.Document) {
			d.Stamp.Scenario = strings.ReplaceAll(d.Stamp.Scenario, "tight", "narrow")
		}, nil},
		{"words", replace("three times", "3 x"), nil},
		{"expectation", replace(`"== 0"`, `"<= 1"`), nil},
		{"replications", replace("replications: 10", "replications: 20"), nil},
		{"algorithms", replace("algorithms: [fixed-window, ", "algorithms: ["), nil},
		{"an algorithm's option", replace("interval: 100ms", "interval: 200ms"), nil},
		{"recorded log", func(d *results.Document) { d.Input[0].Rows = 11 }, []string{`scenario "light": recorded log: traffic[0]: 10 rows`}},
		{"log's path", func(d *results.Document) { d.Input[0].Files = []string{"/b/a.log"} }, nil},
		{"no effective scenario", func(d *results.Document) { d.Stamp.Scenario = "" }, []string{
			`"steady \"3x\"": settings: stated in the baseline, not stated now`, `"light": settings: stated`,
		}},
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
	if !slices.Equal(got, []Difference{{"algorithm odd: name: interval", "100ms", "200ms"}, {"algorithm odd: name: phase", "none", "aligned"}}) {
		t.Errorf("algorithms that differ: %v", got)
	}
}

func TestSeedsAndTraffic(t *testing.T) {
	base, now := document(effective), document(effective)
	if got := Seeds(base, now); len(got) != 0 || Unpaired(base, now, "light") != "" {
		t.Errorf("equal documents differ: %v", got)
	}
	now.Stamp.Seed, now.Scenarios[0].Seed, now.Scenarios[1].Seed = 2, 2, 3
	got := Seeds(base, now)
	if len(got) != 2 || got[0].String() != "seed: 1 in the baseline, 2 now" || got[1].What != `scenario "light": seed` {
		t.Errorf("other seeds: %v", got)
	}
	for _, c := range []struct {
		digests []string
		want    string
	}{
		{[]string{"a"}, ""},
		{[]string{"a", "b", "c"}, ""},
		{[]string{"a", "x"}, "the same seed made other traffic"},
		{nil, "a document does not identify its traffic"},
	} {
		now.Scenarios[1].TrafficDigests = c.digests
		if got := Unpaired(base, now, "light"); got != c.want {
			t.Errorf("digests %q: %q, want %q", c.digests, got, c.want)
		}
	}
}

// FuzzWorld checks, for any stamps, that reported differences are real and that
// a document does not differ from itself.
func FuzzWorld(f *testing.F) {
	f.Add(effective, strings.Replace(effective, "3000", "1", 1))
	f.Add("scenarios:\n  - name: a\n    x: {\n      y", "scenarios:\n  - name: a\n    x: }")
	f.Add("scenarios:\n  - name: a\n    policy: {limit: 1/s}\n    policy:\n", "")
	f.Add("\"\\", ":")
	f.Fuzz(func(t *testing.T, a, b string) {
		base, now := document(a), document(b)
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

// TestCompareUneven compares figures of which one has replications without a partner: only
// those that never vary are the same.
func TestCompareUneven(t *testing.T) {
	for _, c := range []struct {
		base, now []float64
		same      bool
	}{
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, true},
		{[]float64{4, 4, 4}, []float64{4}, true},
		{[]float64{4, 0, 8}, []float64{4}, false}, // with equal means
		{[]float64{4}, []float64{4, 5}, false},
		{[]float64{4, 4, 4}, []float64{5}, false},
	} {
		x, y := results.Summarize(c.base), results.Summarize(c.now)
		for _, paired := range []bool{true, false} {
			if got, err := Compare(results.Result{}, results.Result{}, x, y, paired); err != nil || paired && got.Same != c.same {
				t.Errorf("%v and %v: the same: %v, %v", c.base, c.now, got.Same, err)
			}
		}
	}
}
