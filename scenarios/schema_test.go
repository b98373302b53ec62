package scenarios_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// schemaCompiler has the schema registered under its URL.
func schemaCompiler(t *testing.T) (*jsonschema.Compiler, any) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(scenarios.Schema(sim.Catalog())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(scenarios.SchemaURL, document); err != nil {
		t.Fatal(err)
	}
	return c, document
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c, _ := schemaCompiler(t)
	s, err := c.Compile(scenarios.SchemaURL)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate reads a file as plain YAML, as an editor's validator does, and
// checks it against the schema.
func validate(t *testing.T, s *jsonschema.Schema, source []byte) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(source, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(instance)
}

// TestSchemaAcceptsFiles checks all scenario files of this repository, as
// written and with all defaults.
func TestSchemaAcceptsFiles(t *testing.T) {
	s := compiled(t)
	files := 0
	for _, glob := range []string{"../scenarios.yaml", "suites/*.yaml", "templates/*.yaml", "searches/*.yaml", "exec/*.yaml", "../docs/examples/*.yaml"} {
		paths, err := filepath.Glob(glob)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files: %v", glob, err)
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files++
			if err := validate(t, s, source); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			f, problems := scenarios.Load(path, source, filepath.Dir(path), sim.Catalog())
			if len(problems) > 0 {
				t.Errorf("%s: %v", path, problems)
			} else if err := validate(t, s, f.Effective()); err != nil {
				t.Errorf("%s with its defaults: %v\n%s", path, err, f.Effective())
			}
		}
	}
	if size := len(scenarios.Schema(sim.Catalog())); size > 760_000 {
		t.Errorf("the schema has grown to %d bytes, which editors load with every file", size)
	}
}

// agreed returns a scenario file that contains the text of a case. An empty
// text selects the default for that part.
func agreed(c schemaCase) []byte {
	or := func(text, usual string) string {
		if text == "" {
			return usual
		}
		return text
	}
	return fmt.Appendf(nil, "version: 1\n%s\nalgorithms: {mine: {%s}}\nscenarios:\n- name: a\n  policy: {%s}\n  traffic: [{%s}]\n  algorithms: [mine, token-bucket]\n  %s\n",
		or(c.file, "duration: 60s"), or(c.algorithm, "preset: gcra"), or(c.policy, "limit: 100/s"),
		or(c.traffic, "pattern: poisson, rate: 100/s"), c.scenario)
}

type schemaCase struct{ file, algorithm, policy, traffic, scenario string }

