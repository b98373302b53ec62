package main

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
)

const tapped = `version: 1
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

// table is a CSV file as rows by column name.
func table(t *testing.T, path string) []map[string]string {
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

// What --decisions, --windows and --keys list adds up to the figures that the
// document has for replication 0: counted here anew, from the rows alone.
func TestTapsAddUp(t *testing.T) {
	dir := t.TempDir()
	file, doc := filepath.Join(dir, "s.yaml"), filepath.Join(dir, "r.json")
	if err := os.WriteFile(file, []byte(tapped), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"run", file, "-q", "--no-plots", "-o", doc,
		"--decisions", filepath.Join(dir, "d.csv"), "--windows", filepath.Join(dir, "w.csv"), "--keys", filepath.Join(dir, "k.csv"),
	}, stdio{strings.NewReader(""), &out, &errs}, os.LookupEnv); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}

	got := map[string]float64{} // "scenario algorithm metric source" to a count
	for _, r := range table(t, filepath.Join(dir, "d.csv")) {
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
		for _, r := range table(t, filepath.Join(dir, name)) {
			for _, column := range []string{"offered", "admitted", "reference"} {
				got[r["scenario"]+"/"+r["algorithm"]+" "+column+"_cost "+source] += number(t, r[column])
			}
		}
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
		if figure("offered_requests") == 0 {
			t.Errorf("%s: nothing was offered", row)
		}
	}
	if want := (1 + 5) + (2 + 3); rows != want { // references and algorithms of both scenarios
		t.Errorf("%d rows, want %d", rows, want)
	}
}
