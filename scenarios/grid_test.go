package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

const swept = `version: 1
duration: 10s
policies:
  p: {limit: 100/s}
topologies:
  fleet: {clients: 4, network: {lognormal: {p50: 1ms, p99: 5ms}}}
traffic:
  both: [{pattern: poisson, rate: 200/s}, {pattern: constant, rate: 10/s}]
algorithms:
  v1.2: {preset: batch-reported, interval: 100ms}
scenarios:
  - {name: other, policy: p, topology: fleet, traffic: [both], algorithms: [v1.2]}
  - name: one
    policy: p
    topology: fleet
    traffic: [{pattern: constant, rate: 1/s}, both]
    algorithms: [v1.2, remote]
`

func grid(t *testing.T, source string, vary ...string) (*scenarios.Grid, []scenarios.Problem, error) {
	t.Helper()
	return scenarios.LoadGrid("s.yaml", []byte(source), ".", sim.Catalog(), vary, scenarios.Overrides{Only: []string{"one"}})
}

// TestGridSets checks where the values of an axis arrive, and that nothing else of the
// scenario changes.
func TestGridSets(t *testing.T) {
	for _, c := range []struct{ axis, value, want string }{
		{"algorithms.v1.2.interval", "50ms", "interval: 50ms, phase"},
		{"algorithms.remote.timeout", "70ms", "timeout: 70ms"},
		{"policies.p.limit", "7/s", "limit: 7/s"},
		{"policy.limit", "8/s", "limit: 8/s"},
		{"topology.clients", "5", "clients: 5"},
		{"topology.network.lognormal.p99", "9ms", "p99: 9ms"},
		{"topologies.fleet.servers", "3", "servers: 3"},
		{"traffic[1].rate", "300/s", "rate: 300/s"},
		{"traffic[2].cost", "4", "cost: {constant: {value: 4}}"},
		{"duration", "20s", "duration: 20s"},
		{"retries.attempts", "2", "attempts: 2"},
		{"v1.2.local_limit", "{share: 1.5}", "local_limit: {share: {share: 150%}}"},
		{"topology.network", "{constant: 2ms}", "network: {constant: {time: 2ms}}"},
	} {
		g, problems, err := grid(t, swept, c.axis+"="+c.value)
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v %v", c.axis, problems, err)
			continue
		}
		text, problems := g.Text(g.Cell(0))
		base, _, _ := grid(t, swept, "measure_memory=256MiB") // the default
		plain, _ := base.Text(base.Cell(0))
		var changed []string
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(string(plain), line) {
				changed = append(changed, line)
			}
		}
		if len(problems) > 0 || !slices.ContainsFunc(changed, func(l string) bool { return strings.Contains(l, c.want) }) {
			t.Errorf("%s=%s: changed %q, want %q; %v", c.axis, c.value, changed, c.want, problems)
		}
		if again, _ := scenarios.Load("s.yaml", text, ".", sim.Catalog()); again == nil || string(again.Effective()) != string(text) {
			t.Errorf("%s: the file of the cell is not one", c.axis)
		}
	}
}

// TestGridRefuses checks that every value that a run would refuse is refused with its
// position, all in one pass.
func TestGridRefuses(t *testing.T) {
	source := swept + `    vary:
      interval: {of: algorithms.v1.2.interval, values: [50ms, 0s, soon]}
      net: {of: topology.network.lognormal.p50, values: [1ms, 7ms]}
`
	g, problems, err := grid(t, source)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	var got []string
	for i := range g.Len() {
		_, problems := g.Bind(g.Cell(i))
		for _, p := range problems {
			if !slices.Contains(got, p.String()) {
				got = append(got, p.String())
			}
		}
	}
	want := []string{
		`s.yaml:6:33: topologies.fleet.network.lognormal: p50 is above p99 (with interval=50ms, net=7ms)`,
		`s.yaml:19:63: scenarios[1].vary.interval.values[1]: must be at least 1us`,
		`s.yaml:6:33: topologies.fleet.network.lognormal: p50 is above p99 (with interval=0s, net=7ms)`,
		`s.yaml:19:67: scenarios[1].vary.interval.values[2]: "soon" is not a duration, such as 10ms, 1m30s or 1h`,
		`s.yaml:6:33: topologies.fleet.network.lognormal: p50 is above p99 (with interval=soon, net=7ms)`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("problems:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, c := range []struct{ vary, want string }{
		{"algorithms.v2.interval=1s", "no algorithm is called v2 (known: v1.2, remote)"},
		{"algorithms.v1.2.intervl=1s", `unknown field (did you mean "interval"?)`},
		{"traffic[3].rate=1/s", "has no item 3: its last one is [2]"},
		{"traffic.rate=1/s", "has no field rate"},
		{"traffic[x].rate=1/s", "is not the number of an item"},
		{"policies.q.limit=1/s", "no policy is called q"},
		{"policies.p=1/s", "names a definition"},
		{"nonsense=1", "unknown field"},
		{"seed=1,2", "the same seed"},
		{"expect.remote.over_limit_pct=1", "the same in all cells"},
		{"duration=10s,10s", "given twice"},
		{"duration=10s..20s", "want FROM..TO:STEPS"},
		{"duration=10s..20:3", "different units"},
		{"duration=0s..20s:3:log", "no zero"},
		{"duration=,", "empty"},
		{"v1.2.local_limit={share: 1.5", "not YAML"},
		{"v1.2.local_limit={share: 1.5},{ share: 1.5 }", "given twice"},
		{"policy=p,q", "is the name of another column"},
		{"=1", "want AXIS=VALUE"},
		{"traffic[-1].rate=1/s", "[-1] is not the number of an item"},
		{"traffic[00].rate=1/s", "[00] is not the number of an item"},
		{"traffic[0]rate=1/s", "is not a path"},
		{"traffic.[0].rate=1/s", "is not a path"},
		{"traffic[0].=1/s", "is not a path"},
		{"duration=1s..2s:100000", "want 2 to 1000"},
	} {
		g, problems, err := grid(t, swept, c.vary)
		if g != nil {
			_, problems = g.Bind(g.Cell(0))
		}
		if text := fmt.Sprint(problems, err); !strings.Contains(text, c.want) {
			t.Errorf("--vary %s: %s, want %s", c.vary, text, c.want)
		}
	}
}

// TestGridOverlaps checks that a setting has one axis, however its path is written.
func TestGridOverlaps(t *testing.T) {
	source := swept + "    vary: {x: {of: algorithms.v1.2.interval, values: [1s]}}\n"
	for _, vary := range [][]string{
		{"topology.clients=1,2", "topologies.fleet.clients=3,4"},
		{"policies.p.limit=1/s,2/s", "policy.limit=3/s,4/s"},
		{"topology.network.lognormal.p50=1ms", "topology.network=local"},
		{"algorithms.v1.2.interval=3s"},
	} {
		_, problems, err := grid(t, source, vary...)
		if err != nil || len(problems) != 1 || !strings.Contains(problems[0].String(), "of one varies the same setting as axis") {
			t.Errorf("%v: %v %v", vary, problems, err)
		}
	}
	if _, problems, err := grid(t, swept, "policy.limit=1/s", "policy.limit_window=1"); len(problems) > 0 || err != nil {
		t.Errorf("settings with a common beginning: %v %v", problems, err)
	}
}

// TestAxisEnds checks that a wrong end of an axis is one problem, and that nothing is
// computed from it.
func TestAxisEnds(t *testing.T) {
	for _, c := range []struct{ ends, want string }{
		{"from: 100ms, to: 1s, steps: 1", "steps: must be from 2 to 1000"},
		{"from: 100ms, to: 1s, steps: 3, scale: cubic", "scale: "},
		{"from: [], to: 1s, steps: 3", "from: "},
	} {
		_, problems := scenarios.Load("s.yaml", []byte(swept+"    vary: {r: {of: duration, "+c.ends+"}}\n"), ".", sim.Catalog())
		if len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) {
			t.Errorf("%s: %v", c.ends, problems)
		}
	}
}

