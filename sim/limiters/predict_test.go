package limiters_test

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// steadyScenario is one for which each limiter with closed forms states them.
const steadyScenario = `
version: 1
duration: 40s
algorithms:
  tested: {ALGORITHM}
scenarios:
  - name: steady
    warmup: 8s
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 10, servers: 2, network: 2ms}
    traffic:
      - {pattern: poisson, rate: 5000/s, keys: one, spread: even, COST}
    algorithms: [tested]
`

// TestOneReasonForNoPrediction checks that limiters state a closed form of the steady
// scenario, and none where it differs in one respect that the form does not allow.
func TestOneReasonForNoPrediction(t *testing.T) {
	const (
		stated  = "" // there is a closed form
		network = "given for traffic and networks without faults or retries"
		policy  = "given for one policy"
		steady  = "given for steady traffic of one entry"
		poisson = "given for Poisson traffic of one entry"
		key     = "given for one key"
		evenly  = "given for traffic spread evenly over clients"
		cost    = "given for requests of one cost"
		costs   = "given for costs and estimates that are constant, uniform, or exponential with a mean of 100 or more"
	)
	// What each limiter says, in the order of the columns of the differences below.
	columns := []struct{ algorithm, cost string }{
		{"preset: envoy-quota, report_interval: 1s", "cost: 1"},
		{"preset: batch-reported", "cost: 1"},
		{"preset: read-then-increment, client_time: 1ms", "cost: 1"},
		{"enforcement: central, counter: fixed-window, settle: check-then-deduct", "cost: {estimate: 1, actual: 2}, answer: 1ms"},
	}
	for _, difference := range []struct {
		from, to string
		want     [4]string
	}{
		{"", "", [4]string{}},
		{"pattern: poisson", "pattern: constant", [4]string{stated, stated, poisson, stated}},
		{"spread: even", "spread: random", [4]string{}},
		{"keys: one", "keys: {uniform: {count: 2}}", [4]string{key, key, key, key}},
		{"burst: 10}", "burst: 10, shared: true}", [4]string{}},
		{"spread: even", "spread: {skewed: {shares: [91%, 1%, 1%, 1%, 1%, 1%, 1%, 1%, 1%, 1%]}}", [4]string{evenly, evenly, stated, stated}},
		{"cost: 1}", "cost: {uniform: {min: 1, max: 2}}}", [4]string{cost, cost, cost, ""}},
		{"actual: 2", "actual: {exponential: {mean: 99, max: 1000}}", [4]string{"", "", "", costs}},
		{"estimate: 1", "estimate: {exponential: {mean: 99, max: 1000}}", [4]string{"", "", "", costs}},
		{"rate: 5000/s", "rate: 5000/s, from: 1ns", [4]string{steady, steady, poisson, steady}},
		{"rate: 5000/s", "rate: 5000/s, to: 39999999999ns", [4]string{steady, steady, poisson, steady}},
		{"algorithms: [tested]", "  - {pattern: poisson, rate: 1/s, COST}\n    algorithms: [tested]", [4]string{steady, steady, poisson, steady}},
		{"preset: batch-reported", "preset: batch-reported, server_time: 1ms", [4]string{"", "reports wait for each other at a server that takes time", "", ""}},
		{"preset: batch-reported", "preset: batch-reported, sharding: {slices: {}}", [4]string{"", "slices that move leave their counts behind", "", ""}},
		{"answer: 1ms", "answer: {per_token: 1us}", [4]string{"", "", "", "given for answers whose time does not depend on their cost"}},
		{"policy: {limit: 100/s, burst: 10}", "policies: [{limit: 100/s, burst: 10}, {limit: 7/s, burst: 10, per: route}]", [4]string{policy, policy, policy, policy}},
		{"traffic:", "retries: {attempts: 1}\n    traffic:", [4]string{network, network, network, network}},
		{"traffic:", "faults: [{partition: {from: 1s, to: 2s, share: 10%, expect_no_effect: true}}]\n    traffic:", [4]string{network, network, network, network}},
	} {
		for i, c := range columns {
			fill := strings.NewReplacer("ALGORITHM", c.algorithm, "COST", c.cost)
			text := strings.Replace(fill.Replace(steadyScenario), difference.from, fill.Replace(difference.to), 1)
			p := limiters.Predict(&simtest.Load(t, text).Scenarios[0]).OverLimit
			if want := difference.want[i]; (p.Formula != "") != (want == stated) || want != stated && p.Why != want {
				t.Errorf("%s with %s for %s: formula %q, %q; want %q", c.algorithm, difference.to, difference.from, p.Formula, p.Why, want)
			}
		}
	}
}
