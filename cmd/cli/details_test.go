package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
)

const detailed = `version: 1
duration: 5s
replications: 2
topologies:
  fleet: {clients: 4, servers: 2, network: {lognormal: {p50: 1ms, p99: 15ms}}}
scenarios:
  - name: keyed
    topology: fleet
    policy: {limit: 20/s, burst: 5, per: user}
    traffic: [{pattern: poisson, rate: 300/s, keys: {zipf: {count: 20}}, cost: {uniform: {min: 1, max: 3}}}]
    algorithms: [fixed-window, token-bucket, local-divided, batch-reported, rejection-rate]
  - name: waiting
    policy: {limit: 50/s, burst: 10}
    traffic: [{pattern: poisson, rate: 80/s}]
    guard: {concurrency: 4, service_time: {exponential: {mean: 20ms}}}
    algorithms: [leaky-bucket, rover, rover-capped]
`

// csvRows returns the rows of a CSV file by column name.
func csvRows(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, r := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return float64(n)
}

// The sums of --decisions, --windows and --keys equal the metrics of
// replication 0 in the document. The test computes them from the rows alone.
func TestDetailsAddUp(t *testing.T) {
	dir := t.TempDir()
	file, doc := filepath.Join(dir, "s.yaml"), filepath.Join(dir, "r.json")
	if err := os.WriteFile(file, []byte(detailed), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Run(context.Background(), []string{"run", file, "-q", "--no-plots", "-o", doc,
		"--decisions", filepath.Join(dir, "d.csv"), "--windows", filepath.Join(dir, "w.csv"), "--keys", filepath.Join(dir, "k.csv"), "--server-loads", filepath.Join(dir, "s.csv"),
	}, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: os.LookupEnv}); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}

	got := map[string]float64{} // "scenario algorithm metric source" to a count
	for _, r := range csvRows(t, filepath.Join(dir, "d.csv")) {
		row := r["scenario"] + "/" + r["algorithm"]
		add := func(metric string, n float64) { got[row+" "+metric+" decisions"] += n }
		cost, arrival := number(t, r["cost"]), number(t, r["arrival_ns"])
		add("offered_requests", 1)
		add("offered_cost", cost)
		add(r["verdict"]+"_requests", 1)
		add(r["verdict"]+"_cost", cost)
		switch r["verdict"] {
		case "admitted":
			if number(t, r["decided_ns"]) < arrival || number(t, r["dispatched_ns"]) < arrival {
				t.Errorf("%s: decided or dispatched before it arrived: %v", row, r)
			}
			if number(t, r["dispatched_ns"]) > arrival {
				add("delayed_requests", 1)
			}
		case "rejected":
			if r["dispatched_ns"] != "" || r["cause"] == "" {
				t.Errorf("%s: rejected, but %v", row, r)
			}
		case "waiting":
			if r["decided_ns"] != "" {
				t.Errorf("%s: waiting, but %v", row, r)
			}
		}
	}
	for source, name := range map[string]string{"windows": "w.csv", "keys": "k.csv"} {
		for _, r := range csvRows(t, filepath.Join(dir, name)) {
			for _, column := range []string{"offered", "admitted", "reference"} {
				got[r["scenario"]+"/"+r["algorithm"]+" "+column+"_cost "+source] += number(t, r[column])
			}
		}
	}

	for _, r := range csvRows(t, filepath.Join(dir, "s.csv")) {
		row := r["scenario"] + "/" + r["algorithm"]
		got[row+" calls"] += number(t, r["calls"])
		got[row+" entries"] += number(t, r["entries"])
		got[row+" peak"] = max(got[row+" peak"], number(t, r["calls_peak_1s"]))
	}

	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Results []struct {
			Scenario, Algorithm string
			Metrics             map[string]struct{ Values []*float64 }
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, r := range d.Results {
		row := r.Scenario + "/" + r.Algorithm
		rows++
		figure := func(metric string) float64 {
			v := r.Metrics[metric].Values
			if len(v) == 0 || v[0] == nil {
				t.Fatalf("%s: no %s", row, metric)
			}
			return *v[0]
		}
		equal := func(metric, key string) {
			t.Helper()
			if want, have := figure(metric), got[row+" "+key]; have != want {
				t.Errorf("%s: %s adds up to %v, the document says %s = %v", row, key, have, metric, want)
			}
		}
		for _, metric := range []string{"offered", "admitted", "rejected", "waiting"} {
			equal(metric+"_requests", metric+"_requests decisions")
			equal(metric+"_cost", metric+"_cost decisions")
		}
		equal("delayed_requests", "delayed_requests decisions")
		for _, source := range []string{"windows", "keys"} {
			equal("offered_cost", "offered_cost "+source)
			// What is admitted counts in the window of its dispatch, and all were dispatched in the run.
			equal("admitted_cost", "admitted_cost "+source)
		}
		if r.Algorithm == "batch-reported" || r.Algorithm == "rejection-rate" {
			for metric, key := range map[string]string{"server_calls_per_s": "calls", "server_entries_per_s": "entries"} {
				if seconds := 5.0; figure(metric)*seconds != got[row+" "+key] || got[row+" "+key] == 0 {
					t.Errorf("%s: %s is %v, --server-loads adds up to %v", row, metric, figure(metric), got[row+" "+key])
				}
			}
			equal("server_calls_max_peak_1s", "peak")
		}
		if figure("offered_requests") == 0 {
			t.Errorf("%s: nothing was offered", row)
		}
	}
	if want := (2 + 5) + (2 + 3); rows != want { // references and algorithms of both scenarios
		t.Errorf("%d rows, want %d", rows, want)
	}
}

