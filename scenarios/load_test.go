package scenarios

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

var update = flag.Bool("update", false, "rewrite the expected problems in testdata")

// TestProblems loads each NAME.yaml of testdata/problems.txtar and compares the
// problems with NAME.want, which is "ok" for a file without problems.
func TestProblems(t *testing.T) {
	const archive = "testdata/problems.txtar"
	content, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	head, files := parseArchive(string(content))
	rewritten := head
	for i := 0; i+1 < len(files); i += 2 {
		source, want := files[i], files[i+1]
		t.Run(strings.TrimSuffix(source.name, ".yaml"), func(t *testing.T) {
			_, problems := Load(source.name, []byte(source.data), ".", testCatalog())
			got := ""
			for _, p := range problems {
				got += p.String() + "\n"
			}
			if problems == nil {
				got = "ok\n"
			}
			if diff := cmp.Diff(want.data, got); diff != "" && !*update {
				t.Errorf("-want +got:\n%s", diff)
			}
			rewritten += "-- " + source.name + " --\n" + source.data + "-- " + want.name + " --\n" + got
		})
	}
	if *update {
		if err := os.WriteFile(archive, []byte(rewritten), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

type archived struct{ name, data string }

// parseArchive splits a txtar archive: a comment, then files that each follow
// a line "-- NAME --".
func parseArchive(text string) (comment string, files []archived) {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(line, " --\n"), "-- "); ok && strings.HasSuffix(line, " --\n") {
			files = append(files, archived{name: name})
		} else if files == nil {
			comment += line
		} else {
			files[len(files)-1].data += line
		}
	}
	return comment, files
}

// design is the example of the design document.
const design = `
version: 1
seed: 1
replications: 20
duration: 60s

policies:
  search: {limit: 1000/s, burst: 50, per: workspace}
  pages:  {limit: 100/min, per: remote_addr}

topologies:
  fleet: {clients: 20, servers: 4, network: {lognormal: {p50: 1ms, p99: 15ms}}}   # one draw per hop and call

algorithms:                       # presets need no entry
  batch-100ms: {enforcement: batch-reported, counter: fixed-window, interval: 100ms}
  batch-debt:  {enforcement: batch-reported, counter: token-bucket, debt: true, burst: 0, local_limit: {share: 1.5}}

scenarios:
  - name: steady 3x
    policy: search
    topology: fleet
    traffic: [{pattern: poisson, rate: 3000/s, keys: one}]
    algorithms: [fixed-window, batch-100ms, batch-debt]
    expect:                       # thresholds come from what a run showed, not from hope
      batch-debt: {over_limit_pct: "<= 10", under_admission_pct: "<= 8"}
  - name: recorded
    policy: pages
    traffic: [{pattern: trace, file: access.log, format: combined}]
    algorithms: [fixed-window, token-bucket]
`

func TestDesignSketch(t *testing.T) {
	f := load(t, design)
	steady, recorded := f.Scenarios[0], f.Scenarios[1]

	if steady.Replications != 20 || steady.Duration != 60*units.Second || steady.Seed != 1 || steady.MeasureMemory != 256<<20 {
		t.Errorf("the file's word on a run did not reach the scenario: %+v", steady)
	}
	if got, want := steady.Policy.Limit, (units.Rate{Count: 1000, Per: 1e9}); got != want || steady.Policy.Burst != 50 {
		t.Errorf("policy search: got %+v", steady.Policy)
	}
	if n := steady.Topology.Network; n.Name != "lognormal" || n.Values.Duration("p99") != 15*units.Millisecond {
		t.Errorf("network: got %+v", n)
	}
	debt := steady.Algorithms[2]
	if o := debt.Options; debt.Enforcement != "batch-reported" || debt.Counter != "token-bucket" || !o.Bool("debt") || o.Int("burst") != 0 ||
		o.Choice("local_limit").Values.Share("share") != (units.Fraction{Num: 3, Den: 2}) || o.Duration("interval") != 100*units.Millisecond {
		t.Errorf("batch-debt: got %+v", debt)
	}
	want := []Expectation{
		{Algorithm: "batch-debt", Metric: "over_limit_pct", Op: "<=", Threshold: 10, Text: "<= 10"},
		{Algorithm: "batch-debt", Metric: "under_admission_pct", Op: "<=", Threshold: 8, Text: "<= 8"},
	}
	if diff := cmp.Diff(want, steady.Expect, equal); diff != "" {
		t.Errorf("expect: -want +got:\n%s", diff)
	}
	if recorded.Duration != 0 {
		t.Errorf("a log decides the span, but the duration is %d", recorded.Duration)
	}
	if e := recorded.Traffic[0]; e.Keys.Name != "" || e.Cost.Name != "" || e.Spread.Name != "even" || e.To != 0 {
		t.Errorf("a log has keys and costs of its own: got %+v", e)
	}
	if recorded.Policy.Burst != 100 {
		t.Errorf("burst: got %d, want the limit's count", recorded.Policy.Burst)
	}
}

// equal compares files by their meaning.
var equal = cmp.Options{
	cmpopts.IgnoreUnexported(File{}),
	cmpopts.IgnoreFields(File{}, "Source"),
	cmpopts.IgnoreFields(Scenario{}, "Index"), // Effective writes a selection as a file of its own
	cmpopts.IgnoreTypes(catalog.Position{}),
	cmpopts.IgnoreFields(catalog.Value{}, "Given"),
}

func load(t *testing.T, source string) *File {
	t.Helper()
	f, problems := Load("test.yaml", []byte(source), ".", testCatalog())
	for _, p := range problems {
		t.Error(p)
	}
	if f == nil {
		t.FailNow()
	}
	return f
}

// everything uses every part of the language once.
const everything = `
version: 1
seed: 18446744073709551615
streams: common
duration: 10s
warmup: 1500ms
metrics: full
measure_memory: 1.5GiB
columns: [burst_excess]
policies:
  "odd: name, [with] {signs} #1": {limit: 2.5k/1.5s, shared: true, reference: sliding-log}
  100/s: {limit: 200/s}
algorithms:
  debt: {preset: batch-debt, phase: [10ms, 1.5s], interval: 1min}
  mine: {enforcement: central, counter: token-bucket, burst: 7, initial: 3}
  moving: {preset: fixed-window, rollout: {to: mine, share: 1/2, service: own}}
  local: {enforcement: batch-reported, counter: token-bucket, local_limit: {rate: {rate: 2.5/s}}, phase: aligned}
scenarios:
  - name: "one: \"two\" — three"
    about: |
      Several lines.
      With "quotes" and a tab	inside.
    policy: "odd: name, [with] {signs} #1"
    topology: {clients: 3, network: 5ms}
    traffic:
      - {pattern: constant, rate: 7/3s, key: "null", tenants: {hot: {count: 10, share: 1/3}}, from: 1s, to: 2s}
      - {pattern: poisson, rate: 0.5/min, name: second, keys: {zipf: 1M}, spread: {skewed: [50%, 0.25, 1/4]}, cost: {choice: {values: [1, 5], weights: [3, 1]}}}
      - {pattern: list, events: [{at: 1s}, {at: 1.5s, count: 2k, key: "~"}], cost: 3}
      - {pattern: trace, file: "a b.csv", rebase: true, start: "2026-01-02T03:04:05.5Z", scale: 1e-3, tenant: me}
    guard: {concurrency: 4, service_time: 10ms, slow: [{to: 1s, factor: 10}, {from: 2s, to: 3s, factor: 2}]}
    algorithms: [debt, mine, local, leaky-bucket]
    expect:
      mine: {over_limit_pct: ["<= 10 %", "> 1"], burst_excess: "== 0"}
      reference: {over_limit_pct: "< 1e3"}
    columns: [over_limit_pct, worst_sliding_pct]
    replications: 3
    seed: 7
  - {name: named by its limit, policy: 100/s, traffic: [{pattern: constant, rate: 1/s}], algorithms: [token-bucket]}
  - {name: in place, policy: {limit: 100/s, burst: 0, reference: token-bucket}, traffic: [{pattern: constant, rate: 1/s}], algorithms: [fixed-window, batch-debt, leaky-bucket], warmup: 0s}
  - name: several
    policies: [100/s, {limit: 7/3s, per: user}, "odd: name, [with] {signs} #1"]
    traffic:
      - {pattern: constant, rate: 1/s, keys: {zipf: 9}, descriptors: {7/3s: {uniform: 5}, 100/s: {applies: 0%}, "odd: name, [with] {signs} #1": none}}
      - {pattern: constant, rate: 1/s, descriptors: {100/s: {applies: 30%, keys: {hot: {count: 12, share: 10%}}, count: 10}}}
      - {pattern: poisson, rate: 1/s, descriptors: {7/3s: {one: {name: "the one"}}, 100/s: {uniform: 3}, "odd: name, [with] {signs} #1": first}}
    algorithms: [mine]
  - {name: several of one, policy: 100/s, traffic: [{pattern: constant, rate: 1/s, descriptors: {100/s: {keys: {uniform: 5}, count: 5}}}, {pattern: trace, file: x, rebase: true, descriptors: {100/s: {applies: 1/3}}}], algorithms: [mine]}
  - {name: a rollout, policy: 100/s, topology: {clients: 10, rollout: {to: batch-debt, share: 30%, from: 1s, until: 3s}}, traffic: [{pattern: constant, rate: 1/s}], algorithms: [mine, moving], streams: own}
  - {name: a log, policy: {limit: 5/min, per: user}, traffic: [{pattern: trace, file: x}, {pattern: trace, file: y}], algorithms: [mine]}
curves:
  - {name: "a curve: of three", about: "what: to see", x: clients, y: over_limit_pct, scenarios: [in place, a log, several]}
  - {name: of metrics, x: over_limit_pct, y: worst_sliding_pct, scenarios: [in place, several]}
`

func TestEffective(t *testing.T) {
	for name, source := range map[string]string{"design": design, "everything": everything} {
		t.Run(name, func(t *testing.T) { roundTrip(t, load(t, source)) })
	}
	t.Run("overridden", func(t *testing.T) {
		f := load(t, everything)
		seed, replications := uint64(42), 5
		if err := f.Override(Overrides{Seed: &seed, Replications: &replications, Only: []string{"a log", "in place"}}); err != nil {
			t.Fatal(err)
		}
		if len(f.Curves) != 1 || len(f.Curves[0].Scenarios) != 2 {
			t.Errorf("curves of scenarios that are left out: %+v", f.Curves)
		}
		if len(f.Scenarios) != 2 || f.Scenarios[0].Name != "in place" || f.Scenarios[1].Seed != 42 || f.Scenarios[1].Replications != 5 || f.Seed != 42 {
			t.Errorf("overrides did not take: %+v", f)
		}
		roundTrip(t, f)
	})
}

// TestEffectiveText puts arbitrary text into all texts of a file. It writes the
// text with Go's escapes, which are valid in YAML, while Effective writes it in
// another way.
func TestEffectiveText(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := func(label string) string {
			return strconv.QuoteToASCII(rapid.StringN(1, -1, 60).Draw(r, label))
		}
		number := rapid.Int64Range(1, 1<<40)
		source := fmt.Sprintf(`{version: 1, policies: {p: {limit: %d/%dns, burst: 1, per: %s}}, scenarios: [{
			name: n, about: %s, duration: %dns, policy: p, algorithms: [token-bucket],
			traffic: [{pattern: list, events: [{at: %dns, key: %s}], key: %s}, {pattern: trace, file: %s, rebase: true}]}]}`,
			number.Draw(r, "limit"), number.Draw(r, "window"), text("per"), text("about"), int64(1<<41)+number.Draw(r, "duration"),
			number.Draw(r, "at"), text("event"), text("key"), text("file"))
		f, problems := Load("test.yaml", []byte(source), ".", testCatalog())
		if f == nil {
			r.Fatalf("%v\nfrom\n%s", problems, source)
		}
		roundTrip(r, f)
	})
}

