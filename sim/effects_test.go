package sim_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// offDefault returns values of a field that are not its default, as YAML.
func offDefault(f *catalog.Field) (values []string) {
	switch f.Kind {
	case catalog.Bool:
		return []string{map[string]string{"true": "false", "false": "true"}[f.Default]}
	case catalog.Enum:
		for _, word := range f.Enum {
			if word != f.Default {
				values = append(values, word)
			}
		}
		return values
	case catalog.Duration:
		return []string{"7ms", "2s"}
	case catalog.Share:
		return []string{"37%"}
	case catalog.Int, catalog.IntOrEnum:
		if f.Default == "3" {
			return []string{"5"}
		}
		return []string{"3"}
	case catalog.Rate:
		return []string{"5/s"}
	case catalog.List:
		return []string{"[50%, 30%, 20%]"}
	case catalog.Group:
		return []string{map[string]string{"clock_skew": "{by: 5ms}", "rare": "{poll_interval: 2ms}", "stalls": "{busy: 1ms}"}[f.Name]}
	case catalog.Union:
		for _, c := range f.Choices {
			if len(c.Fields) == 0 && c.Name != f.Default {
				values = append(values, c.Name)
			}
		}
		for _, c := range f.Choices {
			switch c.Name {
			case "constant":
				values = append(values, "{constant: 3ms}")
			case "modulo", "ring", "slices":
				values = append(values, c.Name)
			case "ewma":
				values = append(values, "{ewma: {a: 0.2}}")
			}
		}
		return values
	}
	panic("no value for " + f.Name)
}

// failing returns options under which an alternative of a condition on an option
// does not hold, as YAML. known is false if the name is none of the fields.
func failing(alternative string, fields []catalog.Field) (option string, known bool) {
	name, want, _ := strings.Cut(alternative, ": ")
	f := catalog.Find(fields, name)
	if f == nil {
		return "", false
	}
	if word, ok := strings.CutPrefix(want, "not "); ok {
		if f.Kind == catalog.Union && word == "fixed" {
			word = "{fixed: {rates: [4/s]}}"
		}
		return name + ": " + word, true
	}
	switch f.Kind {
	case catalog.Duration:
		return name + ": 0s", true
	case catalog.Share:
		return name + ": 0%", true
	case catalog.Int:
		return name + ": " + strings.TrimPrefix(want, "above "), true
	case catalog.Bool:
		return name + ": " + map[string]string{"true": "false", "false": "true"}[want], true
	case catalog.Enum:
		for _, word := range f.Enum {
			if word != want {
				return name + ": " + word, true
			}
		}
	}
	switch {
	case strings.HasPrefix(want, "above "):
		return name + ": 0s", true
	case want == "memory":
		return name + ": redis", true
	}
	return name + ": " + f.Default, true
}

// effectCase is an option without effect.
type effectCase struct {
	limiter, option, condition string // as YAML; the condition as in its declaration
	rest                       string // of the limiter: what it needs, and options under which the condition does not hold
}

// effectCases returns cases for all conditional options of a limiter, one for each
// condition that can be violated.
func effectCases(e *catalog.Entry, c *catalog.Entry) (cases []effectCase) {
	fields := slices.Clone(e.Fields)
	for _, f := range c.Fields {
		if catalog.Find(e.Fields, f.Name) == nil {
			fields = append(fields, f)
		}
	}
	limiter := fmt.Sprintf("enforcement: %s, counter: %s", e.Name, c.Name)
	base := map[string]string{
		"batch-reported token-bucket": "debt: true, local_limit: {share: {share: 200%}}",
		"batch-reported fixed-window": "local_limit: {share: {share: 200%}}",
	}[e.Name+" "+c.Name]
	for i := range fields {
		f := &fields[i]
		for _, condition := range slices.Concat(f.Needs, e.Needs[f.Name]) {
			rest := []string{}
			if base != "" {
				rest = append(rest, base)
			}
			inside := ""
			for _, alternative := range strings.Split(condition, " or ") {
				name, _, _ := strings.Cut(alternative, ": ")
				if option, known := failing(alternative, fields); known && catalog.Find(f.Fields, name) == nil {
					rest = append(rest, option)
				} else if option, known := failing(alternative, f.Fields); known {
					inside = option
				}
			}
			values := offDefault(f)
			if inside != "" {
				values = []string{strings.TrimSuffix(values[0], "}") + ", " + inside + "}"}
				if strings.HasPrefix(inside, "by:") {
					values = []string{"{" + inside + ", direction: both}"}
				}
			}
			for _, v := range values {
				cases = append(cases, effectCase{limiter, f.Name + ": " + v, condition, strings.Join(rest, ", ")})
			}
		}
	}
	return cases
}

