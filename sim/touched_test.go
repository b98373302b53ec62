package sim_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// touchedBy returns what the only fault of a document touched in a row.
func touchedBy(t simtest.T, d *results.Document, algorithm string) results.Touched {
	t.Helper()
	i := gate.RowOf(d, d.Scenarios[0].Name, algorithm)
	if i < 0 || len(d.Results[i].Touched) != 1 {
		t.Fatalf("no row %s with one fault: %+v", algorithm, d.Results)
	}
	return d.Results[i].Touched[0]
}

// TestTouched checks what a fault of each kind touches against a number worked
// out by hand. Requests arrive every 10 ms at four clients in turn, with the same
// key; the fault is mostly in force from 2 s to 4 s.
func TestTouched(t *testing.T) {
	const options = `
  store:   {enforcement: remote, counter: token-bucket, service_time: 0ns, store_service_time: 1ms}
  owners:  {enforcement: remote, counter: token-bucket, store: false, route: hash}
  reports: {preset: batch-reported, interval: 100ms, phase: aligned}
`
	covered := map[string]bool{}
	for _, c := range []struct {
		algorithm, fault string
		want             int64
	}{
		{"store", "store-down: {from: 2s, to: 4s}", 200},                                               // each request is a call
		{"store", "store-down: {from: 2s, to: 4s, lose: 1s}", 300},                                     // and those of the second before have written
		{"store", "network: {from: 2s, to: 4s, latency: 5ms}", 2 * 200},                                // to the replica, and to the store
		{"store", "network: {from: 2s, to: 4s, latency: 1ms}", 0},                                      // as without the fault
		{"store", "partition: {from: 2s, to: 4s, clients: [1]}", 50},                                   // every fourth request
		{"store", "slow-server: {from: 2s, to: 4s}", 200},                                              // at the store
		{"store", "store-latency: {from: 2s, to: 4s, add: 200ms}", 200},                                // each request is a call
		{"store", "server-latency: {from: 2s, to: 4s, factor: 3}", 200},                                // to the replica
		{"reports", "server-latency: {from: 2s, to: 4s, add: 1ms}", 20 * 4},                            // responses belong to their call
		{"owners", "server-crash: {from: 2s, server: owner, noticed_after: 2s}", 1 + 200},              // the key, and the calls
		{"owners", "server-crash: {from: 2s, server: each, noticed_after: 2s}", 1 + 200},               // the others own no key
		{"owners", "server-restart: {from: 2s, servers: owner, down_for: 1s}", 1 + 100},                // the same for one second
		{"owners", "server-restart: {from: 2s, servers: owner, down_for: 1s, state: kept}", 100},       // and no state is lost
		{"owners", "server-restart: {from: 2s, down_for: 1s, every: 4s}", 2 * (1 + 100)},               // twice
		{"reports", "reshard: {from: 1s, every: 2s, share: 100%}", 5},                                  // at 1, 3, 5, 7 and 9 s
		{"owners", "server-added: {from: 2s}", 1},                                                      // the key moves
		{"owners", "server-removed: {from: 2s, server: 1}", 0},                                         // it owns no key
		{"owners", "server-removed: {from: 2s, server: 2, stale_for: 1s, two_owners_for: 1s}", 1},      // the key moves
		{"owners", "server-removed: {from: 2s, server: 2, stale_for: 1s}", 1 + 100},                    // and calls to the removed server fail
		{"owners", "server-removed: {from: 2s, server: 2, stale_for: 1s, stale_clients: [3]}", 1 + 25}, // of which every fourth
		{"store", "server-added: {from: 2s}", 200},                                                     // a quarter of the calls of 8 s
		{"store", "server-removed: {from: 2s, server: 0}", 399},                                        // before every other call of 8 s it would be its turn
		{"reports", "report-loss: {from: 2s, to: 4s, p: 100%}", 20 * 4},                                // no response follows
		{"reports", "report-delay: {from: 2s, to: 4s, delay: 10ms}", 2 * 20 * 4},                       // reports and responses
		{"reports", "report-reorder: {from: 2s, to: 4s, p: 100%, delay: 10ms}", 2 * 20 * 4},            // the same
		{"reports", "report-duplicate: {from: 2s, to: 4s, p: 100%}", 20 * 4},                           // responses arrive once
		{"reports", "clock: {from: 2s, to: 4s, ahead: 1s, share: 50%}", 2},                             // clients
		{"reports", "autoscale: {stages: [{from: 2s, clients: 1}, {from: 4s, clients: 4}]}", 6},        // three stop, three start
		{"reports", "policy-change: {from: 2s, to: 4s, factor: 2}", 1},                                 // the key
		{"reports", "policy-change: {from: 9999ms, factor: 2}", 0},                                     // no request follows
	} {
		kind, _, _ := strings.Cut(c.fault, ":")
		covered[kind] = true
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
algorithms:%s
scenarios:
  - name: touched
    policy: {limit: 1000/s}
    topology: {clients: 4, servers: 3, network: 1ms}
    traffic: [{pattern: constant, rate: 100/s, spread: even}]
    algorithms: [%s]
    faults: [{%s}]
`, options, c.algorithm, c.fault))
		got := touchedBy(t, d, c.algorithm)
		missed := 0
		if c.want == 0 {
			missed = got.Missed
		}
		if want := (results.Touched{Affects: true, Mean: float64(c.want), Min: c.want, Max: c.want, Missed: missed}); got != want {
			t.Errorf("%s touched %+v in %s, want %d", c.fault, got, c.algorithm, c.want)
		}
	}
	for _, kind := range scenarios.FaultKinds() {
		if !covered[kind.Name] {
			t.Errorf("no case of %s", kind.Name)
		}
		if kind.Unit == "" || kind.Touches == "" {
			t.Errorf("%s does not declare what it touches", kind.Name)
		}
	}
}

// crash returns a scenario in which one server of eight crashes. Server 7 owns
// the only key.
func crash(fault string) string {
	return `
version: 1
replications: 2
scenarios:
  - name: crash
    policy: {limit: 1000/s, burst: 100}
    duration: 20s
    topology: {clients: 10, servers: 8}
    traffic: [{pattern: poisson, rate: 3000/s}]
    faults: [{server-crash: {from: 10s, ` + fault + `}}]
    algorithms: [batch-reported, token-bucket]
    expect: {batch-reported: {over_limit_pct: "<= 1000"}, token-bucket: {over_limit_pct: "<= 1000"}}
`
}

// TestNothingTouched checks that a fault that touches nothing is a warning and
// leaves the expectations on its rows unevaluated, unless it is expected to touch
// nothing.
func TestNothingTouched(t *testing.T) {
	owner := ""
	for server := range 8 {
		fault := fmt.Sprintf("server: %d", server)
		if d := simtest.Run(t, crash(fault)); touchedBy(t, d, "batch-reported").Max > 0 {
			owner += fault
		}
	}
	const unevaluated, passed = gate.Unevaluated, gate.Passed
	for _, c := range []struct {
		fault         string
		reported      gate.Status // of batch-reported
		warning, line string
	}{
		{"server: 1", unevaluated, "server-crash 10s-20s touched 0 calls and keys in batch-reported: the figures are those of a run without the fault", ""},
		{"server: 1, expect_no_effect: true", passed, "", ""},
		{"server: owner", passed, "", ""},
		{owner, passed, "", ""},
		{"server: each", passed, "", ""},
		{"server: owner, expect_no_effect: true", passed, "server-crash 10s-20s has an effect on batch-reported, and the file states expect_no_effect: true", ""},
	} {
		d := simtest.Run(t, crash(c.fault))
		if got := strings.Join(d.Scenarios[0].Warnings, "\n"); got != c.warning {
			t.Errorf("%s: warnings %q, want %q", c.fault, got, c.warning)
		}
		v := gate.Evaluate(d)
		if v.List[0].Status != c.reported || v.List[1].Status != passed || v.Outcome() != c.reported {
			t.Errorf("%s: %v", c.fault, v.All())
		}
		if c.reported == unevaluated && !strings.Contains(v.List[0].Reason, "server-crash 10s-20s touched 0 calls and keys") {
			t.Errorf("%s: reason %q", c.fault, v.List[0].Reason)
		}
	}
}

// TestSometimesTouched checks a fault that misses the only client with requests
// in some replications.
func TestSometimesTouched(t *testing.T) {
	d := simtest.Run(t, `
version: 1
replications: 8
scenarios:
  - name: by chance
    policy: {limit: 100/s}
    duration: 4s
    topology: {clients: 2, network: 1ms}
    traffic: [{pattern: constant, rate: 100/s, spread: {skewed: {shares: [1]}}}]
    faults: [{partition: {from: 1s, to: 2s, share: 50%}}]
    algorithms: [remote]
`)
	got := touchedBy(t, d, "remote")
	want := results.Touched{Affects: true, Mean: 100 * float64(8-got.Missed) / 8, Max: 100, Missed: got.Missed}
	if got != want || got.Missed < 1 || got.Missed > 7 {
		t.Errorf("touched %+v, want %+v", got, want)
	}
	if w := d.Scenarios[0].Warnings; len(w) != 1 || w[0] != fmt.Sprintf("partition 1s-2s touched 0 messages in %d of 8 replications of remote", got.Missed) {
		t.Errorf("warnings %q", w)
	}
}

// TestFaultsWithoutEffect checks that faults that cannot have an effect are
// problems with a position, and that expect_no_effect permits them.
func TestFaultsWithoutEffect(t *testing.T) {
	const (
		central = "token-bucket: enforcement central has none of the affected components"
		memory  = "batch-reported: its servers count in memory, without a store"
	)
	for _, c := range []struct{ algorithms, fault, field, want string }{
		{"token-bucket, batch-reported", "store-down: {from: 1s, to: 2s}", "store-down", "cannot affect an algorithm of this scenario (" + central + "; " + memory + "); set expect_no_effect: true if that is intended"},
		{"token-bucket, remote", "store-down: {from: 1s, to: 2s}", "", ""},
		{"batch-reported", "slow-server: {to: 2s}", "slow-server", "cannot affect an algorithm of this scenario (batch-reported: its servers and its store take no time); set expect_no_effect: true if that is intended"},
		{"batch-reported", "slow-server: {to: 2s, factor: 1}", "slow-server", "has no effect: factor is 1"},
		{"token-bucket, batch-reported", "store-latency: {to: 2s, add: 200ms}", "store-latency", "cannot affect an algorithm of this scenario (" + central + "; " + memory + "); set expect_no_effect: true if that is intended"},
		{"batch-reported", "server-latency: {to: 2s}", "server-latency", "has no effect: it adds nothing; set add, or a factor above 1"},
		{"batch-reported", "report-loss: {p: 0%}", "report-loss", "has no effect: p is 0"},
		{"batch-reported", "partition: {to: 1s, share: 10%}", "partition", "has no effect: it concerns none of the 4 clients"},
		{"batch-reported", "autoscale: {stages: [{clients: 4}]}", "autoscale", "has no effect: all stages have the 4 clients of the topology"},
		{"batch-reported", "server-restart: {state: kept}", "server-restart", "has no effect: servers keep their state and respond at once; set down_for, or state: lost"},
		{"batch-reported", "policy-change: {factor: 1}", "policy-change", "has no effect: factor is 1"},
		{"remote", "reshard: {from: 1s}", "reshard", "cannot affect an algorithm of this scenario (remote: any replica takes any request, and none owns a key); set expect_no_effect: true if that is intended"},
		{"gossip", "server-crash: {server: 3}", "", ""},
		{"batch-reported", "server-crash: {server: owner}", "server-crash.key", "is required for the owner of one of 3 keys: the first keys are key-0, key-1, key-2"},
		{"batch-reported", "server-crash: {server: owner, key: nobody}", "server-crash.key", `no request has the key "nobody": the first keys are key-0, key-1, key-2`},
		{"batch-reported", "server-crash: {server: owner, key: key-1}", "", ""},
	} {
		text := func(fault string) string {
			return fmt.Sprintf(`
version: 1
duration: 10s
algorithms:
  gossip: {preset: flow-proportional-share}
scenarios:
  - name: without
    policy: {limit: 100/s}
    topology: {clients: 4, servers: 4}
    traffic: [{pattern: constant, rate: 100/s, keys: {uniform: 3}}]
    algorithms: [%s]
    faults: [{%s}]
`, c.algorithms, fault)
		}
		check := func(text string) (list []string) {
			problems, err := sim.Check(context.Background(), simtest.Load(t, text), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				list = append(list, p.String())
			}
			return list
		}
		var want []string
		if c.want != "" {
			want = []string{"test.yaml:12:15: scenarios[0].faults[0]." + c.field + ": " + c.want}
		}
		if diff := cmp.Diff(want, check(text(c.fault))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.fault, diff)
		}
		if expected := strings.TrimSuffix(c.fault, "}") + ", expect_no_effect: true}"; !strings.HasSuffix(c.field, "key") {
			if got := check(text(expected)); got != nil {
				t.Errorf("%s: %v", expected, got)
			}
		}
	}
}

// TestUntouchedFiguresAreThoseWithoutFault draws faults and checks that a row in
// which a fault touched nothing has the figures of a run without the fault.
func TestUntouchedFiguresAreThoseWithoutFault(t *testing.T) {
	var presets []string
	for _, p := range sim.Catalog().Counting() {
		presets = append(presets, p.Name)
	}
	presets = append(presets, "asking", "sharded", "sliced", "quick")
	untouched, touched := map[string]int{}, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(rt, name) }
		ms := func(name string, least, most int) string {
			return fmt.Sprintf("%dms", rapid.IntRange(least, most).Draw(rt, name))
		}
		from := rapid.IntRange(1, 2900).Draw(rt, "from")
		to := fmt.Sprintf("%dms", from+rapid.SampledFrom([]int{1, 10, 100, 3000}).Draw(rt, "lasts"))
		begins := fmt.Sprintf("from: %dms", from)
		server := pick("server", "0", "1", "2", "owner, key: key-0")
		fault := map[string]string{
			"report-loss":      "to: " + to + ", p: 30%",
			"report-delay":     "to: " + to + ", delay: 20ms",
			"report-duplicate": "to: " + to + ", p: 50%",
			"report-reorder":   "to: " + to + ", p: 50%, delay: 30ms",
			"network":          "to: " + to + ", latency: " + pick("latency", "2ms", "30ms"),
			"partition":        "to: " + to + ", clients: [" + pick("client", "0", "1", "2") + "]",
			"clock":            "to: " + to + ", ahead: 700ms, clients: [" + pick("client", "0", "1", "2") + "]",
			"store-down":       "to: " + to + ", lose: " + ms("lose", 0, 300),
			"server-restart":   "servers: " + server + ", down_for: " + ms("down", 0, 300) + ", state: " + pick("state", "lost", "kept"),
			"server-crash":     "server: " + server + ", noticed_after: " + ms("noticed", 0, 200) + ", down_for: " + ms("down", 1, 400),
			"reshard":          "share: " + pick("share", "20%", "100%") + ", two_owners_for: " + ms("both", 0, 50) + ", stale_for: " + ms("stale", 0, 50),
			"server-added":     "stale_share: " + pick("stale share", "0%", "34%", "100%") + ", stale_for: " + ms("stale for", 0, 300),
			"server-removed":   "server: " + pick("removed", "0", "1", "2") + ", two_owners_for: " + ms("answers", 0, 50) + ", stale_for: " + ms("stale after", 0, 50),
			"slow-server":      "to: " + to,
			"store-latency":    "to: " + to + ", add: 30ms",
			"server-latency":   "to: " + to + ", factor: 5",
			"policy-change":    "to: " + to + ", factor: 2",
		}
		var kinds []string
		for _, k := range scenarios.FaultKinds() {
			if k.Name != "autoscale" { // it always touches clients
				kinds = append(kinds, k.Name)
			}
		}
		kind := pick("kind", kinds...)
		text := func(faults string) string {
			return fmt.Sprintf(`
version: 1
replications: 1
duration: 6s
algorithms:
  asking: {preset: sre-throttle, backend: remote, timeout: 500ms}
  sharded: {enforcement: remote, counter: token-bucket, store: false, route: %s}
  sliced: {preset: batch-reported, sharding: %s}
  quick: {preset: doorman-proportional, lease: 1s, refresh: 200ms, learning: 500ms, retry: 100ms}
scenarios:
  - name: drawn
    policy: {limit: 20/s, burst: 10}
    topology: {clients: 3, servers: 3, network: 2ms}
    traffic:
      - {pattern: constant, rate: %s/s, from: %s, to: %s, keys: {uniform: %s}, spread: %s}
      - {pattern: constant, rate: 5/s, to: 10ms, keys: {uniform: 3}}
    algorithms: [%s]
%s`, pick("route", "hash", "ring", "modulo"), pick("sharding", "ring", "slices", "modulo"), pick("rate", "10", "60"), ms("begins", 0, 3000), ms("ends", 3001, 6000), pick("keys", "1", "3"),
				pick("spread", "even", "{skewed: {shares: [1]}}"), strings.Join(presets, ", "), faults)
		}
		without := text("")
		i := strings.LastIndex(without, "\n")
		with := without[:i+1] + fmt.Sprintf("    faults: [{%s: {%s, expect_no_effect: true, %s}}]\n", kind, begins, strings.TrimSuffix(fault[kind], ","))
		well, ill := simtest.Run(rt, without), simtest.Run(rt, with)
		for _, p := range presets {
			if n := touchedBy(rt, ill, p).Max; n > 0 {
				touched[kind]++
				continue
			}
			untouched[kind]++
			a, b := well.Results[gate.RowOf(well, "drawn", p)], ill.Results[gate.RowOf(ill, "drawn", p)]
			b.Touched, b.Exact, b.FollowsTraffic = a.Touched, a.Exact, a.FollowsTraffic
			if diff := cmp.Diff(a, b); diff != "" {
				rt.Errorf("%s touched nothing in %s, but the figures differ (-without +with):\n%s", kind, p, diff)
			}
		}
	})
	t.Logf("touched %v, untouched %v", touched, untouched)
}
