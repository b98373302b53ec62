package sim_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

var (
	drawnTraffic = regexp.MustCompile(`(?s)    traffic:\n.*?    algorithms:`)
	drawnRollout = regexp.MustCompile(`, rollout: \{[^}]*\}`)
	drawnKeys    = regexp.MustCompile(`, keys: \{\w+: \{[^}]*\}\}|, key: other`)
	drawnTenants = regexp.MustCompile(`, tenants: \{\w+: \{[^}]*\}\}`) // a list of requests has none
	drawnRows    = regexp.MustCompile(`    algorithms: \[.*\]`)
)

// replayed returns a drawn scenario without its rollout, with one algorithm, and
// with the attempts of a decision log as its traffic.
func replayed(text, algorithm string, attempts []sim.Decision) string {
	var events strings.Builder
	for i := range attempts {
		a := &attempts[i]
		fmt.Fprintf(&events, "{at: %dns, key: %q, client: %d, cost: %d}, ", a.ArrivalNs, a.Key, a.Client, a.Cost)
	}
	text = drawnTraffic.ReplaceAllLiteralString(text, "    traffic:\n      - {pattern: list, events: ["+strings.TrimSuffix(events.String(), ", ")+"]}\n    algorithms:")
	return drawnRows.ReplaceAllLiteralString(drawnRollout.ReplaceAllLiteralString(text, ""), "    algorithms: ["+algorithm+"]")
}

// TestRolloutSplits checks that a fleet in a rollout whose algorithms have services
// of their own decides every request as two separate fleets do: the old algorithm
// that of clients that are not converted yet, the new one the others. The backend
// holds any number of requests, so it connects the two in nothing.
func TestRolloutSplits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, to, rows, converted := draw.Rollout(t, 1, "")
		old := rapid.SampledFrom(rows).Draw(t, "old")
		peers := []string{"global-random-drop", "flow-proportional-share", "gubernator-global", "gubernator-global-leaky"}
		if slices.Contains(peers, old) || slices.Contains(peers, to) {
			text = drawnKeys.ReplaceAllLiteralString(text, "") // numbers of keys decide about owners and draws
		}
		splits(t, text, old, to, converted)
	})
}

// TestRolloutBackend checks the same for limiters that the backend tells when it
// has completed a request, and for gateways that ask through a sidecar.
func TestRolloutBackend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, to, _, converted := draw.Rollout(t, 1, "")
		pair := rapid.SampledFrom([][2]string{{"refusing", "rover-capped"}, {"rover-capped", "refusing"}, {"rover-capped", "token-bucket"}, {"batch-debt", "rover-capped"}, {"rover-capped", "rover-capped"}, {"beside", "token-bucket"}, {"rover-capped", "beside"}, {"beside", "refusing"}, {"beside", "beside"}}).Draw(t, "pair")
		text = strings.Replace(text, "scenarios:\n", "  beside: {preset: batch-debt-local, sidecar: {exponential: {p99: 5ms}}}\nscenarios:\n", 1)
		text = strings.Replace(text, "rollout: {to: "+to+",", "rollout: {to: "+pair[1]+",", 1)
		splits(t, text, pair[0], pair[1], converted)
	})
}

func splits(t *rapid.T, text, old, to string, converted []int64) {
	text = regexp.MustCompile(`    guard: .*\n`).ReplaceAllLiteralString(text, "")
	text = strings.Replace(text, "    traffic:\n", "    guard: {concurrency: 1000000, service_time: 10ms}\n    traffic:\n", 1)
	text = strings.Replace(text, "servers: 2", "servers: 1", 1)
	text = drawnTenants.ReplaceAllLiteralString(drawnRows.ReplaceAllLiteralString(text, "    algorithms: ["+old+"]"), "")
	mixed := byAttempt(simtest.Decisions(t, text)[old])
	var parts [2][]sim.Decision
	for _, d := range mixed {
		stage := 0
		if at := converted[d.Client]; at >= 0 && d.ArrivalNs >= at {
			stage = 1
		}
		parts[stage] = append(parts[stage], d)
	}
	for stage, algorithm := range []string{old, to} {
		if len(parts[stage]) == 0 {
			continue
		}
		alone := replayed(text, algorithm, parts[stage])
		want := byAttempt(simtest.Decisions(t, alone)[algorithm])
		if len(want) != len(parts[stage]) {
			t.Fatalf("%d attempts of %d\n%s", len(want), len(parts[stage]), alone)
		}
		for i, got := range parts[stage] {
			if g, w := told(got), told(want[i]); g != w {
				t.Fatalf("attempt %d of stage %d, %s:\n%s in the fleet\n%s alone\n%s\n%s", i, stage, algorithm, g, w, text, alone)
			}
		}
	}
}

// byAttempt sorts a decision log.
func byAttempt(list []sim.Decision) []sim.Decision {
	slices.SortFunc(list, func(a, b sim.Decision) int { return int(a.Attempt - b.Attempt) })
	return list
}

// told returns what a limiter decides about an attempt.
func told(d sim.Decision) string {
	level := "unknown"
	if d.Level != nil {
		level = fmt.Sprint(*d.Level)
	}
	return fmt.Sprintf("%s at %d by %s: decided %d, dispatched %d, level %s, retry after %d", d.Key, d.ArrivalNs, d.Verdict+" "+d.Cause, d.DecidedNs, d.DispatchedNs, level, d.RetryAfterNs)
}