// TestSchemaAgreesWithLoader checks that schema and loader accept and reject
// the same valid and invalid texts.
func TestSchemaAgreesWithLoader(t *testing.T) {
	s := compiled(t)
	for _, test := range []struct {
		right bool
		cases []schemaCase
	}{
		{right: true, cases: []schemaCase{
			{},
			{file: "duration: 1h30m\nseed: 18446744073709551615\nreplications: 2k"},
			{file: "duration: 1m30s\nwarmup: 1.5s\nmetrics: full\nmeasure_memory: 1.5GiB\nseed: 1M"},
			{file: "duration: 60s\ncolumns: [server_calls_peak_1s]", scenario: "columns: [over_limit_pct, settle_s]"},
			{scenario: "\n- {name: b, policy: {limit: 1/s}, traffic: [{pattern: poisson, rate: 1/s}], algorithms: [mine]}\ncurves: [{name: c, x: clients, y: over_limit_pct, scenarios: [a, b]}]"},
			{policy: "limit: 2k/s, burst: 1.5k, per: customer"},
			{policy: "limit: 7/3s, burst: \"10\", shared: true, reference: sliding-log"},
			{file: "duration: 1h", policy: "limit: 100/1m30s"},
			{traffic: "pattern: constant, rate: 2.5/min, arrivals: jittered, from: 1s, to: 59s, name: 7"},
			{traffic: "pattern: poisson, rate: 100/s, keys: {zipf: {count: 1k, s: 1.2}}, tenants: {hot: {count: 10, share: 1/20}}"},
			{traffic: "pattern: poisson, rate: 100/s, keys: {uniform: 10}, tenants: one, spread: hash, cost: 5"},
			{traffic: "pattern: poisson, rate: 100/s, key: 12, tenant: true, cost: {choice: {values: [1, 2], weights: [9, 1]}}"},
			{traffic: "pattern: poisson, rate: 100/s, spread: {skewed: {shares: [100%]}}, cost: {uniform: {min: 1, max: 5}}"},
			{traffic: "pattern: list, events: [{at: 1s, key: 5, cost: 2}, {at: 2s, count: 10}]"},
			{traffic: "pattern: list, events: [{at: 1s, cost: 2, estimate: 1, answer: 0s}]", algorithm: "preset: token-bucket"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {estimate: 5, actual: {exponential: {mean: 5, max: 9}}, correlation: 50%}, answer: {per_token: 20ms, base: 200ms}"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {estimated: {estimate: {min: 1, max: 9}, actual: {quantiles: [1, 5, 9]}}}, answer: {per_token: 20ms}"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {p50: 5, p99: 9, max: 30}, answer: 5s"},
			{traffic: "pattern: trace, files: [a.log], format: auto, rebase: true, start: 2026-01-31T12:00:00Z, speed: 2"},
			{algorithm: "preset: token-bucket, initial: 5, burst: 20"},
			{algorithm: "preset: batch-debt, interval: 50ms, phase: {offsets: [1ms, 2ms]}, local_limit: {share: 150%}"},
			{algorithm: "enforcement: batch-reported, counter: token-bucket, local_limit: off, estimate: {ewma: 0.5}, debt: true, burst: 0"},
			{algorithm: "enforcement: local, counter: gcra, share: full"},
			{algorithm: "enforcement: client-throttle, backend: guard, k: 2"}, // no counter decides then
			{algorithm: "enforcement: client-throttle, backend: central, counter: gcra"},
			{algorithm: "preset: rover, stamp: now, initial: empty"},
			{algorithm: "preset: batch-reported, reject_til: on, rejection_rate: off, group_by_owner: true, local_limit: {rate: 100/s, burst: 10}"},
			{algorithm: "preset: batch-reported, local_limit: {rate: {rate: 100/s, burst: 10}}"},
			{traffic: "pattern: poisson, rate: 100/s, keys: {count: 10, s: 1.2}, tenants: {count: 5, share: 10%}, cost: {min: 1, max: 5}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: {applies: 30%, keys: {count: 9, s: 1.2}}}"},
			{scenario: "topology: {network: {p50: 1ms, p99: 15ms}}"},
			{scenario: "retries: {attempts: 3, backoff: {time: 10ms, jitter: none}}"},
			{algorithm: "preset: leaky-bucket, delay: off"},
			{scenario: "topology: {clients: 2, network: 5ms}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: {uniform: 10}}"},
			{traffic: "pattern: poisson, rate: 100/s, keys: {zipf: 5}, descriptors: {100/s: {applies: 30%, count: 3}}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: none}"},
			{scenario: "topology: {network: {lognormal: {p50: 1ms, p99: 15ms}}}"},
			{scenario: "guard: {concurrency: 5, service_time: {exponential: 10ms}, slow: [{from: 1s, to: 2s, factor: 10}]}"},
			{scenario: "retries: {attempts: 2}"},
			{file: "duration: 60s\nfaults: {lossy: [{report-loss: {p: 5%}}]}", scenario: "faults: [lossy, server-crash]"},
			{scenario: "retries: {attempts: 3, backoff: {exponential: {base: 10ms, max: 1s, jitter: none}}, timed_out: false}"},
			{scenario: "retries: {attempts: 3, backoff: {retry-after: 1s}}"},
			{scenario: "retries: {attempts: 0}"},
			{scenario: "retries: {attempts: unlimited, backoff: {exponential: {factor: 1.5, jitter: {around: 50%}}}}"},
			{scenario: "retries: {attempts: 1000, backoff: {exponential: {base: 1s, jitter: decorrelated}}}"},
			{scenario: "retries: {attempts: 9, backoff: {retry-after: {longest: 2min, beyond: give-up, seconds: up, spread: 1s, otherwise: {constant: {time: 1s, jitter: equal}}}}}"},
			{scenario: "faults: [{report-loss: {p: 5%}}, {store-down: {from: 10s, to: 20s, lose: 1s, every: 30s}}, {server-restart: 5s}]"},
			{scenario: "faults: [server-crash, {server-restart: {servers: 0}}, {autoscale: [{clients: 1}]}, {policy-change: {factor: 0.1}}]"},
			{scenario: "expect: {mine: {over_limit_pct: [\"<= 10 %\", \"> 0\"], burst_excess: \"==0\"}, reference: {over_limit_pct: \"<= 1e1\"}}"},
			{scenario: "expect: {mine: {over_limit_pct: [\"<= 10\", {not_worse: 5%}], burst_excess: {not_worse: 0.5}}, reference: {settle_s: [{not_worse: \" 5 % \"}]}}"},
		}},
		{right: false, cases: []schemaCase{
			{file: "duration: 60"},            // no unit
			{file: "duration: 5m"},            // ambiguous alone
			{file: "duration: 30s1m"},         // smaller before larger
			{file: "duration: -5s"},           //
			{file: "duration: 60s\nsede: 1"},  // typo
			{file: "duration: 60s\nseed: -1"}, //
			{file: "duration: 60s\nreplications: 0"},
			{file: "duration: 60s\nreplications: ten"},
			{file: "duration: 60s\nmetrics: all"},
			{file: "duration: 60s\ncurves: [{name: c, x: clients, y: over_limit_pct, scenarios: [a]}]"},
			{file: "duration: 60s\ncurves: [{name: c, x: client, y: over_limit_pct, scenarios: [a, b]}]"},
			{file: "duration: 60s\ncolumns: [over_limit]"},
			{file: "duration: 60s\ncolumns: [settle_s, settle_s]"},
			{file: "duration: 60s\nmeasure_memory: 256"},
			{file: "duration: 60s\nmeasure_memory: 256MB"},
			{file: "duration: 60s\npolicies: {a: {}}"},
			{file: "duration: 60s\npolicies: [a]"},
			{file: "duration: 60s\ntopologies: {a: {client: 3}}"},
			{policy: "limit: 100"},
			{policy: "limit: 0/s"},
			{policy: "limit: 2.5/s"},
			{policy: "limit: 100/m"},
			{policy: "limit: 100 per s"},
			{policy: "burst: 5"},
			{policy: "limit: 100/s, burst: -5"},
			{policy: "limit: 100/s, burst: 10s"},
			{policy: "limit: 100/s, shared: yes please"},
			{policy: "limit: 100/s, reference: token_bucket"},
			{policy: "limit: 100/s, shared: true, per: user"},
			{file: "duration: 60s\npolicies: {a: {limit: 1/s}, b: {limt: 1/s}}"},
			{traffic: "pattern: poison, rate: 100/s"},
			{traffic: "pattern: poisson"},
			{traffic: "rate: 100/s"},
			{traffic: "pattern: poisson, rate: 100"},
			{traffic: "pattern: poisson, rate: 100/s, burst: 5"},
			{traffic: "pattern: poisson, rate: 100/s, peak: 5/s"}, // another pattern's field
			{traffic: "pattern: spike, rate: 100/s, peak: 5/s"},
			{traffic: "pattern: poisson, rate: 100/s, keys: many"},
			{traffic: "pattern: poisson, rate: 100/s, keys: zipf"},
			{traffic: "pattern: poisson, rate: 100/s, keys: {zipf: {n: 10}}"},
			{traffic: "pattern: poisson, rate: 100/s, keys: {zipf: {count: 10}, uniform: {count: 10}}"},
			{traffic: "pattern: poisson, rate: 100/s, keys: {uniform: 10}, key: a"},
			{traffic: "pattern: poisson, rate: 100/s, cost: 0"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {estimate: 5}"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {estimate: 5, actual: 2, correlation: 2}"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {estimate: {estimate: 5, actual: 2}, actual: 2}"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {lognormal: {p50: 5, p99: 9}}"},
			{traffic: "pattern: poisson, rate: 100/s, cost: {estimate: 5, actual: 2}, answer: 5"},
			{traffic: "pattern: list, events: []"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: nobody}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: {count: 0}}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: {applies: 1.3}}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: {share: 30%}}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: [one]"},
			{scenario: "policies: [{limit: 1/s}]"}, // together with policy
			{traffic: "pattern: list, events: [{count: 1}]"},
			{traffic: "pattern: trace, files: a.log"},
			{traffic: "pattern: trace, files: [a.log], start: yesterday"},
			{algorithm: "preset: token-bukcet"},
			{algorithm: "preset: gcra, counter: gcra"},
			{algorithm: "enforcement: central"},
			{algorithm: "enforcement: central, backend: guard"},
			{algorithm: "enforcement: client-throttle, k: 2"},
			{algorithm: "enforcement: client-throttle, backend: central"},
			{algorithm: "enforcement: central, counter: batch-reported"},
			{algorithm: "enforcement: local, counter: rover"}, // does not support this counter
			{algorithm: "preset: gcra, interval: 50ms"},       // an option that it does not have
			{algorithm: "preset: rover, initial: 5"},
			{algorithm: "preset: batch-reported, rejection_rate: yes"},
			{algorithm: "preset: batch-reported, rejection_rate: 1"},
			{algorithm: "preset: batch-reported, local_limit: {rate: 100/s, brust: 10}"},
			{algorithm: "preset: batch-reported, local_limit: {burst: 10}"},
			{algorithm: "preset: batch-reported, local_limit: {rate: 100/s, burst: 10, share: 5%}"},
			{algorithm: "preset: batch-reported, local_limit: {}"},
			{algorithm: "preset: remote, route: {virtual_nodes: 10, propagation: 1s}"}, // requires none of its fields
			{traffic: "pattern: poisson, rate: 100/s, keys: {count: 10}"},              // uniform, zipf or hot
			{traffic: "pattern: poisson, rate: 100/s, keys: {s: 1.2}"},
			{traffic: "pattern: poisson, rate: 100/s, descriptors: {100/s: {count: 9, s: 1.2}}"},
			{scenario: "topology: {network: {p99: 15ms}}"},
			{scenario: "topology: {network: {lognormal: 15ms}}"},
			{scenario: "faults: [{latency: 5ms, from: 1s, to: 5s}]"},
			{algorithm: "preset: token-bucket, initial: half"},
			{algorithm: "preset: batch-reported, interval: 50"},
			{algorithm: "preset: batch-reported, report_loss: 5 in 100"},
			{algorithm: "preset: batch-reported, report_loss: 1.5"},
			{scenario: "topology: {clients: 0}"},
			{scenario: "topology: {network: {lognormal: {p50: 1ms}}}"},
			{scenario: "retries: {backoff: immediate}"},
			{scenario: "retries: {attempts: 1001}"},
			{scenario: "retries: {attempts: many}"},
			{scenario: "retries: {attempts: 2, backoff: {exponential: {jitter: {around: 1.01}}}}"},
			{scenario: "retries: {attempts: 2, backoff: {constant: {time: 1s, jitter: half}}}"},
			{scenario: "retries: {attempts: 2, backoff: {exponential: {longest: 1s}}}"},
			{scenario: "retries: {attempts: 2, backoff: linear}"},
			{scenario: "faults: []"},
			{scenario: "faults: {server-crash: {}}"},
			{scenario: "faults: [{server-crush: {}}]"},
			{scenario: "faults: [store-down]"},
			{scenario: "faults: [{report-loss: {p: 2}}]"},
			{scenario: "faults: [{partition: {from: 1s, until: 5s}}]"},
			{scenario: "gaurd: {concurrency: 5, service_time: 1ms}"},
			{scenario: "guard: {concurrency: 5}"},
			{scenario: "expect: {mine: {over_limit: \"<= 10\"}}"},
			{scenario: "expect: {mine: {over_limit_pct: 10}}"},
			{scenario: "expect: {mine: {over_limit_pct: \"10\"}}"},
			{scenario: "expect: {mine: {burst_excess: \"<= 10%\"}}"},
			{scenario: "expect: {mine: {burst_excess: {not_worse: 0}}}"},
			{scenario: "expect: {mine: {burst_excess: {not_worse: -5%}}}"},
			{scenario: "expect: {mine: {burst_excess: {not_worse: \"<= 5\"}}}"},
			{scenario: "expect: {mine: {burst_excess: [{not_wrose: 5%}]}}"},
			{scenario: "expect: {mine: {burst_excess: {}}}"},
			{scenario: "expect: {mine: {burst_excess: {not_worse: 5%, at: 1}}}"},
			{scenario: "expect: {mine: \"<= 10\"}"},
		}},
	} {
		for _, c := range test.cases {
			source := agreed(c)
			_, problems := scenarios.Load("f.yaml", source, ".", sim.Catalog())
			if (len(problems) == 0) != test.right {
				t.Errorf("the loader finds %v in\n%s", problems, source)
			}
			if err := validate(t, s, source); (err == nil) != test.right {
				t.Errorf("the schema finds %v in\n%s", err, source)
			}
		}
	}
}

