package sim_test

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// TestOneDescriptorIsAKey checks that one descriptor under the only policy has the
// same results as a key.
func TestOneDescriptorIsAKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.Retries(t, draw.Scenario(t, 2, "", multiPolicyAlgorithms))
		_, policy, _ := strings.Cut(text, "policy: {limit: ")
		policy, _, _ = strings.Cut(policy, ",")
		a := simtest.Run(t, text)
		b := simtest.Run(t, strings.ReplaceAll(text, ", spread: ", ", descriptors: {"+policy+": {count: 1}}, spread: "))
		for i := range b.Results { // keys of descriptors are named after their policy
			b.Results[i].WorstKey = strings.TrimPrefix(b.Results[i].WorstKey, policy+"/")
		}
		for _, part := range []struct {
			name string
			a, b any
		}{{"results", a.Results, b.Results}, {"series", a.Series, b.Series}, {"shares", a.Shares, b.Shares}, {"histograms", a.Histograms, b.Histograms}} {
			if !reflect.DeepEqual(part.a, part.b) {
				t.Fatalf("%s differ\n%s", part.name, text)
			}
		}
	})
}

// multiPolicyAlgorithms are the presets that support multi-policy scenarios.
const multiPolicyAlgorithms = "fixed-window, sliding-window-log, sliding-window-counter, token-bucket, gcra, local-full, local-divided, windows-of-clients, " +
	"batch-reported, rejection-rate, rejection-rate-local, batch-debt, lossy, remote, remote-cached, sharded-memory, blocking-batches, " + instances

// instances are those of them in which clients run a limiter for each policy, and
// client-throttle.
const instances = "gubernator-global, gubernator-global-leaky, apisix-delayed-sync, apisix-delayed-sync-before, kong-sync, global-random-drop, flow-proportional-share, " +
	"eager, leasing, sre-throttle"

// TestMultiPolicy checks invariants under three policies. Every attempt ends once.
// The reference has no error against itself. An exact limiter that charges no
// policy for a rejection equals the reference. Rejections never make a limiter
// exceed its guarantee.
func TestMultiPolicy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.Retries(t, draw.MorePolicies(t, draw.Scenario(t, 1, "", multiPolicyAlgorithms+", exact, charging, draining, thorough")))
		text = strings.Replace(text, "algorithms:\n", `algorithms:
  exact: {preset: gcra, charge: none}
  charging: {preset: token-bucket, charge: all}
  draining: {preset: fixed-window, refusal: drains}
  thorough: {preset: token-bucket, charge: none, refusal: drains}
`, 1)
		d := simtest.Run(t, text)
		rows := map[string]results.Result{}
		for _, r := range d.Results {
			rows[r.Algorithm] = r
			of := func(name string) float64 { return *r.Metrics[name].Values[0] }
			for _, unit := range []string{"_cost", "_requests"} {
				if of("offered"+unit) != of("admitted"+unit)+of("rejected"+unit)+of("waiting"+unit) {
					t.Fatalf("%s: %v%s offered, %v admitted, %v rejected, %v waiting\n%s", r.Algorithm,
						of("offered"+unit), unit, of("admitted"+unit), of("rejected"+unit), of("waiting"+unit), text)
				}
			}
		}
		zero := func(algorithm string, metrics ...string) {
			for _, m := range metrics {
				if x := rows[algorithm].Metrics[m].Mean; x != nil && *x != 0 {
					t.Fatalf("%s: %s is %v\n%s", algorithm, m, *x, text)
				}
			}
		}
		zero("reference", "over_admission_pct", "under_admission_pct", "burst_excess", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct")
		zero("fixed-window", "over_limit_pct_max")
		zero("draining", "over_limit_pct_max")
		if strings.Contains(text, "reference: token-bucket") {
			for _, exact := range []string{"token-bucket", "gcra", "exact", "charging", "thorough"} {
				zero(exact, "burst_excess", "accumulated_excess")
			}
			zero("exact", "lead_max", "lag_max")
		}
		simtest.Encode(t, d)
		if want := 3 * len(d.Results); len(d.ByPolicy) != want || len(d.PolicySeries) != want {
			t.Fatalf("%d rows and %d series by policy, want %d", len(d.ByPolicy), len(d.PolicySeries), want)
		}
	})
}