// rowsOf returns the rows of a document by algorithm.
func rowsOf(d *results.Document) map[string]results.Result {
	rows := map[string]results.Result{}
	for _, r := range d.Results {
		rows[r.Algorithm] = r
	}
	return rows
}

// TestRolloutEnds checks that a rollout to no client has the figures of the old
// algorithms, and one to all clients those of the new one.
func TestRolloutEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, to, rows, _ := draw.Rollout(t, 2, "")
		rows = slices.DeleteFunc(rows, func(name string) bool { return name != to && rapid.IntRange(0, 9).Draw(t, "leave out") > 0 })
		text = draw.Retries(t, drawnRows.ReplaceAllLiteralString(text, "    algorithms: ["+strings.Join(rows, ", ")+"]"))
		rollout := func(share string) string {
			return drawnRollout.ReplaceAllLiteralString(text, ", rollout: {to: "+to+", share: "+share+"}")
		}
		plain := rowsOf(simtest.Run(t, drawnRollout.ReplaceAllLiteralString(text, "")))
		none, all := rowsOf(simtest.Run(t, rollout("0%"))), rowsOf(simtest.Run(t, rollout("100%")))
		for _, name := range rows {
			same(t, text, none[name], plain[name])
			if all[name].ComparedWith == plain[to].ComparedWith {
				same(t, text, all[name], plain[to])
			}
		}
	})
}

// TestRolloutCounts checks that every attempt of a fleet in a rollout ends as
// admitted, rejected or waiting, with a backend, retries, several policies and
// faults.
func TestRolloutCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, _, _, _ := draw.Rollout(t, 1, "")
		text = draw.Retries(t, text)
		if rapid.Bool().Draw(t, "faults") {
			text = strings.Replace(text, "    traffic:\n", "    faults: [{server-crash: {from: 500ms, down_for: 300ms, server: 1, expect_no_effect: true}}, {partition: {from: 700ms, to: 1200ms, share: 50%, expect_no_effect: true}}, "+
				"{policy-change: {from: 900ms, factor: 200%}}]\n    traffic:\n", 1)
		}
		for _, r := range simtest.Run(t, text).Results {
			for _, unit := range []string{"requests", "cost"} {
				of := func(name string) float64 { return *r.Metrics[name+"_"+unit].Values[0] }
				if of("offered") != of("admitted")+of("rejected")+of("waiting") {
					t.Fatalf("%s: %v %s offered, %v admitted, %v rejected, %v waiting\n%s", r.Algorithm, of("offered"), unit, of("admitted"), of("rejected"), of("waiting"), text)
				}
			}
		}
	})
}

// TestRolloutOfTwoServices checks the closed form of two exact limiters with
// services of their own: the fleet admits min(offered, limit) of each part.
func TestRolloutOfTwoServices(t *testing.T) {
	for converted := range 5 {
		for _, rate := range []int{500, 1200, 1600, 3000} {
			d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
warmup: 2s
scenarios:
  - name: fleet
    policy: {limit: 1000/s, burst: 50}
    topology: {clients: 4, rollout: {to: token-bucket, share: %d/4}}
    traffic: [{pattern: constant, rate: %d/s}]
    algorithms: [gcra]
`, converted, rate))
			part := float64(rate) * float64(converted) / 4
			want := min(part, 1000) + min(float64(rate)-part, 1000)
			if got := simtest.Mean(t, d, "fleet", "gcra", "admitted_requests") / 18; got < want-1 || got > want+1 {
				t.Errorf("%d of 4 clients converted, %d/s offered: %v/s admitted, want %v", converted, rate, got, want)
			}
		}
	}
}

// TestRolloutOfRequestsThatMove checks that a request whose gateway stops is
// decided by the limiter of the gateway that it moves to.
func TestRolloutOfRequestsThatMove(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
scenarios:
  - name: fleet
    policy: {limit: 1000/s, burst: 50}
    topology: {clients: 4, rollout: {to: token-bucket, share: 50%}}
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [gcra]
    faults: [{autoscale: {stages: [{from: 10s, clients: 2}]}}]
`)
	// Two services for 10 s, then one, of the two gateways that are left.
	simtest.Between(t, d, "fleet", "gcra", "admitted_requests", 29_990, 30_110) // and two bursts
}

// TestRolloutOfPolicies checks that both parts of a fleet decide under all policies.
func TestRolloutOfPolicies(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
policies:
  wide:   {limit: 1000/s, burst: 1, shared: true}
  narrow: {limit: 500/s, burst: 1, shared: true}
scenarios:
  - name: fleet
    policies: [wide, narrow]
    topology: {clients: 4, rollout: {to: token-bucket, share: 50%}}
    traffic: [{pattern: constant, rate: 4000/s}]
    algorithms: [gcra, sharded-memory]
`)
	if got := d.Results[1].Rollout; got != "2 of 4 clients to token-bucket" {
		t.Errorf("the document states %q", got)
	}
	simtest.Between(t, d, "fleet", "gcra", "admitted_requests", 19_990, 20_010) // twice the narrow limit
	simtest.Between(t, d, "fleet", "sharded-memory", "admitted_requests", 19_990, 20_010)
	simtest.Between(t, d, "fleet", "sharded-memory", "server_calls_per_s", 1990, 2010) // of its half
}
