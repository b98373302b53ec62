package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// based is a file with definitions, a default duration, expectations and axes.
const based = `version: 1
duration: 10s
policies:
  tight: {limit: 100/s, burst: 5}
topologies:
  fleet: {clients: 4, network: 10ms}
algorithms:
  mine: {preset: batch-reported, interval: 50ms}
scenarios:
  - name: one
    policy: tight
    topology: fleet
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [mine, token-bucket]
    expect: {mine: {server_calls_per_s: "<= 100"}}
    vary: {demand: {of: "traffic[0].rate", values: [1/s, 2/s]}}
  - {name: two, policy: tight, topology: fleet, traffic: [{pattern: constant, rate: 1/s}], algorithms: [mine]}
`

func baseOf(t *testing.T) *scenarios.Base {
	t.Helper()
	f, problems := scenarios.Load("s.yaml", []byte(based), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return f.Base([]string{"rejected_pct"})
}

// TestBase: settings have their values, and everything else those of the file.
func TestBase(t *testing.T) {
	b := baseOf(t)
	if names := b.Names(); !slices.Equal(names, []string{"one", "two"}) {
		t.Errorf("scenarios %v", names)
	}
	for _, c := range []struct {
		sets []scenarios.Set
		has  []string
		not  []string
	}{
		{nil, []string{"rate: 300/s", "interval: 50ms", "time: 10ms", "columns: [server_calls_per_s, rejected_pct]", "to: 10s"}, []string{"expect:", "vary:", "name: two"}},
		{[]scenarios.Set{{Path: "traffic[0].rate", Value: "600/s"}, {Path: "topology.clients", Value: "9"}, {Path: "policy.limit", Value: "50/s"}}, []string{"rate: 600/s", "clients: 9", "limit: 50/s"}, nil},
		{[]scenarios.Set{{Path: "algorithms", Value: "[gcra, mine]"}, {Path: "algorithms.gcra.burst", Value: "3"}}, []string{"algorithms: [gcra, mine]", "burst: 3"}, []string{"token-bucket: {enf"}},
		{[]scenarios.Set{{Path: "topology.network", Value: "{exponential: {p99: 5ms}}"}, {Path: "topology.network.exponential.p99", Value: "7ms"}}, []string{"{exponential: {p99: 7ms}}"}, nil},
		{[]scenarios.Set{{Path: "faults", Value: "[{report-loss: {p: 1%}}]"}, {Path: "faults[0].report-loss.p", Value: "2%"}}, []string{"p: 2%"}, nil},
		{[]scenarios.Set{{Path: "faults", Value: "[{report-loss: {p: 1%}}]"}, {Path: "faults", Value: ""}}, nil, []string{"faults:"}},
		{[]scenarios.Set{{Path: "duration", Value: "4s"}}, []string{"duration: 4s", "to: 4s"}, []string{"10s"}}, // the traffic ends with the scenario
	} {
		f, problems := b.With("one", c.sets)
		if len(problems) > 0 {
			t.Errorf("%v: %v", c.sets, problems)
			continue
		}
		text := string(f.Effective())
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%v: no %q in\n%s", c.sets, want, text)
			}
		}
		for _, not := range c.not {
			if strings.Contains(text, not) {
				t.Errorf("%v: %q in\n%s", c.sets, not, text)
			}
		}
		if _, problems := scenarios.Load("-", []byte(text), ".", sim.Catalog()); len(problems) > 0 {
			t.Errorf("%v: the text has problems: %v", c.sets, problems)
		}
	}
}

func TestBaseProblems(t *testing.T) {
	b := baseOf(t)
	for _, c := range []struct {
		set  scenarios.Set
		want string
	}{
		{scenarios.Set{Path: "traffic[0].rate", Value: "600"}, `traffic[0].rate: "600" needs a period`},
		{scenarios.Set{Path: "traffic[1].rate", Value: "600/s"}, "has no item 1"},
		{scenarios.Set{Path: "algorithms.mine.interval", Value: ""}, "needs a value"},
		{scenarios.Set{Path: "name", Value: "x"}, "is the same whatever the settings are"},
		{scenarios.Set{Path: "traffic[0].rate", Value: "&a 1/s"}, "anchors"},
	} {
		_, problems := b.With("one", []scenarios.Set{c.set})
		if len(problems) == 0 || !strings.Contains(problems[0].Text(), c.want) {
			t.Errorf("%v: %v, want %q", c.set, problems, c.want)
		}
	}
}