// A policy counts what its scenario's requests cost, unless it counts requests.
func TestUnitsOfPolicies(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 3s
replications: 1
scenarios:
  - name: two
    policies: [{limit: 10/s, counts: requests}, {limit: 50/s}]
    traffic: [{pattern: constant, rate: 20/s, cost: 5}]
    algorithms: [token-bucket]
`)
	var units []string
	for _, alone := range d.PerScenario()[0].PerPolicy() {
		units = append(units, alone.CostUnit())
	}
	if got := strings.Join(units, ", "); got != "requests, tokens" || d.CostUnit() != "tokens" {
		t.Errorf("policies count %s, both together %s", got, d.CostUnit())
	}
}

// TestCountedRequests checks the document of requests that cost 5, one of which in a
// second is admitted for each of two keys under a limit of requests. What is against the
// limit counts requests, and the shares of tenants are cost, which are the keys or not.
func TestCountedRequests(t *testing.T) {
	text := `
version: 1
duration: 10s
scenarios:
  - name: counted
    policy: {limit: 1/s, burst: 1, counts: requests, per: user}
    traffic: [{pattern: constant, rate: 4/s, keys: {uniform: {count: 2}}, cost: 5, offset: 1ms}]
    algorithms: [token-bucket]
  - name: two
    policies: [{limit: 1/s, burst: 1, counts: requests}, {limit: 100/s}]
    traffic: [{pattern: constant, rate: 4/s, cost: 5}]
    algorithms: [token-bucket]
`
	for _, text := range []string{text, strings.Replace(text, "cost: 5, offset", "cost: 5, tenants: {uniform: 3}, offset", 1)} {
		d := simtest.Run(t, text)
		if _, err := results.Decode(bytes.NewReader(simtest.Encode(t, d))); err != nil {
			t.Errorf("the document cannot be read: %v", err)
		}
		part := d.PerScenario()[0]
		if got := part.CostUnit(); got != "requests" {
			t.Errorf("figures count %s", got)
		}
		admitted, requests := int64(0), *simtest.Summary(t, d, "counted", "token-bucket", "dispatched_requests").Values[0]
		for _, n := range part.Series[1].Admitted {
			admitted += n
		}
		if float64(admitted) != requests {
			t.Errorf("%d admitted over time, but %v requests", admitted, requests)
		}
		shares := int64(0)
		for _, s := range part.Shares[1].Tenants {
			shares += s.Admitted
		}
		if float64(shares) != 5*requests {
			t.Errorf("the tenants have %d, but %v requests of 5", shares, requests)
		}
	}
}

// TestSinglePolicyLimitersAreRejected checks that a limiter for one policy and one
// descriptor gets a problem with its position in a multi-policy scenario.
func TestSinglePolicyLimitersAreRejected(t *testing.T) {
	f := simtest.Load(t, `
version: 1
duration: 10s
algorithms:
  draining: {preset: leaky-bucket, refusal: drains}
  sre-remote: {preset: sre-throttle, backend: remote}
scenarios:
  - name: two
    policies: [{limit: 10/s}, {limit: 5/s}]
    topology: {servers: 2}
    traffic: [{pattern: constant, rate: 1/s}]
    algorithms: [token-bucket, leaky-bucket, rover, apisix-delayed-sync, remote, rover-shards, prefetch, sql-serializable, sre-remote]
  - {name: one, policy: {limit: 10/s}, traffic: [{pattern: constant, rate: 1/s}], algorithms: [draining]}
`)
	problems, err := sim.Check(context.Background(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	const one = "works with one policy and one descriptor a request, and this scenario has more: "
	want := []string{
		"test.yaml:12:46: scenarios[0].algorithms[2]: rover: counter rover " + one + "a caller sleeps until one bucket has released its claim, and the published algorithm has no claim on several buckets",
		"test.yaml:12:82: scenarios[0].algorithms[5]: rover-shards: enforcement shards " + one + "a request would wait in the queues of several buckets at once, and a claim that has been made keeps its place in one while the others are short",
		"test.yaml:12:96: scenarios[0].algorithms[6]: prefetch: prefetch with when_empty: wait " + one + "a request would wait for tokens of several keys at once, and the sources do not say whether it holds those of one key meanwhile; use when_empty: reject",
		"test.yaml:12:106: scenarios[0].algorithms[7]: sql-serializable: enforcement sql " + one + "the published functions read and write one row, and say neither how a transaction locks the rows of several keys nor which of them it charges if one rejects",
		"test.yaml:12:124: scenarios[0].algorithms[8]: sre-remote: client-throttle with backend: remote and more than one server " + one + "the keys of a request may be on different servers, and the book describes one backend that accepts or rejects a request; use servers: 1",
		"test.yaml:13:96: scenarios[1].algorithms[0]: draining: refusal: drains is for counters that decide at arrival, not for leaky-bucket",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestCostsUnderMultiPolicy checks that a cost counts only under the policies that
// apply to the request: a bucket need not be large enough for others.
func TestCostsUnderMultiPolicy(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 2s
scenarios:
  - name: large
    policies: [{limit: 50/s, burst: 50}, {limit: 5/s, burst: 5}, {limit: 1/s}]
    traffic:
      - {pattern: list, events: [{at: 0s, cost: 50}], descriptors: {5/s: none, 1/s: none}}
      - {pattern: list, events: [{at: 1s, count: 10}], descriptors: {1/s: none}}
    algorithms: [token-bucket]
`)
	if got, want := d.Scenarios[0].Warnings, []string{"policy 1/s applies to no request"}; !reflect.DeepEqual(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	simtest.Exactly(t, d, "large", "reference", "admitted_cost", 55)
	simtest.Exactly(t, d, "large", "token-bucket", "admitted_cost", 55)
}

// TestOwnLimiterOfRequests checks that the reason names what a limiter cannot count, if there is
// one policy; otherwise that it takes one alone.
func TestOwnLimiterOfRequests(t *testing.T) {
	for policies, want := range map[string]string{
		"policy: {limit: 10/s, counts: requests}":                   "policy 10/s counts requests, which mine cannot do beside their cost",
		"policies: [{limit: 10/s, counts: requests}, {limit: 9/s}]": "works with one policy and one descriptor a request",
	} {
		problems, err := sim.Check(context.Background(), simtest.Load(t, `
version: 1
duration: 2s
algorithms:
  mine: {exec: [any]}
scenarios:
  - {name: one, `+policies+`, traffic: [{pattern: constant, rate: 1/s}], algorithms: [mine]}
`), nil)
		if err != nil || len(problems) != 1 || !strings.Contains(problems[0].String(), want) {
			t.Errorf("%s: %v, %v", policies, problems, err)
		}
	}
}