// Different notations of one value give the same file, and Effective writes
// them in one notation.
func TestSpellings(t *testing.T) {
	for _, pair := range [][2]schemaCase{
		{{algorithm: "preset: batch-reported, rejection_rate: on, reject_til: off"}, {algorithm: "preset: batch-reported, rejection_rate: true, reject_til: false"}},
		{{algorithm: "preset: batch-reported, local_limit: {burst: 10, rate: 100/s}"}, {algorithm: "preset: batch-reported, local_limit: {rate: {rate: 100/s, burst: 10}}"}},
		{{traffic: "pattern: poisson, rate: 100/s, keys: {count: 10, s: 1.2}"}, {traffic: "pattern: poisson, rate: 100/s, keys: {zipf: {count: 10, s: 1.2}}"}},
		{{traffic: "pattern: poisson, rate: 100/s, keys: {count: 10, share: 5%}"}, {traffic: "pattern: poisson, rate: 100/s, keys: {hot: {count: 10, share: 5%}}"}},
		{{policy: "limit: 100/s, shared: on"}, {policy: "limit: 100/s, shared: true"}},
	} {
		var effective [2]string
		for i, c := range pair {
			f, problems := scenarios.Load("f.yaml", agreed(c), ".", sim.Catalog())
			if len(problems) > 0 {
				t.Fatalf("%v in\n%s", problems, agreed(c))
			}
			effective[i] = string(f.Effective())
		}
		if effective[0] != effective[1] {
			t.Errorf("one is\n%s\nthe other\n%s", effective[0], effective[1])
		}
	}
}

// TestSchemaDefaults checks that defaults and proposals of the schema are valid
// at their place.
func TestSchemaDefaults(t *testing.T) {
	c, document := schemaCompiler(t)
	checked := 0
	var walk func(pointer string, v any)
	walk = func(pointer string, v any) {
		switch v := v.(type) {
		case []any:
			for i, item := range v {
				walk(fmt.Sprintf("%s/%d", pointer, i), item)
			}
		case map[string]any:
			proposed, _ := v["examples"].([]any)
			if value, ok := v["default"]; ok && !strings.HasSuffix(pointer, "/properties") {
				proposed = append(proposed, value)
			}
			if len(proposed) > 0 {
				s, err := c.Compile(scenarios.SchemaURL + "#" + pointer)
				if err != nil {
					t.Fatal(err)
				}
				for _, value := range proposed {
					checked++
					if err := s.Validate(value); err != nil {
						t.Errorf("%s proposes %v: %v", pointer, value, err)
					}
				}
			}
			for name, item := range v {
				if name != "examples" && name != "default" {
					walk(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), item)
				}
			}
		}
	}
	walk("", document)
	if checked < 100 {
		t.Errorf("only %d defaults and examples found", checked)
	}
}