// TestPhases checks which entries have one phase in all replications, and that the
// effective file has their offsets.
func TestPhases(t *testing.T) {
	for entry, want := range map[string]bool{
		"pattern: constant, rate: 7/3s":                 true,
		"pattern: constant, rate: 0/s":                  false,
		"pattern: constant, rate: 7/3s, offset: 20ms":   true,
		"pattern: constant, rate: 7/3s, offset: random": false,
		"pattern: herd":                                 false,
		"pattern: herd, every: 3s, offset: 2999ms":      true,
		"pattern: boundary, offset: 1ms":                false,
		"pattern: poisson, rate: 7/s":                   false,
	} {
		f := load(t, "{version: 1, duration: 60s, scenarios: [{name: n, policy: {limit: 9/s}, algorithms: [token-bucket], traffic: [{"+entry+"}]}]}")
		if got := f.Scenarios[0].Traffic[0].OnePhase; got != want {
			t.Errorf("%s: one phase is %v, want %v", entry, got, want)
		}
		roundTrip(t, f)
	}
}

// testingT has the methods that *testing.T and *rapid.T share.
type testingT interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
}

func roundTrip(t testingT, f *File) {
	t.Helper()
	text := f.Effective()
	again, problems := Load(f.Path, text, f.Dir, f.catalog)
	for _, p := range problems {
		t.Error(p)
	}
	if diff := cmp.Diff(f, again, equal); diff != "" || t.Failed() {
		t.Fatalf("-loaded +loaded again:\n%s\nfrom\n%s", diff, text)
	}
	if twice := again.Effective(); string(twice) != string(text) {
		t.Errorf("the effective file changes when it is loaded:\n%s", cmp.Diff(string(text), string(twice)))
	}
}