// yaml returns the scenario file of a case, with or without its option. All
// properties of the scenario that conditions name are at their least.
func (c *effectCase) yaml(with bool) string {
	options := []string{c.limiter}
	if c.rest != "" {
		options = append(options, c.rest)
	}
	if with {
		options = append(options, c.option)
	}
	return fmt.Sprintf(`
version: 1
duration: 3s
replications: 1
metrics: full
algorithms:
  tested: {%s}
scenarios:
  - name: effects
    policy: {limit: 20/s, burst: 20, per: workspace}
    topology: {clients: %d}
    traffic: [{pattern: poisson, rate: 150/s, keys: {uniform: 3}, cost: {uniform: {max: 3}}}]
    algorithms: [tested]
`, strings.Join(options, ", "), c.clients())
}

// clients returns more than one client unless the condition is on them.
func (c *effectCase) clients() int {
	if strings.Contains(c.condition, "clients") {
		return 1
	}
	return 4
}

// figures returns all figures of a document as text.
func figures(t *testing.T, d *results.Document) string {
	rows := slices.Clone(d.Results)
	for i := range rows {
		rows[i].FollowsTraffic = false // what may draw, not a figure
	}
	text, err := json.Marshal([]any{rows, d.Series, d.Shares})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// warningsOf loads a file and returns the warnings of its scenarios, each once.
func warningsOf(t *testing.T, text, dir string) (list []string) {
	t.Helper()
	f, problems := scenarios.Load("test.yaml", []byte(text), dir, sim.Catalog())
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, text)
	}
	for _, s := range f.Scenarios {
		for _, w := range s.Warnings {
			if text := w.String(); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// TestPresetsHaveEffect checks that every option that a preset sets can have an
// effect.
func TestPresetsHaveEffect(t *testing.T) {
	for _, p := range sim.Catalog().Counting() {
		options := []string{"enforcement: " + p.Enforcement, "counter: " + p.Counter}
		for name, value := range p.Options {
			options = append(options, name+": "+value)
		}
		if list := warningsOf(t, fmt.Sprintf(`
version: 1
duration: 3s
algorithms:
  tested: {%s}
scenarios:
  - name: fleet
    policy: {limit: 20/s}
    topology: {clients: 4, servers: 3, network: 5ms}
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [tested, remote]
`, strings.Join(options, ", ")), "."); len(list) > 0 {
			t.Errorf("%s: %v", p.Name, list)
		}
	}
}

// TestShippedFilesHaveNoWarnings checks the suites, templates and examples.
func TestShippedFilesHaveNoWarnings(t *testing.T) {
	n := 0
	for _, pattern := range []string{"../scenarios/suites/*.yaml", "../scenarios/templates/*.yaml", "../scenarios/searches/*.yaml", "../docs/examples/*.yaml", "../scenarios.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n++
			for _, w := range warningsOf(t, string(text), filepath.Dir(file)) {
				t.Errorf("%s: %s", file, w)
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d files found", n)
	}
}

// TestWarningsOfScenarios checks the positions of warnings, and that definitions
// that several scenarios use are warned about only if none of them needs the option.
func TestWarningsOfScenarios(t *testing.T) {
	text := `version: 1
duration: 3s
topologies:
  alone: {clients: 1, servers: 3, network: 5ms}
  fleet: {clients: 4, servers: 3}
algorithms:
  skewed: {preset: batch-reported, clock_skew: {by: 10ms}, thinning: diffusion}
  lossy: {preset: batch-reported, lost_reports: resent, moved_state: kept}
  zero: {preset: batch-debt, clock_skew: {by: 0s, direction: both}, count_in: sent}
scenarios:
  - name: plain
    policy: {limit: 20/s}
    topology: alone
    traffic: [{pattern: poisson, rate: 150/s, spread: random}]
    retries: {attempts: 1, timed_out: false}
    guard: {concurrency: 3, service_time: 1ms, slow: [{from: 1s, to: 2s, factor: 1}]}
    algorithms: [token-bucket]
  - name: calm
    policy: {limit: 20/s}
    topology: fleet
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [lossy, skewed, zero]
  - name: reports are lost
    policy: {limit: 20/s}
    topology: fleet
    traffic: [{pattern: poisson, rate: 150/s}]
    faults: [{report-loss: {p: 50%}}]
    algorithms: [lossy]
  - name: parts without effect
    policy: {limit: 10/s, burst: 4, reference: sliding-log}
    topology: {clients: 4}
    traffic:
      - {pattern: herd, count: 5, at: 1s, every: 2s, keys: {zipf: {count: 1, s: 2}}}
      - {pattern: sine, rate: 3/s, amplitude: 0%, period: 1s, keys: {hot: {count: 1, share: 30%}}}
    guard: {concurrency: 3, service_time: 0s, slow: [{from: 1s, to: 2s, factor: 3}]}
    faults: [{server-restart: {from: 1s, every: 2s}}]
    algorithms: [fixed-window, sharded-memory]
  - name: parts with effect
    policy: {limit: 10/s, burst: 4, reference: sliding-log}
    traffic: [{pattern: herd, count: 5, at: 1s, every: 1s}]
    algorithms: [fixed-window, gcra]
`
	want := []string{
		"test.yaml:33:50: scenarios[3].traffic[0].every: has no effect without time for a second occurrence",
		"test.yaml:33:81: scenarios[3].traffic[0].keys.zipf.s: has no effect without count above 1",
		"test.yaml:34:59: scenarios[3].traffic[1].period: has no effect without amplitude above 0",
		"test.yaml:34:93: scenarios[3].traffic[1].keys.hot.share: has no effect without count above 1",
		"test.yaml:30:34: scenarios[3].policy.burst: has no effect without reference: token-bucket or algorithms with a burst or local_limit: share or metrics: full",
		"test.yaml:35:26: scenarios[3].guard.concurrency: has no effect without service_time above 0",
		"test.yaml:35:53: scenarios[3].guard.slow: has no effect without service_time above 0",
		"test.yaml:36:49: scenarios[3].faults[0].server-restart.every: has no effect without time for a second occurrence",
		"test.yaml:14:55: scenarios[0].traffic[0].spread: has no effect without clients above 1",
		"test.yaml:4:32: topologies.alone.servers: has no effect without algorithms with servers or tablets: hashed",
		"test.yaml:4:44: topologies.alone.network: has no effect without algorithms with a network",
		"test.yaml:16:82: scenarios[0].guard.slow[0].factor: has no effect without factor above 1",
		"test.yaml:15:39: scenarios[0].retries.timed_out: has no effect without on_timeout: fail-closed or on_failure: fail-closed",
		"test.yaml:8:70: algorithms.lossy.moved_state: has no effect without sharding: slices or faults: reshard or server-crash or server-added or server-removed",
		"test.yaml:7:70: algorithms.skewed.thinning: has no effect without rejection_rate: true",
		"test.yaml:9:42: algorithms.zero.clock_skew: has no effect without by above 0",
		"test.yaml:9:79: algorithms.zero.count_in: has no effect without counter: fixed-window",
	}
	got := warningsOf(t, text, ".")
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	d := simtest.Run(t, text)
	if list := d.Scenarios[1].Warnings; !slices.Contains(list, "line 7, column 70: algorithms.skewed.thinning: has no effect without rejection_rate: true") {
		t.Errorf("the document has the warnings %q", list)
	}
}

// TestEffectiveFilesOfPresetsHaveNoWarnings checks that a file with all options of
// presets written out has no more warnings than the file itself, and loads.
func TestEffectiveFilesOfPresetsHaveNoWarnings(t *testing.T) {
	f, problems := scenarios.Load("test.yaml", []byte(`version: 1
duration: 3s
scenarios:
  - name: written out
    policy: {limit: 10/s}
    topology: {clients: 4, servers: 3}
    traffic: [{pattern: constant, rate: 20/s}]
    faults: [{server-restart: {from: 1s}}]
    algorithms: [sql-token-bucket-exact, batch-debt]
`), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if list := warningsOf(t, string(f.Effective()), "."); len(list) > 0 {
		t.Error(list)
	}
}

// TestBurstWithoutEffect checks that no figure depends on a policy's burst where
// its option has a warning.
func TestBurstWithoutEffect(t *testing.T) {
	cat, n := sim.Catalog(), 0
	for _, p := range cat.Counting() {
		if len(catalog.Find(cat.Counters, p.Counter).With) > 0 || strings.Contains(p.Options["local_limit"], "share") {
			continue
		}
		text := func(burst int) string {
			return fmt.Sprintf(`version: 1
duration: 4s
replications: 1
scenarios:
  - name: bursts
    policy: {limit: 20/s, burst: %d, reference: fixed-window}
    topology: {clients: 4, servers: 2, network: 5ms}
    traffic: [{pattern: poisson, rate: 60/s}]
    algorithms: [%s]
`, burst, p.Name)
		}
		if list := warningsOf(t, text(3), "."); len(list) == 0 || !strings.Contains(fmt.Sprint(list), "policy.burst: has no effect") {
			t.Errorf("%s: burst has the warnings %q", p.Name, list)
		}
		if figures(t, simtest.Run(t, text(3))) != figures(t, simtest.Run(t, text(9))) {
			t.Errorf("%s depends on the policy's burst", p.Name)
		}
		n++
	}
	if n < 8 {
		t.Errorf("only %d presets of counters without a burst", n)
	}
}

// TestClockSkewConcernsAllClients checks that clock_skew without a share is an error
// of all clocks.
func TestClockSkewConcernsAllClients(t *testing.T) {
	admitted := func(skew string) float64 {
		return simtest.Mean(t, simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
algorithms:
  tested: {preset: batch-reported, phase: aligned%s}
scenarios:
  - name: clocks
    policy: {limit: 1000/s}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [tested]
`, skew)), "clocks", "tested", "admitted_cost")
	}
	right, all, given := admitted(""), admitted(", clock_skew: {by: 100ms}"), admitted(", clock_skew: {by: 100ms, share: 100%}")
	if all != given || all == right {
		t.Errorf("admitted %v without skew, %v with, %v with share: 100%%", right, all, given)
	}
}

// TestOptionsWithoutEffect checks every conditional option of every limiter: where
// a condition does not hold, a value off the default gives exactly one warning, and
// changes no figure.
func TestOptionsWithoutEffect(t *testing.T) {
	cat := sim.Catalog()
	declared, seen := map[string]bool{}, map[string]bool{}
	for i := range cat.Enforcements {
		e := &cat.Enforcements[i]
		if e.Counterless {
			continue // see the tests of its limiter
		}
		for j := range cat.Counters {
			c := &cat.Counters[j]
			if e.Over != nil && !slices.Contains(e.Over, c.Name) {
				continue
			}
			for _, x := range effectCases(e, c) {
				name, _, _ := strings.Cut(x.option, ":")
				declared[name] = true
				text := x.yaml(true)
				f, problems := scenarios.Load("test.yaml", []byte(text), ".", cat)
				if len(problems) > 0 {
					continue
				}
				warnings := f.Scenarios[0].Warnings
				if len(warnings) == 0 {
					continue // the condition holds in this combination
				}
				if found, err := sim.Check(t.Context(), f, nil); err != nil || len(found) > 0 {
					continue
				}
				var about []string
				for _, w := range warnings {
					if w.Field == "algorithms.tested."+name {
						about = append(about, w.Message)
					}
				}
				want := catalog.Needs{x.condition}.String()
				if len(about) != 1 || !strings.Contains(about[0], want) || warnings[0].Pos.Line != 7 {
					continue
				}
				seen[name] = true
				without, with := figures(t, simtest.Run(t, x.yaml(false))), figures(t, simtest.Run(t, text))
				if without != with {
					t.Errorf("%s has an effect under {%s, %s} without %q", x.option, x.limiter, x.rest, x.condition)
				}
			}
		}
	}
	for name := range declared {
		if !seen[name] {
			t.Errorf("no case shows that %s has no effect", name)
		}
	}
}
