package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// sidecarCase returns a scenario of one limiter x, for all policies or one.
func sidecarCase(limiter, sidecar, from, policies, rest string) string {
	return fmt.Sprintf(`
version: 1
duration: 3s
policies:
  one: {limit: 100/s, burst: 20, per: workspace}
  two: {limit: 60/s, burst: 10, per: user}
topologies:
  fleet: {clients: 4, servers: 3, network: {constant: {time: 1ms}}}
algorithms:
  x: {%s, sidecar: %s}
scenarios:
  - name: s
    topology: fleet
    %s
    traffic: [{pattern: constant, rate: 700/s, from: %s, keys: {uniform: {count: 3}}}]
    algorithms: [x]
    %s
`, limiter, sidecar, policies, from, rest)
}

// overEach returns a limiter over each of its counters, as YAML.
func overEach(l *engine.Limiter) (list []string) {
	over := l.Entry.Over
	if l.Entry.Name == "central" {
		over = catalog.Names(limiters.Counters())
	}
	for _, c := range over {
		text := fmt.Sprintf("enforcement: %s, counter: %s", l.Entry.Name, c)
		if l.Entry.Name == "batch-reported" && c == "token-bucket" {
			text += ", debt: true"
		}
		list = append(list, text)
	}
	if l.Entry.Name == "sql" {
		list = append(list, list[0]+", when_short: wait, max_wait: 200ms")
	}
	if len(list) == 0 {
		list = []string{"enforcement: " + l.Entry.Name}
	}
	return list
}

// A sidecar moves each decision half a hop after the arrival, and the gateway has
// it another half later. Nothing else changes: the limiter decides as it would if
// the requests had arrived half a hop later.
func TestSidecarMovesDecisions(t *testing.T) {
	tested := 0
	for _, l := range limiters.All() {
		if !l.Sidecar {
			continue
		}
		tested++
		for _, limiter := range overEach(l) {
			cases := []string{"policy: one"}
			switch {
			case l.OnePolicy != "" || strings.Contains(limiter, "counter: rover"):
			case l.Entry.Name == "prefetch" || l.Entry.Name == "client-throttle":
				// Clients that wait, or a throttle in front of several servers, need one policy.
			default:
				cases = append(cases, "policies: [one, two]")
			}
			for _, policies := range cases {
				t.Run(limiter+", "+policies, func(t *testing.T) {
					aside := simtest.Decisions(t, sidecarCase(limiter, "4ms", "10ms", policies, ""))["x"]
					later := simtest.Decisions(t, sidecarCase(limiter, "none", "12ms", policies, ""))["x"]
					checkMoved(t, aside, later)
				})
			}
		}
	}
	if tested < 12 {
		t.Errorf("only %d limiters have a sidecar", tested)
	}
}

// checkMoved compares the decisions behind a hop of 4 ms with those of the limiter
// itself about requests that arrive 2 ms later.
func checkMoved(t *testing.T, aside, later []sim.Decision) {
	t.Helper()
	const ms = 1_000_000
	byAttempt := map[int64]sim.Decision{}
	for _, d := range later {
		byAttempt[d.Attempt] = d
	}
	compared := 0
	for _, d := range aside {
		want := byAttempt[d.Attempt]
		if d.Verdict == "waiting" || want.Verdict == "waiting" || want.Verdict == "" {
			continue
		}
		compared++
		if d.Verdict != want.Verdict || d.Cause != want.Cause || d.DecidedNs != want.DecidedNs+2*ms {
			t.Fatalf("attempt %d is %s by %s at %d ns, want %s by %s 2 ms after %d ns", d.Attempt, d.Verdict, d.Cause, d.DecidedNs, want.Verdict, want.Cause, want.DecidedNs)
		}
		if want.DecidedNs == d.ArrivalNs+2*ms && d.DecidedNs != d.ArrivalNs+4*ms {
			t.Fatalf("attempt %d is decided at %d ns, want 4 ms after %d ns", d.Attempt, d.DecidedNs, d.ArrivalNs)
		}
	}
	if compared < 1000 {
		t.Errorf("compared %d attempts only", compared)
	}
}

// A sidecar without latency changes no decision, with retries, faults and a backend.
func TestSidecarWithoutLatency(t *testing.T) {
	for _, rest := range []string{
		"retries: {attempts: 2, backoff: {constant: {time: 3ms}}}",
		"retries: {attempts: 2, backoff: {retry-after: {spread: 5ms}}}",
		"faults: [{partition: {from: 1s, to: 2s, share: 50%}}]",
		"faults: [{policy-change: {from: 1500ms, to: 2s, factor: 0.5}}]",
		"guard: {concurrency: 2, service_time: {constant: {time: 10ms}}}",
	} {
		for _, l := range limiters.All() {
			if !l.Sidecar || strings.Contains(rest, "partition") && (!l.IsAffectedBy("partition") || l.Entry.Name == "client-throttle") {
				continue
			}
			limiter := overEach(l)[0]
			t.Run(limiter+", "+rest, func(t *testing.T) {
				none := simtest.Decisions(t, sidecarCase(limiter, "none", "10ms", "policy: one", rest))["x"]
				zero := simtest.Decisions(t, sidecarCase(limiter, "0s", "10ms", "policy: one", rest))["x"]
				if diff := cmp.Diff(none, zero, cmpopts.IgnoreFields(sim.Decision{}, "Level")); diff != "" {
					t.Errorf("a sidecar without latency changes decisions (-none +0s):\n%.2000s", diff)
				}
			})
		}
	}
}

// Requests overtake each other on the way to a sidecar, and the limiter decides
// them in the order in which they reach it: of two requests for one token, the one
// that arrives second wins if its hop is shorter.
func TestSidecarDecidesInOrderOfItsOwn(t *testing.T) {
	text := sidecarCase("preset: token-bucket", "{exponential: {p99: 40ms}}", "0s", "policy: {limit: 1/s, burst: 1}", "")
	for _, d := range simtest.Decisions(t, text)["x"] {
		if d.Verdict == "admitted" && d.Attempt == 0 {
			t.Error("the first arrival is admitted although later ones reach the sidecar before it")
		}
	}
}