func TestOverrideUnknownScenario(t *testing.T) {
	f := load(t, design)
	err := f.Override(Overrides{Only: []string{"steady 2x"}})
	if want := `no scenario is called steady 2x (did you mean "steady 3x"?)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSuites(t *testing.T) {
	for _, s := range Suites() {
		if s.About == "" || strings.HasPrefix(s.About, "version") {
			t.Errorf("suite %s: the first line is no comment that says what it is about", s.Name)
		}
		if !strings.HasSuffix(s.About, ".") && !strings.HasSuffix(s.About, "?") {
			t.Errorf("suite %s: %q goes on in the next line, which lists leave out", s.Name, s.About)
		}
	}
	s, err := FindSuite("basic")
	if err != nil {
		t.Fatal(err)
	}
	load(t, string(s.Source))
	_, err = FindSuite("basik")
	if want := `no suite is called basik (did you mean "basic"?)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestLargeFiles checks the size limits of the loader.
func TestLargeFiles(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"deep":   {strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested deeper than 32 levels"},
		"deeper": {strings.Repeat("[", 50000), "not YAML: "},
		"wide":   {"version: 1\nscenarios: [" + strings.Repeat("1,", maxNodes+1) + "]", "the file holds more than 250000 values"},
		"huge":   {strings.Repeat("# comment\n", maxSource/10+1), "the file is larger than 16 MiB"},
		"sorted": {"\ufeff{\"results\": [" + strings.Repeat("1,", 5000) + `1], "schema_version": 3}`, "this is a document that limitgauge wrote"},
		"result": {`{"schema_version": 3, "results": [` + strings.Repeat("1,", maxSource/2), "this is a document that limitgauge wrote"},
		"bomb": {"a: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\n",
			"anchors (&a) are not part of the scenario language"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := Load(name, []byte(test.source), ".", testCatalog())
			for _, p := range problems {
				if strings.Contains(p.Message, test.want) {
					return
				}
			}
			t.Errorf("%d problems, none of which says %q: %.3v", len(problems), test.want, problems)
		})
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(design)
	f.Add(everything)
	f.Add("version: 1\nscenarios: [{name: a, policy: {limit: 1/s}, duration: 1s, traffic: [{pattern: constant, rate: 1/s}], algorithms: [fixed-window]}]")
	f.Add("a: &a [*a]\n<<: *a\n? [b]\n: !!float .nan\n")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<16 {
			return
		}
		file, problems := Load("fuzz.yaml", []byte(source), ".", testCatalog())
		if (file == nil) == (len(problems) == 0) {
			t.Fatalf("file %v with %d problems", file, len(problems))
		}
		for _, p := range problems {
			if text := p.String(); p.Pos.Line < 1 || p.Pos.Col < 1 || strings.ContainsAny(text, "\n\r") {
				t.Errorf("%q has no position or is not one line", text)
			}
		}
		if file != nil {
			roundTrip(t, file)
		}
	})
}