const severalKeys = `version: 1
duration: 5s
policies:
  users: {limit: 20/s, burst: 5}
  total: {limit: 100/s, shared: true}
topologies:
  fleet: {clients: 4, servers: 2, network: 1ms}
scenarios:
  - name: several
    topology: fleet
    policies: [users, total]
    traffic:
      - {pattern: poisson, rate: 100/s, cost: {uniform: {min: 1, max: 3}}, descriptors: {users: {keys: {uniform: 9}, count: 2, applies: 70%}, total: {applies: 60%}}}
    algorithms: [token-bucket, batch-reported, remote]
  - name: several again
    topology: fleet
    policies: [users, total]
    traffic:
      - {pattern: poisson, rate: 100/s, cost: {uniform: {min: 1, max: 3}}, descriptors: {users: {keys: {uniform: 9}, count: 2, applies: 70%}, total: {applies: 60%}}}
    retries: {attempts: 1, backoff: {constant: 50ms}}
    algorithms: [token-bucket, batch-reported, remote]
  - name: alone
    topology: fleet
    policy: {limit: 20/s, burst: 5}
    traffic: [{pattern: poisson, rate: 50/s, keys: {uniform: 3}}]
    algorithms: [token-bucket, remote]
`

// If requests carry several keys, each attempt is listed with all of them:
// costs by key in --decisions add up to those of --keys.
func TestDecisionsListAllKeys(t *testing.T) {
	dir := t.TempDir()
	file, d, k, lines := filepath.Join(dir, "s.yaml"), filepath.Join(dir, "d.csv"), filepath.Join(dir, "k.csv"), filepath.Join(dir, "d.jsonl")
	if err := os.WriteFile(file, []byte(severalKeys), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--decisions", d, "--keys", k}, {"--decisions", lines}} {
		var out, errs bytes.Buffer
		if code := Run(context.Background(), append([]string{"run", file, "-q", "--no-plots"}, args...), terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: os.LookupEnv}); code != 0 {
			t.Fatalf("exit code %d: %s", code, &errs)
		}
	}

	got, keysOf := map[string]float64{}, map[int]int{}
	var joined []string
	for _, r := range csvRows(t, d) {
		joined = append(joined, r["keys"])
		var keys []string
		if r["keys"] != "" {
			keys = strings.Split(r["keys"], "|")
		}
		keysOf[len(keys)]++
		if len(keys) > 0 && r["key"] != keys[0] || len(keys) == 0 && r["key"] != "" {
			t.Errorf("key %q of keys %q", r["key"], r["keys"])
		}
		for _, key := range keys {
			at := r["scenario"] + "/" + r["algorithm"] + " " + key
			got[at+" offered"] += number(t, r["cost"])
			got[at+" "+r["verdict"]] += number(t, r["cost"])
		}
	}
	for n := range 4 {
		if keysOf[n] == 0 {
			t.Errorf("no attempt carried %d keys", n)
		}
	}
	rows := csvRows(t, k)
	for _, r := range rows {
		for _, column := range []string{"offered", "admitted", "rejected"} {
			at := r["scenario"] + "/" + r["algorithm"] + " " + r["key"] + " " + column
			if have, want := got[at], number(t, r[column]); have != want {
				t.Errorf("%s: decisions add up to %v, --keys says %v", at, have, want)
			}
		}
	}
	if want := 2*4*10 + 3*3; len(rows) != want { // rows of the scenarios times their keys
		t.Errorf("%d keys, want %d", len(rows), want)
	}

	text, err := os.ReadFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		var row struct{ Keys []string }
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.Keys == nil || strings.Join(row.Keys, "|") != joined[i] {
			t.Fatalf("%s: %v, in CSV %q", line, err, joined[i])
		}
	}
}
