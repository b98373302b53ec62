package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/step"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/sim"
)

// Every preset of a counter or of batch-reported can be stepped with its options.
// The error for any other says which can.
func TestPresetsStep(t *testing.T) {
	for _, p := range sim.Catalog().Presets {
		s, err := newSession(p.Name, "", map[string]string{})
		if p.Enforcement != "central" && p.Enforcement != "batch-reported" {
			if err == nil || !strings.Contains(err.Error(), "no calls for enforcement "+p.Enforcement+"; it steps counters (fixed-window, ") {
				t.Errorf("%s: session %v, error %v", p.Name, s, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if _, err := s.Apply([]byte(`{"at_ns": 0, "op": "?"}`)); err == nil || !strings.Contains(err.Error(), `has no op "?": one of `) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	for _, name := range step.Enforcements() {
		if len(step.Fields(name, "", false)) <= len(step.Fields(name, "", true)) {
			t.Errorf("%s: every option has an effect on the halves", name)
		}
	}
}

// The reports that a run writes, given to step, lead to the answers that the run
// writes, in the same words and digits.
func TestStepAnswersAsARun(t *testing.T) {
	dir := t.TempDir()
	file, path := filepath.Join(dir, "s.yaml"), filepath.Join(dir, "r.jsonl")
	os.WriteFile(file, []byte(`version: 1
duration: 4s
replications: 1
scenarios:
  - name: stepped
    topology: {clients: 5, servers: 2, network: {exponential: {p99: 60ms}}}
    policy: {limit: 50/s, per: user}
    traffic: [{pattern: poisson, rate: 700/s, keys: {zipf: {count: 8}}, cost: {uniform: {max: 3}}}]
    algorithms: [rates, debts]
algorithms:
  rates: {preset: rejection-rate, reject_til: true, estimate: {ewma: {a: 0.3}}}
  debts: {preset: batch-debt, burst: 7, reject_til_as: duration}
`), 0o666)
	var out, errs bytes.Buffer
	if code := Run(context.Background(), []string{"run", file, "-q", "--no-plots", "--reports", path}, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: os.LookupEnv}); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	sessions := map[string]*step.Session{}
	for name, options := range map[string]map[string]string{
		"rates": {"reject_til": "true", "estimate": "{ewma: {a: 0.3}}"}, "debts": {"burst": "7", "reject_til_as": "duration"},
	} {
		options["clients"], options["servers"] = "5", "2"
		s, err := newSession(map[string]string{"rates": "rejection-rate", "debts": "batch-debt"}[name], "50/s", options)
		if err != nil {
			t.Fatal(err)
		}
		sessions[name] = s
	}
	type line struct {
		Algorithm, Key         string
		Report, Client, Server int64
		Outstanding            int64           `json:"outstanding_hits"`
		Rejected               int64           `json:"rejected_hits"`
		Clock                  int64           `json:"client_clock_ns"`
		Computed               *int64          `json:"computed_ns"`
		Til                    json.RawMessage `json:"reject_til_ns"`
		For                    json.RawMessage `json:"reject_for_ns"`
		Rate                   json.RawMessage `json:"rejection_rate"`
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for _, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var row line
		if err := json.Unmarshal([]byte(l), &row); err != nil {
			t.Fatal(err)
		}
		if row.Computed != nil {
			lines = append(lines, row)
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		if a.Algorithm != b.Algorithm {
			return strings.Compare(a.Algorithm, b.Algorithm)
		}
		return int(*a.Computed - *b.Computed)
	})
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].Report == lines[0].Report && lines[n].Algorithm == lines[0].Algorithm {
			n++
		}
		var rows []string
		for _, l := range lines[:n] {
			rows = append(rows, fmt.Sprintf(`{"key": %q, "outstanding_hits": %d, "rejected_hits": %d}`, l.Key, l.Outstanding, l.Rejected))
		}
		first := lines[0]
		report := fmt.Sprintf(`{"client": %d, "server": %d, "sent_ns": %d, "rows": [%s]}`, first.Client, first.Server, first.Clock, strings.Join(rows, ", "))
		s := sessions[first.Algorithm]
		apply := func(op string) []byte {
			reply, err := s.Apply(fmt.Appendf(nil, `{"at_ns": %d, "op": %q, "report": %s}`, *first.Computed, op, report))
			if err != nil {
				t.Fatal(err)
			}
			return reply
		}
		apply("receive")
		var reply struct {
			Answer struct{ Rows []map[string]json.RawMessage }
		}
		json.Unmarshal(apply("answer"), &reply)
		for i, l := range lines[:n] {
			row := reply.Answer.Rows[i]
			for name, want := range map[string]json.RawMessage{"reject_til_ns": l.Til, "reject_for_ns": l.For, "rejection_rate": l.Rate} {
				if got, has := row[name]; has && string(got) != string(want) || !has && string(want) != "null" {
					t.Fatalf("%s: step answers %s, the run %s to %+v", name, got, want, l)
				}
			}
		}
		lines = lines[n:]
	}
}