// TestAxisSteps checks that values between the ends are readable, and no coarser than
// their distances allow.
func TestAxisSteps(t *testing.T) {
	for _, c := range []struct{ axis, want string }{
		{"500/s..10k/s:5:log", "500/s 1060/s 2240/s 4730/s 10k/s"},
		{"1000..1010:6", "1000 1002 1004 1006 1008 1010"},
		{"10k/s..11k/s:5", "10k/s 10250/s 10500/s 10750/s 11k/s"},
		{"1000/min..1100/min:5:log", "1000/min 1024/min 1049/min 1074/min 1100/min"},
		{"1ms..10s:5:log", "1ms 10ms 100ms 1s 10s"},
		{"0s..1s:4", "0s 333ms 667ms 1s"},
		{"10ms..1s:3:linear", "10ms 505ms 1s"},
		{"100%..0%:5", "100% 75% 50% 25% 0%"},
		{"0.1..0.2:3", "0.1 0.15 0.2"},
	} {
		g, problems, err := grid(t, swept, "duration="+c.axis)
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v %v", c.axis, problems, err)
			continue
		}
		if got := strings.Join(g.File.Scenarios[0].Axes[0].Values, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.axis, got, c.want)
		}
	}
}

// TestGridCells checks the order of cells, and the values of a range.
func TestGridCells(t *testing.T) {
	g, problems, err := grid(t, swept, "traffic[0].rate=100/s..10k/s:5:log", "topology.clients=1..4:4")
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	var got []string
	for i := range g.Len() {
		got = append(got, strings.Join(g.Cell(i).Values(), " "))
	}
	if g.Len() != 20 || got[0] != "100/s 1" || got[1] != "100/s 2" || got[5] != "316/s 2" || got[19] != "10k/s 4" {
		t.Errorf("%d cells: %q", g.Len(), got)
	}
	f, found := scenarios.Load("s.yaml", []byte(swept+"    vary: {r: {of: duration, from: 100ms, to: 1s, steps: 4, scale: log}}\n"), ".", sim.Catalog())
	if len(found) > 0 {
		t.Fatal(found)
	}
	if want := "r: {of: duration, values: [100ms, 215ms, 464ms, 1s]}"; !strings.Contains(string(f.Effective()), want) {
		t.Errorf("%s is missing in\n%s", want, f.Effective())
	}
	f, found = scenarios.Load("s.yaml", []byte(swept+"    vary: {r: {of: v1.2.local_limit, values: [off, {share: 1.5}]}}\n"), ".", sim.Catalog())
	if want := "r: {of: algorithms.v1.2.local_limit, values: [off, {share: 1.5}]}"; len(found) > 0 || !strings.Contains(string(f.Effective()), want) {
		t.Errorf("%s is missing in\n%s%v", want, f.Effective(), found)
	}
	f, _ = scenarios.Load("s.yaml", []byte(swept+"    vary: {r: {of: duration, from: 100ms, to: 1s, steps: 4, scale: log}}\n"), ".", sim.Catalog())
	numbers, unit := f.Scenarios[1].Axes[0].Numbers()
	if fmt.Sprint(numbers) != "[0.1 0.215 0.464 1]" || unit != "s" {
		t.Errorf("numbers %v %s", numbers, unit)
	}
}
